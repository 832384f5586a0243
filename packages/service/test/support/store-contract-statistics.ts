import { describe, expect, it } from 'vitest';
import { NO_FACTS } from '../../src/model/facts-for-rules.ts';
import type { Store } from '../../src/store/store.ts';
import type { Stores } from './store-contract.ts';
import {
  admitted,
  type Caller,
  DAY,
  HOUR,
  makeCaller,
  makeKey,
  START,
  submissionOf,
} from './store-fixtures.ts';

const HALF_HOUR = HOUR / 2;

async function slots(store: Store, { project }: Caller, from = START - DAY, to = START + DAY) {
  const found = new Map<number, Record<string, number>>();
  for await (const portion of store.statistics.read(project.id, from, to)) {
    for (const { at, counts } of portion) found.set(at, Object.fromEntries(counts));
  }
  return found;
}

async function sums(store: Store, caller: Caller): Promise<Record<string, number>> {
  const total: Record<string, number> = {};
  for (const counts of (await slots(store, caller)).values()) {
    for (const [word, count] of Object.entries(counts)) total[word] = (total[word] ?? 0) + count;
  }
  return total;
}

/** What the statistics count, with the request and whatever becomes of it. */
export function statisticsContract(stores: Stores): void {
  describe('statistics', () => {
    it('counts a validation with everything that is said of it', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      await store.settle(
        submissionOf(caller, {
          now: START + 5,
          record: { actions: { ip: 'block' } },
          log: {
            domain: 'shop.example',
            failed: ['ip'],
            signals: ['tor_exit'],
            ran: 'syntax,ip',
            country: 'NZ',
            asn: 64_500,
            facts: { ...NO_FACTS, operator: 'Example Net' },
          },
        }),
      );
      expect(Object.fromEntries(await slots(store, caller))).toEqual({
        [START]: {
          block: 1,
          'domain:shop.example': 1,
          '!domain:shop.example': 1,
          'class:business': 1,
          '!class:business': 1,
          'ran:syntax,ip': 1,
          'event:sign_up': 1,
          '!event:sign_up': 1,
          [`key:${caller.key.id}`]: 1,
          [`!key:${caller.key.id}`]: 1,
          'country:NZ': 1,
          '!country:NZ': 1,
          'asn:64500/Example_Net': 1,
          '!asn:64500/Example_Net': 1,
          'check:ip': 1,
          'signal:tor_exit': 1,
        },
      });
    });

    it('counts by the half hour, and what history adds', async () => {
      const { store, other } = stores;
      const caller = await makeCaller(store);
      const times = [START, START + HALF_HOUR - 1, START + HALF_HOUR, START + HOUR];
      for (const [index, now] of times.entries())
        await (index % 2 ? other : store).settle(
          submissionOf(caller, { now, spelling: `spelling-${index}` }),
        );
      const found = await slots(other, caller);
      expect([...found.keys()]).toEqual([START, START + HALF_HOUR, START + HOUR]);
      expect(found.get(START)).toMatchObject({
        allow: 1,
        flag: 1,
        'check:alias': 1,
        'signal:alias_reuse': 1,
      });
      expect(await slots(store, caller, START + HALF_HOUR, START + HOUR)).toEqual(
        new Map([[START + HALF_HOUR, found.get(START + HALF_HOUR)]]),
      );
    });

    it('says the same before and after changes are merged', async () => {
      const { store, other } = stores;
      const caller = await makeCaller(store);
      for (const now of [START, START + HALF_HOUR, START + HOUR]) {
        await Promise.all(
          Array.from({ length: 100 }, (_, index) =>
            (index % 2 ? other : store).settle(
              submissionOf(caller, { now, inbox: `inbox-${now}-${index}` }),
              60_000,
            ),
          ),
        );
      }
      const before = await sums(store, caller);
      expect(before).toMatchObject({ allow: 300, 'domain:example.com': 300, 'ran:syntax': 300 });
      while ((await store.statistics.merge(caller.project.id)) > 0);
      expect(await sums(other, caller)).toEqual(before);
      expect(await store.statistics.merge(caller.project.id)).toBe(0);
    });

    it('merges changes as fast as single requests make them', async () => {
      const database = await stores.fresh();
      const store = await database.open();
      const caller = await makeCaller(store);
      const requests = 600;
      for (let index = 0; index < requests; index += 1)
        admitted(await store.settle(submissionOf(caller, { inbox: `inbox-${index}` })));
      // Waits for the last merge.
      await store.close();
      const again = await database.open();
      let pending = 0;
      for await (const { table } of again.dump()) if (table === 'statistics_change') pending += 1;
      expect(pending).toBeLessThan(requests / 2);
      await again.close();
      await database.remove();
    });

    it('loses nothing when several processes merge at once', async () => {
      const { store, other } = stores;
      const caller = await makeCaller(store);
      for (let round = 0; round < 10; round += 1) {
        await Promise.all([
          ...Array.from({ length: 20 }, (_, index) =>
            store.settle(submissionOf(caller, { inbox: `inbox-${round}-${index}` })),
          ),
          store.statistics.merge(caller.project.id),
          other.statistics.merge(caller.project.id),
        ]);
      }
      expect(await sums(store, caller)).toMatchObject({ allow: 200 });
    });

    it('counts requests over a limit, and nothing of test keys', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const testKey = await makeKey(store, caller.project, { mode: 'test' });
      const now = START + HALF_HOUR + 1;
      await store.settle(submissionOf({ ...caller, key: testKey }, { now }));
      await store.settle(submissionOf(caller, { now }, { rateLimit: 1 }));
      await store.settle(submissionOf(caller, { now }, { rateLimit: 1 }));
      await store.settle(submissionOf(caller, { now }, { quotaLimit: 1 }));
      await store.log.countRefusal(caller.project.id, now, 'quota-exceeded');
      const found = await slots(store, caller);
      expect([...found.keys()]).toEqual([START + HALF_HOUR]);
      expect(found.get(START + HALF_HOUR)).toMatchObject({
        allow: 1,
        'rate-limited': 1,
        'quota-exceeded': 2,
      });
      expect(found.get(START + HALF_HOUR)).not.toHaveProperty(`key:${testKey.id}`);
    });

    it('sums up outcomes: the latest judgement of a person, and each sign-up once', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const record = (inbox: string, outcome: 'accepted' | 'good' | 'bad', at: number) =>
        store.outcomes.record(caller.project.id, [{ inbox, outcome, reason: null, at, seenAt: START }]);
      await record('a', 'accepted', START);
      await record('a', 'accepted', START + 1);
      await record('a', 'good', START);
      await record('a', 'bad', START + HOUR);
      await record('a', 'good', START + 1);
      await record('b', 'bad', START);
      await record('b', 'bad', START);
      while ((await store.statistics.merge(caller.project.id)) > 0);
      const found = await slots(store, caller);
      expect(found.get(START)).toEqual({ 'outcome:accepted': 1, 'outcome:bad': 1 });
      expect(found.get(START + HOUR)).toEqual({ 'outcome:bad': 1 });
    });

    it('keeps counts of an erased person, and drops a domain that nobody else has', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const visit = (inbox: string, domain: string) =>
        store.settle(
          submissionOf(caller, {
            inbox,
            log: { domain },
          }),
        );
      await visit('jane', 'jane-doe.example');
      await visit('jane', 'gmail.com');
      await visit('jane', 'shared.example');
      await visit('john', 'shared.example');
      await store.erasure.erase(caller.project.id, { inboxes: ['jane'], devices: [] }, true);
      expect(await sums(store, caller)).toHaveProperty('domain:jane-doe.example', 1);
      await store.erasure.erase(caller.project.id, { inboxes: ['jane'], devices: [] }, false);
      const left = await sums(store, caller);
      expect(left).toMatchObject({ 'domain:gmail.com': 1, 'domain:shared.example': 2, 'class:business': 4 });
      expect(left).not.toHaveProperty('domain:jane-doe.example');
    });

    it('forgets after 400 days, and merges what a quiet project left', async () => {
      const database = await stores.fresh();
      const store = await database.open();
      const caller = await makeCaller(store);
      await store.settle(submissionOf(caller));
      const later = START + 400 * DAY + HOUR;
      await store.settle(submissionOf(caller, { now: later }));
      const limits = {
        maxRows: 100,
        logRetentionMs: 30 * DAY,
        outcomeRetentionMs: 180 * 86_400_000,
        logMaxRows: 1_000,
      };
      const now = Math.max(Date.now(), later) + HOUR;
      while ((await store.sweep(now, limits)) > 0);
      expect(await store.statistics.merge(caller.project.id)).toBe(0);
      expect([...(await slots(store, caller, 0, later + DAY)).keys()]).toEqual([later]);
      await store.close();
      await database.remove();
    });
  });
}
