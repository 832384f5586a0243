import { DAY_MS } from '@postern/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dnsOffline, lookForAlerts } from '../src/events/alerts.ts';
import type { Store } from '../src/store/store.ts';
import { type Mailbox, startMailbox } from './support/mailbox.ts';
import { startService, type TestService } from './support/service.ts';
import { sqliteDatabase } from './support/sqlite-database.ts';
import {
  admitted,
  type Caller,
  DAY,
  HOUR,
  makeCaller,
  START,
  submissionOf,
  type TestDatabase,
  updateProject,
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
    for (const caller of [broken, other]) await blocks(caller, 60, START, { domain: 'burner.test' });
    const faults: unknown[] = [];
    const seen: Store['log']['seen'] = (id, ...rest) => {
      if (id === broken.project.id) throw new Error('The statement took too long');
      return store.log.seen(id, ...rest);
    };
    const projects = { ...store.projects, list: async () => [broken.project, other.project] };
    await lookForAlerts({
      store: { ...store, log: { ...store.log, seen }, projects },
      logFault: (fault) => faults.push(fault),
      now: () => START + 1_000,
      staleFeeds: async () => [],
    });
    expect(faults).toHaveLength(1);
    expect(await eventsOf(other, 'campaign.detected')).not.toEqual([]);
  });

  it('say what came in the day before the process started', async () => {
    const caller = await makeCaller(store);
    await blocks(caller, 60, START, { domain: 'burner.test' });
    await look(START + 20 * HOUR);
    expect(await eventsOf(caller, 'campaign.detected')).toHaveLength(1);
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
    const project = await updateProject(store, made.project.id, { rules });
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
    await updateProject(store, project.id, { rules: corrected });
    await look(START + 180_000);
    expect(await eventsOf(caller, 'rule.gone_bad')).toHaveLength(1);
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
