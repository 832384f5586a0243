import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { reportOutcomes } from '../../src/operations/outcomes.ts';
import { recordOutcomes } from '../../src/outcomes/record-outcomes.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreConflict } from '../../src/store/store.ts';
import type { Stores } from './store-contract.ts';
import { BLOCK, FLAG, webhookOf } from './store-contract-events.ts';
import { admitted, type Caller, DAY, makeCaller, START, submissionOf } from './store-fixtures.ts';

/** As the service has them, with addresses for hashes. */
const partsAt = (store: Store, now: number) => ({
  store,
  keyedHash: (_kind: string, address: string) => address,
  now: () => now,
  outcomeRetentionMs: 180 * DAY,
});

const readerOf = (projectId: string, memberId = 'm1', now = START) => ({ projectId, memberId, now });

export function outcomesContract(stores: Stores): void {
  const validate = async (store: Store, caller: Caller, log: object, now = START, inbox = 'jane') =>
    admitted(await store.settle(submissionOf(caller, { now, inbox, log })));

  describe('outcomes', () => {
    it('can be reported about the same people in opposite order at the same time', async () => {
      const { store, other } = stores;
      const { project } = await makeCaller(store);
      const people = Array.from({ length: 100 }, (_, index) => `person-${index}`);
      const say = (from: Store, inboxes: readonly string[], outcome: 'good' | 'bad', at: number) =>
        from.outcomes.record(
          project.id,
          inboxes.map((inbox) => ({ inbox, outcome, reason: null, at, seenAt: START })),
        );
      await Promise.all(
        Array.from({ length: 6 }, (_, round) =>
          round % 2 === 0
            ? say(store, people, 'good', START + round)
            : say(other, people.toReversed(), 'bad', START + round),
        ),
      );
      const all = await store.outcomes.latestJudged(project.id, 1_000);
      expect(all.size).toBe(100);
      expect(new Set([...all.values()].map(({ judgement }) => judgement))).toEqual(new Set(['bad']));
      // Each person is counted once, whatever the order in which the requests were recorded.
      const sums = new Map<string, number>();
      for await (const slots of store.statistics.read(project.id, START - 3_600_000, START + 3_600_000))
        for (const { counts } of slots)
          for (const [word, number] of counts)
            if (word.startsWith('outcome:')) sums.set(word, (sums.get(word) ?? 0) + number);
      expect([sums.get('outcome:bad'), sums.get('outcome:good') ?? 0]).toEqual([100, 0]);
    });

    it('are found with the domain that the person signed up with, while the log has it', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const { id } = caller.project;
      const people = ['good', 'bad', 'accepted'] as const;
      for (const [index, outcome] of people.entries()) {
        await validate(store, caller, { domain: `${outcome}.example` }, START + index, outcome);
        const told = { inbox: outcome, outcome, reason: null, at: START + 9, seenAt: START + index };
        await store.outcomes.record(id, [told]);
      }
      await store.outcomes.record(id, [
        { inbox: 'gone', outcome: 'bad', reason: null, at: START, seenAt: START - DAY },
      ]);
      const all = await store.outcomes.domainOutcomes(id, 'all', 10);
      expect(all).toEqual([
        { domain: 'accepted.example', judgement: null, at: START + 9 },
        { domain: 'bad.example', judgement: 'bad', at: START + 9 },
        { domain: 'good.example', judgement: 'good', at: START + 9 },
      ]);
      const judged = await store.outcomes.domainOutcomes(id, 'judged', 1);
      expect(judged).toEqual([{ domain: 'bad.example', judgement: 'bad', at: START + 9 }]);
    });

    it('of one person in one request: the latest judgement counts, or the last of the same time', async () => {
      const { store } = stores;
      const { project } = await makeCaller(store);
      const one = (outcome: 'accepted' | 'good' | 'bad', at: number, reason: string | null = null) => ({
        inbox: 'jane',
        outcome,
        reason,
        at,
        seenAt: START,
      });
      await store.outcomes.record(project.id, [
        one('accepted', START + 3),
        one('bad', START + 9, 'early'),
        one('good', START + 9, 'late \0 \uD800 🙂'),
        one('bad', START + 8),
        one('accepted', START + 2),
      ]);
      expect(await store.outcomes.find(project.id, 'jane')).toEqual({
        acceptedAt: START + 2,
        judgement: 'good',
        reason: 'late \uFFFD \uFFFD 🙂',
        decidedAt: START + 9,
      });
    });

    it('keep the latest of good and bad, and the first sign-up', async () => {
      const { store } = stores;
      const { project } = await makeCaller(store);
      const say = (outcome: 'accepted' | 'good' | 'bad', at: number, reason: string | null = null) =>
        store.outcomes.record(project.id, [{ inbox: 'jane', outcome, reason, at, seenAt: START }]);
      await say('accepted', START + 5);
      await say('accepted', START + 9);
      expect(await store.outcomes.find(project.id, 'jane')).toEqual({
        acceptedAt: START + 5,
        judgement: null,
        reason: null,
        decidedAt: null,
      });
      await say('bad', START + 20, 'chargeback');
      await say('good', START + 10);
      await say('accepted', START + 30);
      const bad = { acceptedAt: START + 5, judgement: 'bad', reason: 'chargeback', decidedAt: START + 20 };
      expect(await store.outcomes.find(project.id, 'jane')).toEqual(bad);
      await say('good', START + 40);
      expect(await store.outcomes.find(project.id, 'jane')).toMatchObject({
        judgement: 'good',
        reason: null,
      });
    });

    it('are taken back to what was known before, with their sums, unless something newer is known', async () => {
      const { store } = stores;
      const { project } = await makeCaller(store);
      const record = (inbox: string, outcome: 'accepted' | 'good' | 'bad', at: number, reason = 'told') =>
        store.outcomes.record(project.id, [{ inbox, outcome, reason, at, seenAt: START }]);
      const sums = async () => {
        const found = new Map<string, number>();
        for await (const slots of store.statistics.read(project.id, START - 3_600_000, START + 86_400_000))
          for (const { counts } of slots)
            for (const [word, number] of counts) found.set(word, (found.get(word) ?? 0) + number);
        return [found.get('outcome:good') ?? 0, found.get('outcome:bad') ?? 0];
      };
      const later = START + 7_200_000;
      await record('ann', 'accepted', START);
      await record('bob', 'bad', START + 5, 'chargeback');
      await record('eve', 'bad', START + 5);
      for (const inbox of ['ann', 'bob', 'eve']) await record(inbox, 'good', later);
      await record('eve', 'bad', later + 1, 'newer');
      expect(await sums()).toEqual([2, 1]);
      const judgement = { outcome: 'good', at: later } as const;
      const bad = { outcome: 'bad', reason: 'chargeback', at: START + 5 } as const;
      const event = { eventAt: later + 2, eventData: { decision: 'unknown' } };
      const ann = { inbox: 'ann', judgement, previous: null, ...event, logIds: ['ann'] };
      const bob = { inbox: 'bob', judgement, previous: bad, ...event, logIds: ['bob'] };
      for (const inbox of ['eve', 'nobody']) {
        const late = { inbox, judgement, previous: bad, ...event, logIds: [inbox] };
        const taking = store.commit(store.review.takingBack(project.id, [ann, late]), []);
        await expect(taking).rejects.toThrow(StoreConflict);
      }
      await store.commit(store.review.takingBack(project.id, [bob, ann]), []);
      expect(await store.outcomes.find(project.id, 'ann')).toMatchObject({
        acceptedAt: START,
        judgement: null,
        decidedAt: null,
      });
      expect(await store.outcomes.find(project.id, 'bob')).toMatchObject({
        ...{ judgement: 'bad', reason: 'chargeback', decidedAt: START + 5 },
      });
      expect(await store.outcomes.find(project.id, 'eve')).toMatchObject({
        judgement: 'bad',
        reason: 'newer',
      });
      expect(await sums()).toEqual([0, 2]);
      // Only of those that were taken back.
      const events = await store.events.page(project.id, 10, null);
      expect(events.map(({ logId }) => logId).sort()).toEqual(['ann', 'bob']);
    });

    it('find a validation by its request ID, short or long, in its own project only', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const stranger = await makeCaller(store);
      const long = 'x'.repeat(63);
      for (const requestId of ['a', 'ab', '0190d3a4-7c2b-7def-8123-456789abcdef', `${long}1`, `${long}2`])
        await validate(store, caller, { requestId }, START, `of-${requestId}`);
      const inboxOf = async (requestId: string, { project }: Caller = caller) =>
        (await store.log.findByRequest(project.id, requestId))?.inboxHash;
      expect(await inboxOf('a')).toBe('of-a');
      expect(await inboxOf('ab')).toBe('of-ab');
      expect(await inboxOf(`${long}2`)).toBe(`of-${long}2`);
      expect(await inboxOf('0190d3a4-7c2b-7def-8123-456789abcdef')).toBe(
        'of-0190d3a4-7c2b-7def-8123-456789abcdef',
      );
      expect(await inboxOf('b')).toBeUndefined();
      const usual = '0190d3a4-7c2b-7def-8123-456789abcdef';
      await validate(store, caller, { requestId: usual }, START + 5, 'newer');
      const namesOf = async (ids: readonly string[], { project }: Caller = caller) =>
        [...(await store.outcomes.inboxesOfRequests(project.id, ids))].map(([id, people]) => [
          id,
          [...people.keys()].sort(),
        ]);
      expect((await namesOf([usual, 'a', 'b', `${long}2`, usual])).sort()).toEqual([
        [usual, ['newer', `of-${usual}`]],
        ['a', ['of-a']],
        [`${long}2`, [`of-${long}2`]],
      ]);
      expect(await namesOf([usual], stranger)).toEqual([]);
      for (let index = 0; index < 50; index += 1)
        await validate(store, caller, { requestId: usual }, START + 10 + index, `again-${index}`);
      const crowded = new Map((await namesOf([usual, usual.replace('0', '1'), 'a'])) as [string, string[]][]);
      expect(crowded.get('a')).toEqual(['of-a']);
      expect(crowded.has(usual)).toBe(false);
      expect(await inboxOf('a', stranger)).toBeUndefined();
    });

    it('name nobody by a request ID that several people have, unless an address tells whom of them', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      await validate(store, caller, { requestId: 'shared' }, START, 'fraud@example.com');
      await validate(store, caller, { requestId: 'shared' }, START + 1, 'victim@example.com');
      await validate(store, caller, { requestId: 'own' }, START, 'ann@example.com');
      // A stranger who sends the victim’s address often enough does not push the other person out.
      await validate(store, caller, { requestId: 'crowded' }, START, 'fraud@example.com');
      for (let again = 1; again <= 20; again += 1)
        await validate(store, caller, { requestId: 'crowded' }, START + again, 'victim@example.com');
      const bad = { outcome: 'bad', at: START } as const;
      const result = await recordOutcomes(
        partsAt(store, START),
        caller.project.id,
        [
          { requestId: 'shared', ...bad },
          { requestId: 'shared', email: 'fraud@example.com', ...bad },
          { requestId: 'own', email: 'victim@example.com', ...bad },
          { requestId: 'own', email: 'Ann@example.com', ...bad },
          { requestId: 'crowded', ...bad },
        ],
        true,
      );
      expect(result).toEqual({ ok: true, recorded: 2, unknown: [0, 2, 4] });
      const alone = [{ requestId: 'crowded', ...bad }];
      expect(await recordOutcomes(partsAt(store, START), caller.project.id, alone, true)).toMatchObject({
        unknown: [0],
      });
      expect(await store.outcomes.find(caller.project.id, 'ann@example.com')).toMatchObject({
        judgement: 'bad',
      });
      expect(await store.outcomes.find(caller.project.id, 'victim@example.com')).toBeUndefined();
    });

    it('count for people whose log rows are gone, as long as the retention says', async () => {
      const database = await stores.fresh();
      const store = await database.open();
      const caller = await makeCaller(store);
      const projectId = caller.project.id;
      const hosted = { ...FLAG, failed: ['ip'], signals: ['hosting_ip'] };
      const sixtyDaysAgo = START - 60 * DAY;
      await validate(store, caller, { ...hosted, requestId: 'late' }, sixtyDaysAgo, 'late@example.com');
      await validate(store, caller, { ...BLOCK, requestId: 'twice' }, sixtyDaysAgo + 1, 'twice@example.com');
      await validate(store, caller, { ...hosted, requestId: 'again' }, sixtyDaysAgo + 2, 'twice@example.com');
      await validate(store, caller, { ...hosted, requestId: 'gone' }, START - 200 * DAY, 'gone@example.com');
      await validate(store, caller, { requestId: 'new' }, START - DAY, 'new@example.com');
      const limits = {
        maxRows: 2,
        logRetentionMs: 30 * DAY,
        outcomeRetentionMs: 180 * DAY,
        logMaxRows: 1_000,
      };
      const sweep = async (now: number) => {
        while ((await store.sweep(now, limits)) > 0);
      };
      await sweep(START);
      const { rows } = await store.log.page(projectId, {}, 10, null);
      expect(rows.map(({ requestId }) => requestId)).toEqual(['new']);

      const bad = { outcome: 'bad', at: START } as const;
      const reported = [
        { requestId: 'late', ...bad },
        { requestId: 'twice', email: 'twice@example.com', ...bad },
        { email: 'gone@example.com', ...bad },
        { requestId: 'gone', ...bad },
      ];
      const result = await recordOutcomes(partsAt(store, START), projectId, reported, true);
      expect(result).toEqual({ ok: true, recorded: 2, unknown: [2, 3] });
      await sweep(START);
      const admin = { store, now: () => START, randomBytes, plans: new Map(), actor: 'cli' };
      for (const limit of [8_000, 0]) {
        const read = { validations: limit, sample: 10, knownPeople: 10 };
        const report = await reportOutcomes(admin, projectId, 90, read);
        expect(report).toMatchObject({ known: 2, bad: 2, policy: { bad: 2, badFlagged: 2, badBlocked: 0 } });
        expect(report.rows.find(({ name }) => name === 'hosting_ip')).toMatchObject({ known: 2, bad: 2 });
      }
      const [late] = await store.outcomes.pastPeople(projectId, ['late@example.com']);
      expect(late).toMatchObject({ recommendation: 'flag', checks: ['ip'], signals: ['hosting_ip'] });

      await sweep(sixtyDaysAgo + 181 * DAY);
      expect(await store.outcomes.find(projectId, 'late@example.com')).toBeUndefined();
      expect(await store.outcomes.pastPeople(projectId, ['late@example.com'])).toEqual([]);
      expect((await store.outcomes.inboxesOfRequests(projectId, ['late'])).size).toBe(0);
      await store.close();
      await database.remove();
    });

    it('are erased with the person, and so are queue rows and events', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const projectId = caller.project.id;
      const webhook = webhookOf(caller);
      await store.commit(store.events.webhooks.create(webhook), []);
      await validate(store, caller, FLAG, START, 'ann');
      await validate(store, caller, FLAG, START + 1, 'bob');
      await store.outcomes.record(projectId, [
        { inbox: 'ann', outcome: 'bad', reason: null, at: START, seenAt: START },
      ]);
      await store.erasure.erase(projectId, { inboxes: ['ann'], devices: [] }, false);
      expect(await store.outcomes.find(projectId, 'ann')).toBeUndefined();
      expect((await store.review.open(readerOf(projectId), null, 10)).map((row) => row.inboxHash)).toEqual([
        'bob',
      ]);
      expect(await store.events.deliveries.page(projectId, webhook.id, 10, null)).toHaveLength(1);
    });
  });
}
