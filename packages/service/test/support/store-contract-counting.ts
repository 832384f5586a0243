import { describe, expect, it } from 'vitest';
import type { Store, Submission } from '../../src/store/store.ts';
import type { Stores } from './store-contract.ts';
import {
  admitted,
  DAY,
  HOUR,
  makeCaller,
  makeKey,
  SECOND,
  START,
  submissionOf,
  tally,
  updateProject,
} from './store-fixtures.ts';

export function countingContract(stores: Stores): void {
  describe('quota', () => {
    it('admits exactly the remaining number of parallel requests on two processes', async () => {
      const caller = await makeCaller(stores.store);
      const requests = Array.from({ length: 120 }, (_, index) =>
        (index % 2 ? stores.store : stores.other).settle(
          submissionOf(caller, { inbox: `inbox-${index}` }, { quotaLimit: 40 }),
          60_000,
        ),
      );
      const settlements = await Promise.all(requests);
      expect(tally(settlements)).toEqual({ admitted: 40, 'quota-exceeded': 80 });
      expect(await stores.other.projects.usage(caller.project.id, '2026-11')).toBe(40);
      const used = settlements.flatMap((one) => (one.result === 'admitted' ? [one.quota.used] : []));
      expect(used.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    });

    it('is increased by a refund, but not beyond what was used', async () => {
      const caller = await makeCaller(stores.store);
      await stores.store.settle(submissionOf(caller));
      await stores.store.refund(caller.project.id, '2026-11');
      await stores.store.refund(caller.project.id, '2026-11');
      expect(await stores.store.projects.usage(caller.project.id, '2026-11')).toBe(0);
      const after = admitted(await stores.store.settle(submissionOf(caller, {}, { quotaLimit: 1 })));
      expect(after.quota).toEqual({ limit: 1, used: 1 });
    });

    it('is taken in advance, exactly as much as is left, beside requests on two processes', async () => {
      const caller = await makeCaller(stores.store);
      const projectId = caller.project.id;
      const take = (index: number) =>
        (index % 2 ? stores.store : stores.other).takeQuota({
          projectId,
          month: '2026-11',
          wanted: 7,
          limit: 100,
        });
      const [taken, settled] = await Promise.all([
        Promise.all(Array.from({ length: 10 }, (_, index) => take(index))),
        Promise.all(
          Array.from({ length: 60 }, (_, index) =>
            (index % 2 ? stores.other : stores.store).settle(
              submissionOf(caller, { inbox: `inbox-${index}` }, { quotaLimit: 100 }),
            ),
          ),
        ),
      ]);
      const granted = taken.reduce((sum, one) => sum + one.granted, 0);
      expect(granted + (tally(settled).admitted ?? 0)).toBe(100);
      expect(await stores.store.projects.usage(projectId, '2026-11')).toBe(100);
      expect(await take(1)).toEqual({ granted: 0, used: 100 });
      // The limit was lowered.
      const low = { projectId, month: '2026-11', wanted: 7, limit: 50 };
      expect(await stores.store.takeQuota(low)).toEqual({ granted: 0, used: 100 });
    });

    it.each([
      ['the end of a leap February', Date.UTC(2028, 1, 29, 23, 59, 59, 999), '2028-02', '2028-03'],
      ['the end of a plain February', Date.UTC(2027, 1, 28, 23, 59, 59, 999), '2027-02', '2027-03'],
      ['the end of the year', Date.UTC(2026, 11, 31, 23, 59, 59, 999), '2026-12', '2027-01'],
    ])('starts again after %s', async (_name, lastInstant, before, after) => {
      const caller = await makeCaller(stores.store);
      const at = (now: number) =>
        stores.store.settle(submissionOf(caller, { now }, { quotaLimit: 1, rateLimit: 100 }));
      expect((await at(lastInstant)).result).toBe('admitted');
      expect((await at(lastInstant)).result).toBe('quota-exceeded');
      expect((await at(lastInstant + 1)).result).toBe('admitted');
      expect((await at(lastInstant + 1)).result).toBe('quota-exceeded');
      expect(await stores.store.projects.usage(caller.project.id, before)).toBe(1);
      expect(await stores.store.projects.usage(caller.project.id, after)).toBe(1);
    });

    it('is not used by a request without a validation, which gets the current numbers', async () => {
      const caller = await makeCaller(stores.store);
      await stores.store.settle(submissionOf(caller));
      const settlement = admitted(
        await stores.store.settle(submissionOf(caller, {}, { validation: null, quotaLimit: 1 })),
      );
      expect(settlement.quota).toEqual({ limit: 1, used: 1 });
      expect(settlement.validated).toBeNull();
    });
  });

  describe('the sliding hour', () => {
    const ask = (
      caller: Awaited<ReturnType<typeof makeCaller>>,
      now: number,
      traits: Partial<Submission> = {},
    ) => stores.store.settle(submissionOf(caller, { now }, { rateLimit: 2, ...traits }));

    it('admits exactly the limit of many parallel requests on two processes', async () => {
      const caller = await makeCaller(stores.store);
      const settlements = await Promise.all(
        Array.from({ length: 120 }, (_, index) =>
          (index % 2 ? stores.store : stores.other).settle(
            submissionOf(caller, {}, { rateLimit: 40 }),
            60_000,
          ),
        ),
      );
      expect(tally(settlements)).toEqual({ admitted: 40, 'rate-limited': 80 });
    });

    it('frees a request when it is an hour old, to the millisecond, and not before', async () => {
      const caller = await makeCaller(stores.store);
      const at = START + 250;
      await ask(caller, at, { rateLimit: 1 });
      expect((await ask(caller, at + 3_599 * SECOND, { rateLimit: 1 })).result).toBe('rate-limited');
      expect((await ask(caller, at + HOUR - 1, { rateLimit: 1 })).result).toBe('rate-limited');
      expect((await ask(caller, at + HOUR, { rateLimit: 1 })).result).toBe('admitted');
      expect((await ask(caller, at + HOUR + 3_601 * SECOND, { rateLimit: 1 })).result).toBe('admitted');
    });

    it('says correctly when one more is admitted and when all is free', async () => {
      const caller = await makeCaller(stores.store);
      const first = await ask(caller, START);
      expect(first).toMatchObject({
        rate: { limit: 2, remaining: 1, retryAfter: 0, resetAt: (START + HOUR) / 1_000 },
      });
      const second = await ask(caller, START + 10 * SECOND);
      expect(second).toMatchObject({
        result: 'admitted',
        rate: { remaining: 0, retryAfter: 3_590, resetAt: (START + HOUR) / 1_000 + 10 },
      });
      const refused = await ask(caller, START + 20 * SECOND);
      expect(refused).toMatchObject({
        result: 'rate-limited',
        rate: { remaining: 0, retryAfter: 3_580, resetAt: (START + HOUR) / 1_000 + 10 },
      });
      expect((await ask(caller, START + (20 + 3_579) * SECOND)).result).toBe('rate-limited');
      expect((await ask(caller, START + (20 + 3_580) * SECOND)).result).toBe('admitted');
    });

    it('is not prolonged by refused requests', async () => {
      const caller = await makeCaller(stores.store);
      for (let second = 0; second < 50; second += 1) await ask(caller, START + second * SECOND);
      expect((await ask(caller, START + HOUR)).result).toBe('admitted');
      expect((await ask(caller, START + HOUR)).result).toBe('rate-limited');
      expect((await ask(caller, START + HOUR + SECOND)).result).toBe('admitted');
    });

    it('respects a lowered limit: enough requests must expire first', async () => {
      const caller = await makeCaller(stores.store);
      for (let second = 0; second < 5; second += 1)
        await ask(caller, START + second * SECOND, { rateLimit: 5 });
      const refused = await ask(caller, START + 10 * SECOND, { rateLimit: 2 });
      expect(refused).toMatchObject({ result: 'rate-limited', rate: { remaining: 0, retryAfter: 3_593 } });
    });

    it('never holds more than the limit in any hour', async () => {
      const caller = await makeCaller(stores.store);
      const admittedAt: number[] = [];
      for (let now = START; now < START + 3 * HOUR; now += 97 * SECOND + 137) {
        if ((await ask(caller, now, { rateLimit: 20, validation: null })).result === 'admitted')
          admittedAt.push(now);
      }
      expect(admittedAt.length).toBeGreaterThan(40);
      for (const start of admittedAt) {
        expect(admittedAt.filter((at) => at >= start && at < start + HOUR).length).toBeLessThanOrEqual(20);
      }
    });

    it('is separate for each key type and for test keys', async () => {
      const caller = await makeCaller(stores.store);
      const others = await Promise.all([
        makeKey(stores.store, caller.project, { type: 'client' }),
        makeKey(stores.store, caller.project, { type: 'server', mode: 'test' }),
        makeKey(stores.store, caller.project, { type: 'client', mode: 'test' }),
      ]);
      for (const key of [caller.key, ...others]) {
        const settle = () => stores.store.settle(submissionOf({ ...caller, key }, {}, { rateLimit: 1 }));
        expect((await settle()).result).toBe('admitted');
        expect((await settle()).result).toBe('rate-limited');
      }
    });

    it('counts a request once if it is submitted twice', async () => {
      const caller = await makeCaller(stores.store);
      await ask(caller, START, { validation: null });
      const second = admitted(await ask(caller, START, { countRate: false }));
      expect(second.rate.remaining).toBe(1);
    });

    it('also counts a request that the quota refuses', async () => {
      const caller = await makeCaller(stores.store);
      const refused = await ask(caller, START, { quotaLimit: 0 });
      expect(refused).toMatchObject({ result: 'quota-exceeded', rate: { remaining: 1 } });
    });

    it('blocks for at most an hour after the clock was set back', async () => {
      const caller = await makeCaller(stores.store);
      await Promise.all([ask(caller, START + 7 * DAY), ask(caller, START + 7 * DAY)]);
      const refused = await ask(caller, START);
      expect(refused).toMatchObject({ result: 'rate-limited', rate: { retryAfter: 3_600 } });
      expect((await ask(caller, START + HOUR)).result).toBe('admitted');
    });

    it('still counts what was counted before the time to which the clock was set back', async () => {
      const caller = await makeCaller(stores.store);
      const counted = async (store: Store, now: number) => {
        const { rate } = admitted(await store.settle(submissionOf(caller, { now })));
        return rate.limit - rate.remaining;
      };
      expect(await counted(stores.store, START)).toBe(1);
      expect(await counted(stores.store, START + 100 * SECOND)).toBe(2);
      expect((await ask(caller, START + 50 * SECOND)).result).toBe('rate-limited');
      // The other process knows only what is stored.
      expect(await counted(stores.other, START + 51 * SECOND)).toBe(3);
      expect(await counted(stores.store, START + HOUR + 10 * SECOND)).toBe(3);
    });

    it('treats a request from a slightly slow clock as simultaneous', async () => {
      const caller = await makeCaller(stores.store);
      await ask(caller, START + 2 * SECOND);
      await ask(caller, START);
      expect((await ask(caller, START + HOUR)).result).toBe('rate-limited');
      expect((await ask(caller, START + HOUR + 2 * SECOND)).result).toBe('admitted');
    });

    it('drops an idle hour immediately when the clock jumps forward', async () => {
      const caller = await makeCaller(stores.store);
      await Promise.all([ask(caller, START), ask(caller, START)]);
      expect(await ask(caller, START + 400 * DAY)).toMatchObject({
        result: 'admitted',
        rate: { remaining: 1 },
      });
    });

    it('admits nothing with a limit of zero', async () => {
      const caller = await makeCaller(stores.store);
      expect(await ask(caller, START, { rateLimit: 0 })).toMatchObject({
        result: 'rate-limited',
        rate: { remaining: 0, resetAt: START / 1_000, retryAfter: 3_600 },
      });
    });
  });

  describe('stale submissions', () => {
    it('count nothing when the key was replaced by another process', async () => {
      const caller = await makeCaller(stores.store);
      await stores.store.settle(submissionOf(caller));
      const key = { ...caller.key, hash: `new-${caller.key.id}`, version: 2 };
      await stores.other.commit(stores.other.keys.secretChange(caller.key, key), []);
      expect(await stores.store.settle(submissionOf(caller))).toEqual({ result: 'stale' });
      expect(await stores.store.findKey(caller.key.hash)).toBeUndefined();
      expect(await stores.store.projects.usage(caller.project.id, '2026-11')).toBe(1);
      const again = admitted(await stores.store.settle(submissionOf({ ...caller, key })));
      expect(again.rate.remaining).toBe(999_998);
    });

    it('are the only result for a revoked key and an archived project', async () => {
      const caller = await makeCaller(stores.store);
      await stores.other.commit([stores.other.keys.revocation(caller.key, START)], []);
      const key = { ...caller.key, revokedAt: START, version: 2 };
      expect(await stores.store.settle(submissionOf({ ...caller, key }))).toEqual({ result: 'stale' });
      const second = await makeCaller(stores.store);
      await stores.store.settle(submissionOf(second));
      const project = await updateProject(stores.other, second.project.id, { archivedAt: START });
      expect(await stores.store.settle(submissionOf({ ...second, project }))).toEqual({ result: 'stale' });
    });

    it('are the result for projects and keys that do not exist', async () => {
      const caller = await makeCaller(stores.store);
      expect(await stores.store.settle(submissionOf(caller, {}, { keyId: 'nobody' }))).toEqual({
        result: 'stale',
      });
      expect(await stores.store.settle(submissionOf(caller, {}, { projectId: 'nowhere' }))).toEqual({
        result: 'stale',
      });
    });

    it('follow every change of a project', async () => {
      const caller = await makeCaller(stores.store);
      const project = await updateProject(stores.other, caller.project.id, { rateServer: 7 });
      expect(project.version).toBe(2);
      expect(await stores.store.settle(submissionOf(caller))).toEqual({ result: 'stale' });
      expect((await stores.store.settle(submissionOf({ ...caller, project }))).result).toBe('admitted');
    });
  });
}
