import { expect } from 'vitest';
import {
  makeCaller,
  NOTED,
  START,
  submissionOf,
  type TestDatabase,
  updateProject,
} from './store-fixtures.ts';

/** Calls the operations on growing tables that the contract leaves to the tests of the service and of the command line. */
export async function callOtherOperations(makeDatabase: () => Promise<TestDatabase>): Promise<void> {
  const [database, copy] = await Promise.all([makeDatabase(), makeDatabase()]);
  const [store, loaded] = await Promise.all([database.open(), copy.open()]);
  try {
    const caller = await makeCaller(store);
    const { id } = caller.project;
    await store.settle(submissionOf(caller, { inbox: 'jane', device: 'phone', answer: 'flag' }));
    const span = { from: 0, to: START + 1 };
    const { rows } = await store.log.page(id, {}, 1, null);
    await store.memory.others(id, { inboxHash: 'jane', deviceHash: 'phone' }, 0);
    await store.log.countableFrom(id, span, 1);
    await store.log.countByTime(id, { ...span, domain: 'example.com' }, 1_000);
    expect(await store.log.countPeople(id, 0, [{ domain: 'example.com' }])).toMatchObject({ times: 1 });
    expect(await store.log.linked(id, { from: 0 }, 'device', 5)).toMatchObject([{ people: 1 }]);
    expect(await store.log.firstAt(id, { from: 0, domain: 'example.com' })).toBe(START);
    await store.log.networksSince(id, 0);
    await store.log.countAnswerTimes([{ projectId: id, at: START, lines: '1 answer:1' }]);
    for await (const portion of store.log.seen(id, 0, 10)) expect(portion).toHaveLength(1);
    const judged = {
      ...{ inbox: 'jane', reason: null, at: START, seenAt: START },
      outcome: 'bad',
      ...{ logIds: rows.map((row) => row.id), eventAt: START, eventData: {} },
      note: { decision: 'bad', by: 'a member', at: START },
    } as const;
    await store.commit(store.review.judgement(id, [judged]), []);
    await store.review.mark(id, [judged]);
    await store.commit(store.timeline.removal(id, 'person:jane', 'none'), []);
    await store.commit(store.timeline.addition(id, []), []);
    const saved = { at: START, actor: 'cli', reason: null, policy: caller.project.policy, rules: [] };
    await store.commit(store.projects.creation({ ...caller.project, id: `${id}-2` }, saved), []);
    const claim = {
      ...{ projectId: id, claim: 'trial', id: 'claim_1', at: START, inbox: 'jane', maskedAddress: 'j***@x' },
      ...{ claimant: 'c', keyHash: 'k', because: [], since: START, releasedAt: null },
    };
    await store.claims.grant({ ...claim, granted: 1 }, ['inbox:jane', 'claimant:c'], 0);
    await store.claims.refuse({ ...claim, id: 'claim_2', granted: 0, because: ['inbox'] });
    expect(await store.claims.holders(id, 'trial', ['inbox:jane'], 0)).toHaveLength(1);
    expect(await store.claims.byKey(id, 'k')).toBeDefined();
    expect(await store.claims.ofClaimant(id, 'c')).toHaveLength(1);
    expect(await store.claims.page(id, { limit: 5 })).toHaveLength(2);
    expect(await store.claims.summary(id, 0)).toHaveLength(1);
    expect(await store.claims.byDay(id, 0)).toMatchObject([{ granted: 1, refused: 1 }]);
    expect(await store.claims.findGranted(id, 'claim_1')).toBeDefined();
    await store.commit(store.claims.release(id, 'claim_1', START), []);
    const challenge = {
      ...{ projectId: id, id: 'ch_1', at: START, expiresAt: START + 600_000, inbox: 'jane', sealed: 's' },
      kind: 'work' as const,
      mode: 'live' as const,
      keyType: 'server' as const,
      ...{ logId: rows[0]?.id ?? '', tries: 0, passedAt: null },
    };
    expect(await store.challenges.open(challenge)).toBe(true);
    expect(await store.challenges.find(id, 'ch_1')).toEqual(challenge);
    expect(await store.challenges.takeTry(id, 'ch_1', START)).toBe(1);
    expect(await store.challenges.takeTry(id, 'ch_1', START + 600_000)).toBeUndefined();
    expect(await store.challenges.pass(challenge, START + 5)).toBe(true);
    expect(await store.challenges.pass(challenge, START + 6)).toBe(false);
    const done = [{ logId: challenge.logId, tries: 1, passedAt: START + 5, judgement: 'bad' }];
    expect(await store.challenges.asked(id, { since: 0 })).toMatchObject(done);
    expect(await store.challenges.asked(id, { logIds: [challenge.logId, 'x'] })).toMatchObject(done);
    const { campaigns } = store;
    const jane = { projectId: id, inbox: 'jane', campaignId: 'janes', at: START, lastSeen: START };
    const person = { ...jane, answer: 'flag', because: { kind: 'campaign' } } as const;
    await campaigns.write(campaigns.joining([person]));
    expect(await store.challenges.asked(id, { campaignId: 'janes' })).toMatchObject(done);
    expect(await store.challenges.asked(id, { campaignId: 'others' })).toEqual([]);
    await store.challenges.withdraw(id, 'ch_1');
    expect(await store.challenges.find(id, 'ch_1')).toBeUndefined();
    const vendor = { projectId: id, vendor: 'hcaptcha', siteKey: 's', sealed: 's', away: 'flag' } as const;
    await store.commit([store.challenges.vendorChange(vendor)], []);
    expect(await store.challenges.vendor(id)).toEqual(vendor);
    await store.commit([store.challenges.vendorRemoval(id)], []);
    await store.statistics.forgetDomain(id, 'none');
    for await (const portion of campaigns.people(id, 'none')) expect(portion).toEqual([]);
    expect(await campaigns.badAt(id, 'none')).toBeUndefined();
    const start = { firstSeen: 0, inbox: '', id: '' };
    expect(await campaigns.requests(id, 'none', start, { allowed: true, limit: 5 })).toEqual([]);
    const thing = (kind: 'domain' | 'mailHost' | 'device' | 'network') => ({
      kind,
      name: 'x',
      people: 1,
      others: 0,
    });
    const things = [thing('domain'), thing('mailHost'), thing('device'), thing('network')];
    expect(await campaigns.goodPeopleWith(id, 0, things)).toEqual([]);
    const ping = { projectId: id, id: 'ping', type: 'test.ping', at: START, logId: null, data: {} } as const;
    await store.commit(store.events.addition({ ...ping, onlyWebhook: 'none' }), []);
    await store.events.find(id, 'none');
    await store.events.deliveries.countStates(id, 'none', 0, 5);
    await store.commit(store.events.webhooks.remove({ projectId: id, id: 'none' }), []);
    await store.projects.reachStep(id, 'verdict-keys', START);
    await store.projects.noteMissingForm(id, { keyId: 'k', form: '#sign-up', at: START });
    await store.projects.missingForms(id);
    await store.commit(store.keys.hookChange(caller.key, { format: 'okta', secrets: [] }), []);
    await store.projects.hasReached(id, 'verdict-keys');
    await store.audit.append({ at: START, actor: 'a member', action: 'a deed', projectId: id, detail: {} });
    await store.audit.chain();
    await store.log.findMany(id, ['none']);
    await store.events.webhooks.find('none', id);
    await store.audit.after(0, 10);
    await store.audit.backlog();
    await store.audit.verify();
    await store.audit.hashAt(1);
    await store.audit.deleteBefore(START + 1, 10, START);
    const whose = { inboxes: ['jane'], devices: ['phone'] };
    await store.erasure.find(
      id,
      whose,
      rows.map((row) => row.id),
    );
    await store.clock.trust(START);
    await store.clock.doubt(START);
    await store.describe();
    await loaded.load(store.dump());
    await updateProject(store, id, { archivedAt: START });
    await store.deleteProject(id, NOTED);
  } finally {
    await Promise.all([store.close(), loaded.close()]);
    await Promise.all([database.remove(), copy.remove()]);
  }
}
