import type { Recommendation } from '@postern/contract';
import type { Estimate, TimeMachineReport } from '@postern/contract/dashboard';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { timeMachineRoutes } from '../src/operations/time-machine.ts';
import type { Store } from '../src/store/store.ts';
import { checksWith } from './support/check-input.ts';
import { sqliteDatabase } from './support/sqlite-database.ts';
import {
  admitted,
  DAY,
  makeCaller,
  START,
  submissionOf,
  type TestDatabase,
} from './support/store-fixtures.ts';

/** More than are replayed. Both stores choose rows in the same SQL, which their contract tests. */
const VALIDATIONS = 50_000;
const AT_ONCE = 500;
const ROLE = '{"roleEmail":["A role",0.01]}';
const DISPOSABLE = '{"disposable":["A throwaway",0.01]}';
const ORDINARY = '{"roleEmail":[1,0.01]}';

interface Planned {
  /** The answer in the log. */
  readonly answer: Recommendation;
  readonly checksJson: string;
  /** The answer that today’s policy gives: throwaway domains are blocked, roles are flagged. */
  readonly today: Recommendation;
  /** The answer under the policy that is tried: roles are blocked, throwaway domains are flagged. */
  readonly after: Recommendation;
}

/** As logs are: most people pass, attacks come in clumps, a script repeats itself, and the policy was another one. */
function planned(index: number): Planned {
  const attack = Math.floor(index / 700) % 9 === 4;
  if (attack && index % 3 !== 0)
    return { answer: 'block', checksJson: DISPOSABLE, today: 'block', after: 'flag' };
  if (index % 40 === 7) return { answer: 'flag', checksJson: ROLE, today: 'flag', after: 'block' };
  if (index % 250 === 9) return { answer: 'block', checksJson: ORDINARY, today: 'allow', after: 'allow' };
  if (index % 24 === 5) return { answer: 'allow', checksJson: ROLE, today: 'flag', after: 'block' };
  return { answer: 'allow', checksJson: ORDINARY, today: 'allow', after: 'allow' };
}

describe('the time machine with a long log', () => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await sqliteDatabase();
    store = await database.open();
  });
  afterAll(async () => {
    await store?.close();
    await database?.remove();
  });

  it('estimates each figure within its range, and replays the known people besides', async () => {
    const caller = await makeCaller(store);
    const { id } = caller.project;
    const truth = new Map<string, number>();
    const settle = async (index: number) => {
      const { answer, checksJson, today, after } = planned(index);
      for (const what of [`${today} ${after}`, `logged ${answer}, today ${today}`])
        truth.set(what, (truth.get(what) ?? 0) + 1);
      const log = { answer, checksJson };
      const visit = { inbox: `person-${index}`, now: START + index * 2_000, log };
      admitted(await store.settle(submissionOf(caller, visit)));
    };
    for (let at = 0; at < VALIDATIONS; at += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => settle(at + index)));
    const known = Array.from({ length: 50 }, (_, index) => {
      const person = index * 24 * 19 + 5;
      const seenAt = START + person * 2_000;
      const outcome = index < 20 ? ('bad' as const) : ('good' as const);
      return { inbox: `person-${person}`, outcome, reason: null, at: seenAt, seenAt };
    });
    await store.outcomes.record(id, known);

    const report = await travel(id);
    const of = (what: string) => truth.get(what) ?? 0;
    expect([report.sampledFrom, report.knownPartial]).toEqual([VALIDATIONS, false]);
    expect(report.considered).toBeGreaterThanOrEqual(20_000);
    expect(report.considered).toBeLessThan(23_000);
    expectNear(report.before.allow, of('allow allow'));
    expectNear(report.before.flag, of('flag block'));
    // Rare answers are read as a whole, so what becomes of them is exact.
    expect(report.before.block.count).toBe(of('block flag'));
    expect(report.after.flag.count).toBe(of('block flag'));
    expect(report.noLongerBlocked.count).toBe(of('block flag'));
    expectNear(report.after.allow, of('allow allow'));
    expectNear(report.after.block, of('flag block'));
    expectNear(report.newlyBlocked, of('flag block'));
    expect(report.changes.map(({ from, to }) => `${from} ${to}`).sort()).toEqual([
      'block flag',
      'flag block',
    ]);
    expectNear(report.otherThen, of('logged allow, today flag') + of('logged block, today allow'));
    expect(report.from).toBeLessThan(START + DAY / 8);

    const roles = known.filter((_, index) => planned(index * 24 * 19 + 5).after === 'block');
    const blocked = (outcome: string) => roles.filter((person) => person.outcome === outcome).length;
    expect(roles.length).toBeGreaterThan(10);
    expect(report.outcomes.after).toMatchObject({
      bad: 20,
      badBlocked: blocked('bad'),
      good: 30,
      goodBlocked: blocked('good'),
    });
  }, 400_000);

  const travel = async (id: string): Promise<TimeMachineReport> => {
    const { 'POST /projects/:id/time-machine': route } = timeMachineRoutes({ checks: checksWith({}) });
    const call = {
      longReads: <T>(work: () => Promise<T>) => work(),
      admin: { store, now: () => START + 2 * DAY, plans: new Map([['free', 1]]), actor: 'test' },
      params: { id },
      body: { days: 30, policy: { actions: { roleEmail: 'block', disposable: 'flag' } } },
    } as unknown as Parameters<typeof route>[0];
    return (await route(call)).body;
  };
});

/** Twice the range of 95%: four standard errors. */
function expectNear({ count, low, high }: Estimate, truth: number): void {
  expect(low).toBeLessThan(high);
  expect(truth).toBeGreaterThanOrEqual(count - 2 * (count - low));
  expect(truth).toBeLessThanOrEqual(count + 2 * (high - count));
  // And the range is narrow: a few percent.
  expect(high - low).toBeLessThan(count / 5);
}
