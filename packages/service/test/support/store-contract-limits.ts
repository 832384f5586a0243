import { describe, expect, it } from 'vitest';
import type { Store, Submission } from '../../src/store/store.ts';
import type { Stores } from './store-contract.ts';
import {
  admitted,
  type Caller,
  HOUR,
  makeCaller,
  makeKey,
  START,
  submissionOf,
  tally,
} from './store-fixtures.ts';

const SWEEP = {
  maxRows: 500,
  logRetentionMs: 400 * 24 * HOUR,
  outcomeRetentionMs: 180 * 86_400_000,
  logMaxRows: 1_000_000,
};

/** The limits against strangers who use a public client key, and the answers to repeated requests. */
export function limitsContract(stores: Stores): void {
  const ask = (caller: Caller, visitor: string | null, now = START, traits: Partial<Submission> = {}) =>
    stores.store.settle(
      submissionOf(caller, { now }, { visitors: visitor ? [{ hash: visitor, limit: 2 }] : [], ...traits }),
    );

  describe('a visitor’s own hour', () => {
    it('admits exactly the limit of parallel requests on two processes', async () => {
      const caller = await makeCaller(stores.store, { type: 'client' });
      const settlements = await Promise.all(
        Array.from({ length: 120 }, (_, index) =>
          (index % 2 ? stores.store : stores.other).settle(
            submissionOf(caller, {}, { visitors: [{ hash: `v${index % 3}`, limit: 7 }], rateLimit: 1_000 }),
            60_000,
          ),
        ),
      );
      const results = settlements.map((one) => (one.result === 'rate-limited' ? one.by : one.result));
      expect(results.filter((result) => result === 'admitted')).toHaveLength(21);
      expect(results.filter((result) => result === 'visitor')).toHaveLength(99);
      const { rate } = admitted(await ask(caller, null, START, { rateLimit: 1_000 }));
      expect(rate.remaining).toBe(1_000 - 22);
    });

    it('is reported with its own limit, and does not count against the project', async () => {
      const caller = await makeCaller(stores.store, { type: 'client' });
      await ask(caller, 'v', START, { rateLimit: 10 });
      await ask(caller, 'v', START + 10_000, { rateLimit: 10 });
      expect(await ask(caller, 'v', START + 20_000, { rateLimit: 10 })).toMatchObject({
        result: 'rate-limited',
        by: 'visitor',
        rate: { limit: 2, remaining: 0, retryAfter: 3_580, resetAt: (START + HOUR) / 1_000 + 10 },
        quota: { used: 2 },
      });
      expect(await ask(caller, 'other', START + 20_000, { rateLimit: 10 })).toMatchObject({
        result: 'admitted',
        rate: { limit: 10, remaining: 7 },
      });
    });

    it('is not prolonged by refused requests, and frees one after an hour', async () => {
      const caller = await makeCaller(stores.store, { type: 'client' });
      await ask(caller, 'v');
      await ask(caller, 'v');
      for (let minute = 1; minute < 60; minute += 10) await ask(caller, 'v', START + minute * 60_000);
      expect((await ask(caller, 'v', START + HOUR - 1)).result).toBe('rate-limited');
      expect((await ask(caller, 'v', START + HOUR)).result).toBe('admitted');
    });

    it('does not count requests that the project’s limit refused', async () => {
      const caller = await makeCaller(stores.store, { type: 'client' });
      await ask(caller, 'v', START, { rateLimit: 1 });
      expect(await ask(caller, 'v', START, { rateLimit: 1 })).toMatchObject({ by: 'project' });
      expect((await ask(caller, 'v', START, { rateLimit: 5 })).result).toBe('admitted');
      expect(await ask(caller, 'v', START, { rateLimit: 5 })).toMatchObject({ by: 'visitor' });
    });

    it('counts in each of the visitor’s networks, and the first full one refuses', async () => {
      const caller = await makeCaller(stores.store, { type: 'client' });
      const from = (...networks: string[]) => {
        const visitors = networks.map((hash, size) => ({ hash, limit: 2 * 2 ** size }));
        return ask(caller, null, START, { visitors, rateLimit: 100 });
      };
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) => from(`line${index % 10}`, `subnet${index % 5}`, 'site')),
      );
      expect(answers.filter(({ result }) => result === 'admitted')).toHaveLength(8);
      const refused = { by: 'visitor', rate: { remaining: 0 } };
      expect(await from('a', 'b', 'site')).toMatchObject({ ...refused, rate: { limit: 8 } });
      for (const line of ['c', 'c', 'd', 'd']) await from(line, 'other subnet', 'other site');
      expect(await from('e', 'other subnet', 'other site')).toMatchObject({ ...refused, rate: { limit: 4 } });
      expect(await from('c', 'third subnet', 'other site')).toMatchObject({ ...refused, rate: { limit: 2 } });
      // What was refused counts nowhere: neither against the project nor in the networks that had room.
      expect(admitted(await from('f', 'third subnet', 'other site')).rate.remaining).toBe(100 - 8 - 4 - 1);
    });

    it('is separate for each project and mode', async () => {
      const caller = await makeCaller(stores.store, { type: 'client' });
      const test = {
        ...caller,
        key: await makeKey(stores.store, caller.project, { type: 'client', mode: 'test' }),
      };
      const elsewhere = await makeCaller(stores.store, { type: 'client' });
      for (const one of [caller, test, elsewhere]) {
        await ask(one, 'v');
        await ask(one, 'v');
        expect(await ask(one, 'v')).toMatchObject({ by: 'visitor' });
      }
    });

    it('is deleted by the sweep an hour after the last request, and not before', async () => {
      const database = await stores.fresh();
      const store = await database.open();
      const caller = await makeCaller(store, { type: 'client' });
      const visit = (visitor: string, now: number) =>
        store.settle(submissionOf(caller, { now }, { visitors: [{ hash: visitor, limit: 2 }] }));
      for (let index = 0; index < 600; index += 1) await visit(`old${index}`, START);
      await visit('young', START + HOUR);
      await visit('young', START + HOUR);
      while ((await store.sweep(START + HOUR + 1, SWEEP)) > 0);
      expect((await visit('young', START + HOUR + 2)).result).toBe('rate-limited');
      expect((await visit('old0', START + HOUR + 2)).result).toBe('admitted');
      await store.close();
      await database.remove();
    });
  });

  describe('a batch of requests with different quota limits', () => {
    it('uses the right limit for each', async () => {
      const caller = await makeCaller(stores.store);
      const client = { ...caller, key: await makeKey(stores.store, caller.project, { type: 'client' }) };
      const settlements = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          (index % 3 ? stores.store : stores.other).settle(
            index % 2
              ? submissionOf(client, {}, { quotaLimit: 20 })
              : submissionOf(caller, {}, { quotaLimit: 30 }),
          ),
        ),
      );
      expect(settlements.filter(({ result }) => result === 'admitted')).toHaveLength(30);
      expect(await stores.store.settle(submissionOf(client, {}, { quotaLimit: 20 }))).toMatchObject({
        result: 'quota-exceeded',
      });
    });
  });

  answersContract(stores);
}

function answersContract(stores: Stores): void {
  const requestOf = (caller: Caller, now = START, keyHash = 'k') =>
    submissionOf(caller, { now, record: { idempotency: { keyHash, requestHash: 'r' } } });
  const logIdOf = async (store: Store, caller: Caller, now = START, keyHash = 'k') =>
    admitted(await store.settle(requestOf(caller, now, keyHash))).validated?.logId ?? '';

  describe('an idempotent request', () => {
    it('is counted once, whoever sends it how often, on two processes', async () => {
      const caller = await makeCaller(stores.store);
      const settlements = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          (index % 2 ? stores.store : stores.other).settle(requestOf(caller)),
        ),
      );
      expect(tally(settlements)).toEqual({ admitted: 1, repeated: 39 });
      expect(await stores.store.settle(requestOf(caller))).toMatchObject({
        result: 'repeated',
        rate: { remaining: 999_999 },
        quota: { used: 1 },
      });
      expect((await stores.store.log.page(caller.project.id, {}, 10, null)).rows).toHaveLength(1);
    });

    it('has its first answer for 24 hours, on every process, and is then a new one', async () => {
      const caller = await makeCaller(stores.store);
      const { id } = caller.project;
      const logId = await logIdOf(stores.store, caller);
      const counted = { requestHash: 'r', logRow: logId, createdAt: START };
      expect(await stores.other.answers.find(id, 'k', START)).toMatchObject({ ...counted, answer: null });
      await stores.store.answers.keep(id, 'k', logId, 'sealed');
      const last = START + 24 * HOUR - 1;
      expect(await stores.other.answers.find(id, 'k', last)).toMatchObject({ ...counted, answer: 'sealed' });
      expect((await stores.store.settle(requestOf(caller, last))).result).toBe('repeated');
      expect(await stores.other.answers.find(id, 'k', last + 1)).toBeUndefined();
      const next = await logIdOf(stores.other, caller, last + 1);
      expect(await stores.store.answers.find(id, 'k', last + 1)).toMatchObject({
        logRow: next,
        answer: null,
      });
      // What an earlier process still had to say comes too late.
      await stores.store.answers.keep(id, 'k', logId, 'too late');
      expect(await stores.store.answers.find(id, 'k', last + 1)).toMatchObject({ answer: null });
    });

    it('that a limit refused or that was dropped is counted when it is repeated', async () => {
      const caller = await makeCaller(stores.store);
      const { id } = caller.project;
      expect((await stores.store.settle({ ...requestOf(caller), quotaLimit: 0 })).result).toBe(
        'quota-exceeded',
      );
      const logId = await logIdOf(stores.store, caller);
      await stores.store.answers.drop(id, 'k', 'another');
      expect((await stores.store.settle(requestOf(caller))).result).toBe('repeated');
      await stores.store.answers.drop(id, 'k', logId);
      expect((await stores.store.settle(requestOf(caller))).result).toBe('admitted');
    });

    it('is separate for each project and key', async () => {
      const [one, other] = [await makeCaller(stores.store), await makeCaller(stores.store)];
      await logIdOf(stores.store, one);
      await logIdOf(stores.store, one, START, 'another');
      await logIdOf(stores.store, other);
    });

    it('is removed by the sweep after 24 hours', async () => {
      const database = await stores.fresh();
      const store = await database.open();
      const caller = await makeCaller(store);
      const { id } = caller.project;
      await logIdOf(store, caller);
      while ((await store.sweep(START + 24 * HOUR, SWEEP)) > 0);
      expect(await store.answers.find(id, 'k', START)).toBeDefined();
      while ((await store.sweep(START + 24 * HOUR + 1, SWEEP)) > 0);
      expect(await store.answers.find(id, 'k', START)).toBeUndefined();
      await store.close();
      await database.remove();
    });
  });
}
