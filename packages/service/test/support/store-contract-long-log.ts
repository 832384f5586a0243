import { describe, expect, it } from 'vitest';
import { reportOutcomes } from '../../src/operations/outcomes.ts';
import { rowsToReplay } from '../../src/operations/replayed-rows.ts';
import type { LogRow, Store } from '../../src/store/store.ts';
import { logSample } from '../../src/store/tables/log-sample.ts';
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
  type Visit,
} from './store-fixtures.ts';

/** Many at a time, but each person’s validations one after the other. */
async function validateAll(store: Store, caller: Caller, visits: readonly Visit[]): Promise<void> {
  let group: Visit[] = [];
  const validateGroup = async () => {
    const settlements = await Promise.all(group.map((visit) => store.settle(submissionOf(caller, visit))));
    for (const settlement of settlements) admitted(settlement);
    group = [];
  };
  for (const visit of visits) {
    if (group.length === 25 || group.some(({ inbox }) => inbox === visit.inbox)) await validateGroup();
    group.push(visit);
  }
  await validateGroup();
}

const adminOf = (store: Store, now: number) => ({
  store,
  now: () => now,
  randomBytes: (size: number) => Buffer.alloc(size),
  plans: new Map([['free', 1]]),
  actor: 'test',
});

export function longLogContract(stores: Stores): void {
  describe('a log that is too long to read', () => {
    it('has rows that are found by their person, and a first one', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const { id } = caller.project;
      expect(await store.log.oldestAt(id)).toBeNull();
      const inboxes = ['ann', 'bob', 'eve', 'ann'];
      await validateAll(
        store,
        caller,
        inboxes.map((inbox, index) => ({ inbox, now: START + index })),
      );
      const test = { ...caller, key: await makeKey(store, caller.project, { mode: 'test' }) };
      await validateAll(store, test, [{ inbox: 'bob', now: START + 9 }]);
      expect(await store.log.oldestAt(id)).toBe(START);
      const span = { from: START, to: START + 2 };
      expect(await store.log.isLongerThan(id, span, 1)).toBe(true);
      expect(await store.log.isLongerThan(id, span, 2)).toBe(false);
      const rows = await store.log.ofPeople(id, ['ann', 'bob', 'nobody']);
      expect(rows.map(({ inboxHash, at }) => [inboxHash, at - START])).toEqual([
        ['ann', 0],
        ['bob', 1],
        ['ann', 3],
      ]);
      expect(await store.log.ofPeople(id, [])).toEqual([]);
      expect(await store.outcomes.validationsOf(id, ['eve'])).toMatchObject([
        { at: START + 2, inbox: 'eve', recommendation: 'allow', checks: [], signals: [] },
      ]);
    });

    it('is read for many people at once, and only the newest rows of each', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const { id } = caller.project;
      const people = Array.from({ length: 450 }, (_, index) => `person-${index}`);
      await validateAll(
        store,
        caller,
        people.map((inbox, index) => ({ inbox, now: START + index })),
      );
      for (let at = 0; at < 25; at += 1)
        await validateAll(store, caller, [{ inbox: 'person-7', now: START + HOUR + at }]);
      const rows = await store.log.ofPeople(id, people);
      const own = rows.filter(({ inboxHash }) => inboxHash === 'person-7');
      expect(new Set(rows.map(({ inboxHash }) => inboxHash)).size).toBe(450);
      expect(own.map(({ at }) => at - START - HOUR)).toEqual(
        Array.from({ length: 20 }, (_, index) => index + 5),
      );
    });

    it('has known people, those who were seen last first', async () => {
      const { store } = stores;
      const { id } = (await makeCaller(store)).project;
      const said = [
        ['ann', 'bad', 1],
        ['bob', 'good', 3],
        ['eve', 'accepted', 4],
        ['joe', 'bad', 2],
      ] as const;
      await store.outcomes.record(
        id,
        said.map(([inbox, outcome, after]) => ({
          inbox,
          outcome,
          reason: null,
          at: START,
          seenAt: START + after,
        })),
      );
      expect([...(await store.outcomes.latestJudged(id, 2)).keys()]).toEqual(['bob', 'joe']);
      expect((await store.outcomes.latestJudged(id, 10)).size).toBe(3);
      const found = await store.outcomes.findMany(id, ['eve', 'ann', 'nobody']);
      expect([...found].map(([inbox, { judgement }]) => [inbox, judgement]).sort()).toEqual([
        ['ann', 'bad'],
        ['eve', null],
      ]);
    });

    it('gives the report of a short one, with estimates of how many people there are', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const { id } = caller.project;
      const hosted = { failed: ['ip'], signals: ['hosting_ip'] } as const;
      const visits = Array.from({ length: 400 }, (_, index): Visit => {
        // Every tenth person tries a second time and is then blocked.
        const again = index % 11 === 10;
        const person = again ? index - 1 : index;
        const found: Visit = again
          ? { ...hosted, failed: ['ip', 'disposable'] }
          : person % 4 === 0
            ? hosted
            : {};
        return { inbox: `person-${person}`, now: START + index * 60_000, ...found };
      });
      await validateAll(store, caller, visits);
      const people = [...new Set(visits.map(({ inbox = '' }) => inbox))];
      await store.outcomes.record(
        id,
        people
          .filter((_, index) => index % 3 === 0)
          .map((inbox, index) => ({
            inbox,
            outcome: index % 5 === 0 ? ('bad' as const) : ('good' as const),
            reason: null,
            at: START,
            seenAt: visits.findLast((visit) => visit.inbox === inbox)?.now ?? START,
          })),
      );
      const admin = adminOf(store, START + DAY);
      const report = (validations: number, knownPeople = 1_000) =>
        reportOutcomes(admin, id, 30, { validations, sample: 100, knownPeople });
      const exact = await report(1_000);
      expect(exact).toMatchObject({ people: people.length, estimated: false, partial: false });
      expect(exact.known).toBeGreaterThan(100);

      const long = await report(100);
      expect(long).toMatchObject({ estimated: true, partial: false });
      const counted = ({ rows, policy, known, bad, baseRate }: typeof exact) => ({
        rows: rows.map(({ people: _, ...row }) => row),
        policy,
        known,
        bad,
        baseRate,
      });
      expect(counted(long)).toEqual(counted(exact));
      for (const { people: estimate, true: right } of [
        { people: long.people, true: exact.people },
        ...long.rows.map((row, index) => ({ people: row.people, true: exact.rows[index]?.people ?? 0 })),
      ]) {
        expect(estimate).toBeGreaterThan(right * 0.9);
        expect(estimate).toBeLessThan(right * 1.1);
      }
      expect(await report(100, 20)).toMatchObject({ partial: true, known: 20 });
      // The last hours alone are short again.
      expect(await reportOutcomes(adminOf(store, START + DAY + 5 * HOUR), id, 1)).toMatchObject({
        estimated: false,
      });
    });

    it('is replayed as a sample of single rows, with more of the rare answers', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const { id } = caller.project;
      // A busy hour among quiet ones, and every tenth flagged.
      const visits = Array.from({ length: 900 }, (_, index): Visit => {
        const hour = index < 600 ? 5 : index % 10;
        return {
          inbox: `person-${index}`,
          now: START + hour * HOUR + ((index * 5_000) % HOUR),
          answer: index % 10 === 3 ? 'flag' : 'allow',
        };
      });
      await validateAll(store, caller, visits);
      const span = { projectId: id, from: START, to: START + DAY };
      const read = async (maxRows?: number, maxWhole?: number) => {
        const { portions, sampled, totalOf } = await rowsToReplay(store, span, maxRows, maxWhole);
        const rows: LogRow[] = [];
        for await (const portion of portions) rows.push(...portion);
        const counts = { allow: 0, flag: 0, block: 0 };
        for (const { recommendation } of rows) counts[recommendation] += 1;
        return { rows, sampled, counts, total: totalOf(counts) };
      };
      const all = await read();
      expect([all.rows.length, all.sampled, all.total]).toEqual([
        900,
        false,
        { allow: 810, flag: 90, block: 0 },
      ]);
      const { rows, sampled, counts, total } = await read(400);
      expect([sampled, total, counts.flag]).toEqual([true, { allow: 810, flag: 90, block: 0 }, 90]);
      expect(counts.allow).toBeGreaterThan(250);
      expect(counts.allow).toBeLessThan(420);
      expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
      expect(rows.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).sort((one, other) => other - one));
      const busy = rows.filter(({ at }) => Math.floor((at - START) / HOUR) === 5).length / rows.length;
      expect(busy).toBeGreaterThan(0.55);
      expect(busy).toBeLessThan(0.85);
      expect(Math.min(...rows.map(({ at }) => at))).toBeLessThan(START + 2 * HOUR);

      // Of a very long log, few rows are looked at, which are chosen by their IDs. Here a tenth is: 90 rows.
      const few = await read(400, 0);
      expect([few.sampled, few.total]).toEqual([true, { allow: 810, flag: 90, block: 0 }]);
      const shares = { allow: 0.1, flag: 0.1, block: 0.1 };
      const { ids = '' } = logSample(shares);
      const endings = new Set([...ids.matchAll(/'(\w+)'/g)].map(([, ending]) => ending));
      const wanted = all.rows.filter((row) => endings.has(row.id.slice(6, 9)));
      expect(wanted.length).toBeGreaterThan(60);
      expect(few.rows.map((row) => row.id)).toEqual(wanted.map((row) => row.id));
    });
  });
}
