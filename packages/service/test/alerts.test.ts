import { DAY_MS } from '@postern/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dnsOffline, lookForAlerts } from '../src/events/alerts.ts';
import type { Store } from '../src/store/store.ts';
import { type Mailbox, startMailbox } from './support/mailbox.ts';
import { startService, type TestService } from './support/service.ts';
import { sqliteDatabase } from './support/sqlite-database.ts';
import { webhookOf } from './support/store-contract-events.ts';
import {
  admitted,
  type Caller,
  DAY,
  HOUR,
  makeCaller,
  START,
  submissionOf,
  type TestDatabase,
} from './support/store-fixtures.ts';
import { createWebhook, listDeliveries, pingWebhook } from './support/webhooks.ts';

describe('alerts', () => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await sqliteDatabase();
    store = await database.open();
  });
  afterAll(async () => {
    await store.close();
    await database.remove();
  });
  const look = (now: number, staleFeeds: readonly string[] = []) =>
    lookForAlerts({
      store,
      logFault: () => {},
      now: () => now,
      staleFeeds: async () => staleFeeds,
    });
  const blocks = async (caller: Caller, count: number, now: number, log: object = {}) => {
    for (let index = 0; index < count; index += 1)
      admitted(
        await store.settle(
          submissionOf(caller, { now, inbox: `p-${now}-${index}`, log: { answer: 'block', ...log } }),
        ),
      );
  };
  const eventsOf = async ({ project }: Caller, type: string) =>
    (await store.events.page(project.id, 100, null)).filter((event) => event.type === type);

  it('of other projects are found although one project cannot be read', async () => {
    const [broken, other] = [await makeCaller(store), await makeCaller(store)];
    for (const caller of [broken, other]) await blocks(caller, 60, START);
    const faults: unknown[] = [];
    const find: Store['events']['find'] = async (id, event) => {
      if (id === broken.project.id) throw new Error('The statement took too long');
      return store.events.find(id, event);
    };
    const projects = { ...store.projects, list: async () => [broken.project, other.project] };
    await lookForAlerts({
      store: { ...store, events: { ...store.events, find }, projects },
      logFault: (fault) => faults.push(fault),
      now: () => START + 1_000,
      staleFeeds: async () => [],
    });
    expect(faults).toHaveLength(1);
    expect(await eventsOf(other, 'surge.detected')).not.toEqual([]);
  });

  it('cost an idle project nothing, however many there are', async () => {
    let calls = 0;
    const counted = <T extends object>(part: T): T =>
      new Proxy(part, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name);
          if (typeof value === 'object' && value !== null) return counted(value);
          if (typeof value !== 'function') return value;
          return (...given: unknown[]) => {
            calls += 1;
            return value.apply(target, given);
          };
        },
      });
    for (let index = 0; index < 30; index += 1) await makeCaller(store);
    // The projects of other tests were active then.
    const now = START + 5 * DAY_MS;
    const parts = { store: counted(store), logFault: () => {}, staleFeeds: async () => [] };
    await lookForAlerts({ ...parts, now: () => now });
    expect(calls).toBe(2);
  });

  it('group surges that follow each other until the incident is closed', async () => {
    const caller = await makeCaller(store);
    const { id: projectId } = caller.project;
    await store.commit(
      store.events.webhooks.create(webhookOf(caller, { id: 'wh_1', events: ['surge.detected'] })),
      [],
    );
    const told = async () => (await store.events.deliveries.page(projectId, 'wh_1', 50, null)).length;
    const surge = (now: number) =>
      blocks(caller, 60, now, { domain: 'burner.test', maskedIp: '203.0.113.0' });
    await surge(START);
    await look(START + 1_000);
    const surges = await eventsOf(caller, 'surge.detected');
    expect(surges.length).toBeGreaterThan(1);
    const [incident] = await store.incidents.page(projectId, 10, null);
    expect(new Set(surges.map(({ data }) => data.incident))).toEqual(new Set([incident?.id]));
    expect(incident).toMatchObject({ acknowledgedAt: null, closedAt: null });
    if (incident === undefined) throw new Error('There is no incident');
    const before = await told();
    expect(before).toBe(surges.length);

    await surge(START + HOUR);
    await look(START + HOUR + 1_000);
    expect((await eventsOf(caller, 'surge.detected')).length).toBeGreaterThan(surges.length);
    expect(await store.incidents.page(projectId, 10, null)).toHaveLength(1);

    await store.incidents.change({ ...incident, closedAt: START + HOUR + 2_000 });
    await surge(START + 2 * HOUR);
    await look(START + 2 * HOUR + 1_000);
    expect(await store.incidents.page(projectId, 10, null)).toHaveLength(2);
    expect(await told()).toBeGreaterThan(before);
  });

  it('report a surge of blocks once, with its source', async () => {
    const caller = await makeCaller(store);
    for (let week = 1; week <= 8; week += 1) await blocks(caller, 3, START - week * 7 * DAY);
    await blocks(caller, 40, START, { domain: 'throwaway.test', maskedIp: '203.0.113.0' });
    await look(START + 1_000);
    await look(START + 60_000);
    const [event, ...more] = (await eventsOf(caller, 'surge.detected')).filter(
      ({ data }) => data.kind === 'block',
    );
    expect(more).toEqual([]);
    expect(event?.data).toMatchObject({
      count: 40,
      usual: 3,
      domains: [{ name: 'throwaway.test', count: 40 }],
      networks: [{ name: '203.0.113.0', count: 40 }],
    });
  });

  it('name a live rule that hits fewer bad people than average, once for each version of it', async () => {
    const made = await makeCaller(store);
    const rule = (id: string) => ({
      ...{ id, name: 'R', when: `email.domain.contains("${id}")`, changedAt: START - DAY },
      ...({ then: 'block', mode: 'live' } as const),
    });
    const rules = [
      rule('worse'),
      rule('better'),
      { ...rule('kind'), then: 'allow' },
      { ...rule('shady'), mode: 'shadow' },
      rule('few'),
    ] as const;
    const project = await store.projects.update(made.project.id, { rules });
    const caller = { ...made, project };
    const people = async (
      name: string,
      count: number,
      verdict: 'good' | 'bad',
      matched: readonly string[],
    ) => {
      for (let index = 0; index < count; index += 1) {
        const inbox = `${name}-${index}`;
        const log = { domain: `${matched.join('-')}.example` };
        admitted(await store.settle(submissionOf(caller, { now: START, inbox, log })));
        const outcome = { inbox, outcome: verdict, reason: null, at: START, seenAt: START };
        await store.outcomes.record(project.id, [outcome]);
      }
    };
    await people('bad', 30, 'bad', ['better']);
    await people('good', 30, 'good', ['worse', 'kind', 'shady']);
    await people('rare', 3, 'good', ['few']);
    await look(START + 1_000);
    await look(START + 60_000);
    const found = await eventsOf(caller, 'rule.gone_bad');
    expect(found).toMatchObject([{ data: { ruleId: 'worse', then: 'block', known: 30, bad: 0 } }]);
    expect(found[0]?.data.message).toBe(
      'Rule R (worse) blocks, but only 0 of 30 people it hit are known to be bad: less than the 48% of everybody.',
    );
    // A rule that was corrected starts anew: what it matched before does not count.
    const corrected = rules.map((each) => ({ ...each, changedAt: START + 120_000 }));
    await store.projects.update(project.id, { rules: corrected });
    await look(START + 180_000);
    expect(await eventsOf(caller, 'rule.gone_bad')).toHaveLength(1);
  });

  it('do not count again where a surge came from that was reported', async () => {
    const caller = await makeCaller(store);
    await blocks(caller, 40, START, { domain: 'again.test', maskedIp: '203.0.113.0' });
    const people = vi.spyOn(store.sources, 'people');
    const mostFrequent = vi.spyOn(store.sources, 'mostFrequent');
    const queries = async (now: number) => {
      await look(now);
      const own = [...people.mock.calls, ...mostFrequent.mock.calls].filter(
        ([span]) => span.projectId === caller.project.id,
      );
      people.mockClear();
      mostFrequent.mockClear();
      return own.length;
    };
    const first = await queries(START + 1_000);
    const again = await queries(START + 60_000);
    people.mockRestore();
    mostFrequent.mockRestore();
    expect(first).toBeGreaterThan(12);
    // One for each kind of source.
    expect(again).toBe(3);
  });

  it('ignore numbers that are usual for that hour of the week', async () => {
    const caller = await makeCaller(store);
    const places = { domain: 'gmail.com', maskedIp: null };
    for (let week = 1; week <= 4; week += 1) await blocks(caller, 60, START - week * 7 * DAY, places);
    await blocks(caller, 70, START, places);
    await look(START + 1_000);
    expect(await eventsOf(caller, 'surge.detected')).toEqual([]);
  });

  it('report a domain with suddenly many allowed sign-ups', async () => {
    const caller = await makeCaller(store);
    await blocks(caller, 25, START, { answer: 'allow', domain: 'new-shop.test', maskedIp: null });
    await look(START + 1_000);
    expect(await eventsOf(caller, 'surge.detected')).toMatchObject([
      { data: { kind: 'domain', name: 'new-shop.test', count: 25 } },
    ]);
  });

  it('report names of one pattern at a mail provider, with where they came from', async () => {
    const caller = await makeCaller(store);
    const at = { answer: 'allow', domain: 'gmail.com' };
    for (let index = 0; index < 30; index += 1)
      await blocks(caller, 1, START + index, { ...at, maskedIp: `203.0.${index}.0` });
    for (let index = 0; index < 40; index += 1)
      await blocks(caller, 1, START + 100 + index, { ...at, shape: 'a9999', maskedIp: `198.51.${index}.0` });
    await look(START + 1_000);
    const [event, ...more] = await eventsOf(caller, 'surge.detected');
    expect(more).toEqual([]);
    expect(event?.data).toMatchObject({
      kind: 'pattern',
      name: 'a9999@gmail.com',
      count: 40,
      usual: 0,
      domains: [{ name: 'gmail.com', count: 40, mailProvider: true }],
    });
  });

  it('do not report a pattern that is an ordinary part of a busy hour', async () => {
    const caller = await makeCaller(store);
    const at = { answer: 'allow', domain: 'gmail.com', maskedIp: null };
    await blocks(caller, 100, START, at);
    await blocks(caller, 25, START + 1, { ...at, shape: 'a99' });
    await look(START + 1_000);
    expect(await eventsOf(caller, 'surge.detected')).toEqual([]);
  });

  it('do not report a source that is usual for that hour of the week, nor one person who tries again', async () => {
    const caller = await makeCaller(store);
    const at = { answer: 'allow', domain: 'weekly.test', maskedIp: null };
    for (const week of [1, 2, 3]) await blocks(caller, 40, START - week * 7 * DAY, at);
    await blocks(caller, 45, START, at);
    for (let index = 0; index < 40; index += 1)
      admitted(
        await store.settle(
          submissionOf(caller, {
            now: START,
            inbox: 'the same',
            log: { answer: 'allow', domain: 'own.test', maskedIp: '203.0.113.0' },
          }),
        ),
      );
    await look(START + 1_000);
    expect(await eventsOf(caller, 'surge.detected')).toEqual([]);
    await blocks(caller, 60, START + 2, at);
    await look(START + 61_000);
    expect(await eventsOf(caller, 'surge.detected')).toMatchObject([
      { data: { kind: 'domain', name: 'weekly.test', count: 105, usual: 40 } },
    ]);
  });

  it('are not written again every minute', async () => {
    const caller = await makeCaller(store);
    const add = vi.spyOn(store.events, 'add');
    const written = async (now: number) => {
      await look(now, ['tor-exits']);
      await dnsOffline(store, now);
      const types = add.mock.calls.filter(([event]) => event.projectId === caller.project.id);
      add.mockClear();
      return types.map(([event]) => event.type).sort();
    };
    const first = await written(START + 91 * DAY);
    const again = await written(START + 91 * DAY + 60_000);
    add.mockRestore();
    expect(first).toEqual(['dns.offline', 'feed.stale', 'key.rotation_due']);
    expect(again).toEqual([]);
  });

  it('report a key that is due for rotation once, and stale data daily', async () => {
    const caller = await makeCaller(store);
    await look(START + 89 * DAY);
    expect(await eventsOf(caller, 'key.rotation_due')).toEqual([]);
    await look(START + 91 * DAY, ['tor-exits']);
    await look(START + 91 * DAY + HOUR, ['tor-exits']);
    expect(await eventsOf(caller, 'key.rotation_due')).toMatchObject([{ data: { keyId: caller.key.id } }]);
    expect(await eventsOf(caller, 'feed.stale')).toMatchObject([{ data: { sources: ['tor-exits'] } }]);
  });
});

describe('mail', () => {
  let service: TestService;
  let mailbox: Mailbox;
  beforeAll(async () => {
    mailbox = await startMailbox();
    service = await startService({ env: mailbox.env });
  });
  afterAll(async () => {
    await service.close();
    await mailbox.close();
  });

  it('delivers events to a mailto: webhook over real SMTP', async () => {
    const project = await service.makeProject();
    const { id } = await service.admin(async (admin) => {
      const webhook = await createWebhook(admin, { projectId: project.id, url: 'mailto:ops@example.com' });
      await pingWebhook(admin, webhook.id);
      return webhook;
    });
    const { received } = mailbox;
    await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: 100_000, interval: 50 });
    expect(received[0]?.to).toEqual(['ops@example.com']);
    expect(received[0]?.text).toMatch(/^Subject: Postern can reach this channel/m);
    expect(received[0]?.text).toMatch(/^From: postern@example\.com/m);
    await vi.waitFor(
      async () =>
        expect(await service.admin((admin) => listDeliveries(admin, id, 5))).toMatchObject([
          { state: 'delivered' },
        ]),
      { timeout: 100_000, interval: 50 },
    );
  });

  it('mails nobody for each validation unasked, and at most 20 times an hour', async () => {
    const project = await service.makeProject();
    const to = 'flooded@example.com';
    const { id } = await service.admin(async (admin) => {
      const calm = await createWebhook(admin, { projectId: project.id, url: 'mailto:calm@example.com' });
      expect(calm.events).not.toContain('validation.blocked');
      return createWebhook(admin, {
        projectId: project.id,
        url: `mailto:${to}`,
        events: ['validation.blocked'],
      });
    });
    for (let number = 0; number < 25; number += 1)
      expect((await project.validate({ email: `jane@missing-${number}.com` })).json.recommendation).toBe(
        'block',
      );
    await vi.waitFor(
      async () => {
        const deliveries = await service.admin((admin) => listDeliveries(admin, id, 50));
        expect(deliveries.filter(({ state }) => state === 'delivered')).toHaveLength(20);
        expect(deliveries.filter(({ state }) => state === 'failed')).toHaveLength(5);
      },
      { timeout: 100_000, interval: 200 },
    );
    const mails = mailbox.received.filter((mail) => mail.to.includes(to));
    expect(mails).toHaveLength(20);
    expect(mails.filter(({ text }) => text.includes('are not mailed'))).toHaveLength(1);
  });
});
