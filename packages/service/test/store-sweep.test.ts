import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store, SweepLimits } from '../src/store/store.ts';
import { copyLog, type OpenDatabase, openDatabase } from './support/copied-log.ts';
import { BACK_ENDS } from './support/service-on.ts';
import { admitted, type Caller, DAY, makeCaller, START, submissionOf } from './support/store-fixtures.ts';

const OLD = START - 200 * DAY;
const LIMITS: SweepLimits = {
  maxRows: 100,
  logRetentionMs: 30 * DAY,
  outcomeRetentionMs: 180 * 86_400_000,
  logMaxRows: 1_000_000,
};

describe.each(BACK_ENDS)('the sweep on %s', (backEnd) => {
  let database: OpenDatabase;
  let store: Store;
  let other: Store;
  beforeAll(async () => {
    database = await openDatabase(backEnd);
    [store, other] = await Promise.all([database.open(), database.open()]);
  });
  afterAll(async () => {
    await Promise.all([store?.close(), other?.close()]);
    await database?.remove();
  });

  async function visit(caller: Caller, count: number, now: number, from = 0): Promise<void> {
    const names = Array.from({ length: count }, (_, index) => `${now}-${from + index}`);
    const visits = names.map((name) => ({ now, inbox: `i${name}`, device: `d${name}`, network: `n${name}` }));
    for (const settlement of await Promise.all(visits.map((one) => store.settle(submissionOf(caller, one)))))
      admitted(settlement);
  }

  /** Sweeps until nothing is left or `enough` returns true. Returns what each call removed. */
  async function sweep(by: Store, limits: SweepLimits, enough = async () => false): Promise<number[]> {
    const removed: number[] = [];
    while (!(await enough())) {
      const count = await by.sweep(START, limits);
      if (count === 0) break;
      removed.push(count);
    }
    return removed;
  }

  async function logged({ project }: Caller): Promise<number> {
    return (await store.log.page(project.id, {}, 5_000, null)).rows.length;
  }

  it('works in small steps, so that no project waits for the end of another’s backlog', async () => {
    const busy = await makeCaller(store);
    for (let part = 0; part < 5; part += 1) await visit(busy, 200, OLD, part * 200);
    const small: Caller[] = [];
    for (let number = 0; number < 30; number += 1) small.push(await makeCaller(store));
    await Promise.all(small.map((caller) => visit(caller, 3, OLD)));
    const smallLeft = async () =>
      (await Promise.all(small.map(logged))).reduce((sum, count) => sum + count, 0);

    const first = await sweep(store, LIMITS, async () => (await smallLeft()) === 0);
    expect(await logged(busy)).toBeGreaterThan(500);
    expect(Math.max(...first)).toBeLessThanOrEqual(LIMITS.maxRows);
    const rest = await sweep(store, LIMITS);
    expect(Math.max(...rest)).toBeLessThanOrEqual(LIMITS.maxRows);
    expect(await logged(busy)).toBe(0);
    // Log, device with its sighting and network, inbox: everything from 1,090 visits.
    const all = [...first, ...rest].reduce((sum, count) => sum + count, 0);
    expect(all).toBeGreaterThanOrEqual(1_090 * 4);
    expect(await store.memory.sightingsOfDevice(busy.project.id, `d${OLD}-7`, 10)).toEqual([]);
    expect(await store.sweep(START, LIMITS)).toBe(0);
  });

  it('keeps counts exact while two processes sweep and requests run', async () => {
    const caller = await makeCaller(store);
    for (let part = 0; part < 4; part += 1) await visit(caller, 200, OLD, part * 200);
    let sweeping = true;
    const requests = (async () => {
      let sent = 0;
      // Not without end: a slow sweep would have to read past all of them again and again.
      for (; (sweeping && sent < 1_000) || sent === 0; sent += 10) await visit(caller, 10, START, sent);
      return sent;
    })();
    await Promise.all([sweep(store, LIMITS), sweep(other, LIMITS)]);
    sweeping = false;
    const sent = await requests;
    expect(await logged(caller)).toBe(sent);
    expect(await store.memory.sightingsOfDevice(caller.project.id, `d${START}-0`, 10)).toHaveLength(1);
    // If the total were wrong, a deletion that uses it would leave too many or too few rows.
    await Promise.all([store, other].map((by) => sweep(by, { ...LIMITS, logMaxRows: 5 })));
    expect(await logged(caller)).toBe(5);
    const probe = submissionOf(caller, { now: START, inbox: 'probe', device: `d${START}-1`, network: 'n' });
    expect(admitted(await store.settle(probe)).validated?.history?.device).toMatchObject({
      previousSignups: 1,
    });
  });

  it.each([
    { rows: 1_100, limits: [1_001, 1_000, 999, 0] },
    { rows: 42_000, limits: [41_001, 41_000, 40_999] },
  ])('leaves as many of $rows log rows as the limit says, the newest', async ({ rows, limits }) => {
    const caller = await makeCaller(store);
    await visit(caller, 1, START);
    await database.exec(copyLog(caller.project.id, rows - 1, 1_000));
    for (const logMaxRows of limits) {
      // Another store, because one counts a long log only sometimes.
      const by = await database.open();
      while ((await by.sweep(START + DAY, { ...LIMITS, logMaxRows })) > 0);
      await by.close();
      const oldest = START + (rows - logMaxRows) * 1_000;
      expect(await store.log.oldestAt(caller.project.id)).toBe(logMaxRows === 0 ? null : oldest);
    }
  });
});
