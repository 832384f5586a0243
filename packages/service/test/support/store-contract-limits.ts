import { describe, expect, it } from 'vitest';
import type { Store, Submission } from '../../src/store/store.ts';
import type { AnswerClaim } from '../../src/store/tables/answer-table.ts';
import type { Stores } from './store-contract.ts';
import { admitted, type Caller, HOUR, makeCaller, makeKey, START, submissionOf } from './store-fixtures.ts';

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
  const claimOf = (traits: Partial<AnswerClaim> = {}): AnswerClaim => ({
    keyHash: 'k',
    requestHash: 'r',
    token: 't1',
    now: START,
    ...traits,
  });
  const later = (ms: number, token = 't2') => claimOf({ now: START + ms, token });
  /** Claims it for the first time, and gives the claim back. */
  const claimed = async (store: Store, projectId: string, claim: AnswerClaim) => {
    const result = await store.answers.claim(projectId, claim);
    if (result.state !== 'claimed') throw new Error(`The request is ${result.state}`);
    expect(result.counted).toBe(false);
    return result.claim;
  };

  describe('an idempotent request', () => {
    it('is claimed by exactly one of many callers, on two processes', async () => {
      const { project } = await makeCaller(stores.store);
      const results = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          (index % 2 ? stores.store : stores.other).answers.claim(
            project.id,
            claimOf({ token: `t${index}` }),
          ),
        ),
      );
      const states = results.map(({ state }) => state);
      expect(states.filter((state) => state === 'claimed')).toHaveLength(1);
      expect(states.filter((state) => state === 'under-way')).toHaveLength(39);
    });

    it('gets the first answer for 24 hours, on every process', async () => {
      const { project } = await makeCaller(stores.store);
      const claim = await claimed(stores.store, project.id, claimOf());
      await stores.store.answers.keep(project.id, claim, 'sealed');
      const answered = { state: 'answered', answer: 'sealed' };
      expect(await stores.other.answers.claim(project.id, later(1))).toEqual(answered);
      expect(await stores.other.answers.claim(project.id, later(24 * HOUR - 1))).toEqual(answered);
      await claimed(stores.other, project.id, later(24 * HOUR));
    });

    it('with another body is refused, whether the first is answered or in progress', async () => {
      const { project } = await makeCaller(stores.store);
      const claim = await claimed(stores.store, project.id, claimOf());
      const other = claimOf({ requestHash: 'other', token: 't2' });
      expect(await stores.other.answers.claim(project.id, other)).toEqual({ state: 'other-request' });
      await stores.store.answers.keep(project.id, claim, 'sealed');
      expect(await stores.other.answers.claim(project.id, other)).toEqual({ state: 'other-request' });
    });

    it('can be claimed again ten seconds after a process crashed, and the crashed one’s answer is not kept', async () => {
      const { project } = await makeCaller(stores.store);
      const dead = await claimed(stores.store, project.id, claimOf());
      expect(await stores.other.answers.claim(project.id, later(9_001))).toEqual({
        state: 'under-way',
        retryAfter: 1,
      });
      const next = await claimed(stores.other, project.id, later(10_000));
      await stores.store.answers.keep(project.id, dead, 'too late');
      await stores.other.answers.keep(project.id, next, 'in time');
      expect(await stores.store.answers.claim(project.id, later(10_001, 't3'))).toEqual({
        state: 'answered',
        answer: 'in time',
      });
    });

    it('that was counted by a process that died is not to be counted again', async () => {
      const caller = await makeCaller(stores.store);
      const { id } = caller.project;
      const dead = await claimed(stores.store, id, claimOf());
      await stores.store.settle({ ...submissionOf(caller, { now: START }), claim: dead });
      expect((await stores.other.log.find(id, dead.logId))?.history).toBeDefined();

      const next = await stores.other.answers.claim(id, later(10_000));
      expect(next).toMatchObject({ state: 'claimed', claim: { logId: dead.logId }, counted: true });
      // Only one process may answer it, and if that one dies too, the next knows as much.
      expect(await stores.store.answers.claim(id, later(10_001, 't3'))).toMatchObject({ state: 'under-way' });
      expect(await stores.store.answers.claim(id, later(20_001, 't4'))).toMatchObject({
        state: 'claimed',
        claim: { logId: dead.logId },
        counted: true,
      });
      // The same key with another body was never counted.
      const other = claimOf({ requestHash: 'other', token: 't5', now: START + 40_000 });
      expect((await claimed(stores.store, id, other)).logId).not.toBe(dead.logId);
    });

    it('that was counted cannot be claimed immediately when it is released, unless its claim is dropped', async () => {
      const caller = await makeCaller(stores.store);
      const { id } = caller.project;
      const first = await claimed(stores.store, id, claimOf());
      await stores.store.settle({ ...submissionOf(caller, { now: START }), claim: first });
      await stores.store.answers.release(id, first);
      expect(await stores.other.answers.claim(id, later(1))).toMatchObject({ state: 'under-way' });
      // The process that takes it over may fail too, for example with a 503.
      const second = await stores.other.answers.claim(id, later(10_000));
      if (second.state !== 'claimed') throw new Error(`The request is ${second.state}`);
      await stores.other.answers.release(id, second.claim);
      const third = await stores.store.answers.claim(id, later(20_000, 't3'));
      expect(third).toMatchObject({ state: 'claimed', claim: { logId: first.logId }, counted: true });
      if (third.state === 'claimed') await stores.store.answers.drop(id, third.claim);
      expect((await claimed(stores.other, id, later(20_001, 't4'))).logId).not.toBe(first.logId);
    });

    it('that was released can be claimed immediately', async () => {
      const { project } = await makeCaller(stores.store);
      const claim = await claimed(stores.store, project.id, claimOf());
      await stores.store.answers.release(project.id, claim);
      await claimed(stores.store, project.id, later(1));
    });

    it('is separate for each project', async () => {
      const [one, other] = [await makeCaller(stores.store), await makeCaller(stores.store)];
      await claimed(stores.store, one.project.id, claimOf());
      await claimed(stores.store, other.project.id, claimOf());
    });

    it('is removed by the sweep after 24 hours', async () => {
      const database = await stores.fresh();
      const store = await database.open();
      const { project } = await makeCaller(store);
      const claim = await claimed(store, project.id, claimOf());
      await store.answers.keep(project.id, claim, 'sealed');
      expect(await store.sweep(START + 24 * HOUR, SWEEP)).toBe(0);
      expect(await store.sweep(START + 24 * HOUR + 1, SWEEP)).toBe(1);
      await store.close();
      await database.remove();
    });
  });
}
