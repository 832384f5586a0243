import { describe, expect, it } from 'vitest';
import type { Traits } from '../../src/store/submission.ts';
import type { Stores } from './store-contract.ts';
import {
  admitted,
  type Caller,
  DAY,
  makeCaller,
  makeKey,
  START,
  submissionOf,
  type Visit,
} from './store-fixtures.ts';

const AT_FARM: Partial<Traits> = { domain: 'farm', mail: 'own', mailHost: 'server', sharesNetwork: false };

/** All are different people: the beginnings of names are compared. */
const visit = (index: number, more: Partial<Visit> = {}): Visit => ({
  inbox: `${index}`.padStart(8, '0'),
  network: `${index}`.padStart(6, '0'),
  traits: AT_FARM,
  now: START,
  ...more,
});

export function crowdsContract(stores: Stores): void {
  const crowds = async (caller: Caller, one: Visit) =>
    admitted(await stores.store.settle(submissionOf(caller, one))).validated?.history.crowds;
  const rows = async (caller: Caller) => {
    const found: unknown[] = [];
    for await (const { table, row } of stores.other.dump({ project: caller.project.id }))
      if (table === 'crowd') found.push(row);
    return JSON.stringify(found);
  };

  describe('crowds', () => {
    it('count each other in order when their requests arrive together, over two processes', async () => {
      const caller = await makeCaller(stores.store);
      const seen = await Promise.all(
        Array.from({ length: 30 }, async (_, index) => {
          const store = index % 2 ? stores.store : stores.other;
          const settled = admitted(await store.settle(submissionOf(caller, visit(index))));
          return settled.validated?.history.crowds?.domain?.counts[3] ?? 0;
        }),
      );
      expect(seen.sort((one, other) => one - other)).toEqual(Array.from({ length: 30 }, (_, index) => index));
    });

    it('have people of the hour, day, week and month, and the domains of a mail host', async () => {
      const caller = await makeCaller(stores.store);
      const before = [40 * DAY, 20 * DAY, 5 * DAY, DAY / 2, 60_000];
      for (const [index, ms] of before.entries())
        await crowds(
          caller,
          visit(index, {
            now: START - ms,
            device: 'shared',
            network: 'office',
            traits: { ...AT_FARM, domain: index < 3 ? 'farm' : 'yard' },
          }),
        );
      const found = await crowds(caller, visit(9, { device: 'shared', network: 'office' }));
      expect(found?.domain?.counts).toEqual([0, 0, 1, 2]);
      expect(found?.mailHost).toMatchObject({ counts: [1, 2, 3, 4], domains: 2 });
      expect(found?.network?.counts).toEqual([1, 2, 3, 4]);
      expect(found?.device?.counts).toEqual([1, 2, 3, 4]);
    });

    it('have nobody who was blocked, comes again or has a test key, and at most 200 people', async () => {
      const caller = await makeCaller(stores.store);
      const test = await makeKey(stores.store, caller.project, { mode: 'test' });
      await crowds(caller, visit(1, { answer: 'block' }));
      await crowds({ ...caller, key: test }, visit(2));
      expect(await crowds(caller, visit(3))).toBeUndefined();
      await crowds(caller, visit(3, { network: 'another' }));
      expect((await crowds(caller, visit(1)))?.domain?.counts).toEqual([1, 1, 1, 1]);
      for (let index = 10; index < 230; index += 1)
        await crowds(caller, visit(index, { now: START + index * 60_000 }));
      const after = await crowds(caller, visit(900, { now: START + 240 * 60_000 }));
      expect(after?.domain?.counts[3]).toBe(200);
    });

    it('are forgotten with the project’s retention, and by the sweep after 30 days', async () => {
      const short = await makeCaller(stores.store, { project: { retentionDays: 2 } });
      await crowds(short, visit(1));
      expect(await crowds(short, visit(2, { now: START + 3 * DAY }))).toBeUndefined();
      const caller = await makeCaller(stores.store);
      await crowds(caller, visit(1));
      await crowds(caller, visit(2, { now: START + 20 * DAY }));
      const limits = {
        ...{ maxRows: 1_000, logMaxRows: 1_000_000 },
        ...{ logRetentionMs: 365 * DAY, outcomeRetentionMs: 365 * DAY },
      };
      const sweep = async (now: number) => {
        while ((await stores.store.sweep(now, limits)) > 0);
      };
      await sweep(START + 33 * DAY);
      expect(await rows(caller)).not.toContain(visit(1).inbox);
      expect(await rows(caller)).toContain(visit(2).inbox);
      await sweep(START + 60 * DAY);
      expect(await rows(caller)).toBe('[]');
    });

    it('know nothing of a person who was erased', async () => {
      const caller = await makeCaller(stores.store);
      for (const index of [1, 2, 3]) await crowds(caller, visit(index, { device: 'shared' }));
      const { inbox = '' } = visit(2);
      await stores.other.erasure.erase(caller.project.id, { inboxes: [inbox], devices: [] }, false);
      expect(await rows(caller)).not.toContain(inbox);
      const found = await crowds(caller, visit(4, { device: 'shared' }));
      expect([found?.domain?.counts[3], found?.mailHost?.counts[3], found?.device?.counts[3]]).toEqual([
        2, 2, 2,
      ]);
    });

    it('accuse until two people turned out good, and again once one is bad', async () => {
      const caller = await makeCaller(stores.store);
      const forwarded = { ...AT_FARM, mail: 'forwarder', mailHost: null } as const;
      for (let index = 0; index < 40; index += 1)
        await crowds(caller, visit(500 + index, { traits: {}, now: START - 5 * DAY + index }));
      for (let index = 0; index < 6; index += 1) await crowds(caller, visit(index, { traits: forwarded }));
      const ask = async (index: number) => {
        const { validated } = admitted(
          await stores.store.settle(submissionOf(caller, visit(index, { traits: forwarded }))),
        );
        return [
          validated?.history.crowds?.domain?.reason?.rule,
          validated?.history.crowds?.domain?.reason?.learning,
        ];
      };
      expect(await ask(20)).toEqual(['rented-domain', undefined]);
      const report = (index: number, outcome: 'good' | 'bad') =>
        stores.other.outcomes.record(caller.project.id, [
          { inbox: visit(index).inbox ?? '', outcome, reason: null, at: START + 1, seenAt: START },
        ]);
      await report(0, 'good');
      await report(1, 'good');
      expect(await ask(21)).toEqual([undefined, undefined]);
      await report(2, 'bad');
      expect(await ask(22)).toEqual(['rented-domain', undefined]);
    });
  });
}
