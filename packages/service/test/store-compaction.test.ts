import { stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AdministeredStore } from '../src/store/administered-store.ts';
import { type SqliteTestDatabase, sqliteDatabase } from './support/sqlite-database.ts';
import { admitted, type Caller, DAY, makeCaller, START, submissionOf } from './support/store-fixtures.ts';

const OLD = START - 200 * DAY;
const SWEEP = {
  maxRows: 500,
  logRetentionMs: 30 * DAY,
  outcomeRetentionMs: 180 * 86_400_000,
  logMaxRows: 1_000_000,
};
const ROWS = 1_500;
/** Makes a log row fill about two pages. */
const LONG = JSON.stringify({ syntax: [1, 0, { note: 'x'.repeat(8_000) }] });
const LIMIT_MS = 180_000;

let database: SqliteTestDatabase;
let store: AdministeredStore;
beforeEach(async () => {
  database = await sqliteDatabase();
});
afterEach(async () => {
  await store.close();
  await database.remove();
});

async function visit(caller: Caller, now: number, from: number, count: number): Promise<void> {
  const visits = Array.from({ length: count }, (_, index) =>
    submissionOf(caller, { now, inbox: `i${now}-${from + index}`, log: { checksJson: LONG } }),
  );
  for (const settlement of await Promise.all(visits.map((one) => store.settle(one)))) admitted(settlement);
}

async function fillAndSweep(): Promise<Caller> {
  const caller = await makeCaller(store);
  for (let from = 0; from < ROWS; from += 100) await visit(caller, OLD, from, 100);
  while ((await store.sweep(START, SWEEP)) > 0);
  return caller;
}

const sizeOf = async (file: string) => (await stat(file)).size;

it('the file shrinks after a sweep while requests are settled, and counts stay exact', {
  timeout: LIMIT_MS,
}, async () => {
  store = await database.open();
  const caller = await fillAndSweep();
  const before = await sizeOf(database.file);
  const { unusedBytes } = await store.describe();
  expect(unusedBytes).toBeGreaterThan(before / 2);

  let compacting = true;
  let sent = 0;
  const requests = (async () => {
    // More of these long rows would fill the file again on a slow machine.
    for (; (compacting && sent < 300) || sent === 0; sent += 1) await visit(caller, START, sent, 1);
  })();
  const steps = { more: 0, busy: 0, done: 0 };
  for (let step = await store.compact(); step !== 'done'; step = await store.compact()) {
    steps[step] += 1;
    await nextTurn();
  }
  compacting = false;
  await requests;
  expect(steps.more).toBeGreaterThan(50);

  const facts = await store.describe();
  expect(facts.logRows).toBe(sent);
  expect((await store.log.page(caller.project.id, {}, 5_000, null)).rows).toHaveLength(sent);
  expect(await store.projects.usage(caller.project.id, '2026-11')).toBe(sent);
  await store.verify();
  // Until the write-ahead log is copied back, the file may still have its old end.
  await store.close();
  store = await database.open();
  expect(await sizeOf(database.file)).toBeLessThan(before / 2);
});

it('free pages are kept while they are few, because new rows will use them', async () => {
  store = await database.open();
  const caller = await makeCaller(store);
  await visit(caller, OLD, 0, 100);
  while ((await store.sweep(START, SWEEP)) > 0);
  const before = await store.describe();
  expect(before.unusedBytes).toBeGreaterThan(500_000);
  expect(await store.compact()).toBe('done');
  expect((await store.describe()).unusedBytes).toBe(before.unusedBytes);
});
