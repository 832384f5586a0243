import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdministeredStore } from '../src/store/administered-store.ts';
import { exportStore, importStore } from '../src/store/export-store.ts';
import { DEVICE, INBOX } from '../src/store/tables/settle-tables.ts';
import { sharedPostgresServer } from './support/postgres.ts';
import { BACK_ENDS } from './support/service-on.ts';
import { sqliteDatabase } from './support/sqlite-database.ts';
import {
  admitted,
  DAY,
  HOUR,
  makeCaller,
  makeKey,
  NOTED,
  START,
  submissionOf,
  updateProject,
} from './support/store-fixtures.ts';

const INBOXES = ['inbox-a', 'inbox-b', 'inbox-c', 'inbox-d'];
const DEVICES = ['device-1', 'device-2'];
const days = fc.constantFrom(1, 2, 7, 30, 90);
const logMaxRows = fc.constantFrom(0, 1, 5, 1_000_000);

const see = fc.record({
  does: fc.constant('see' as const),
  inbox: fc.constantFrom(...INBOXES),
  spelling: fc.constantFrom('s1', 's2'),
  device: fc.option(fc.constantFrom(...DEVICES), { freq: 4 }),
  network: fc.option(fc.constantFrom('n1', 'n2', 'n3'), { freq: 4 }),
  isTest: fc.constantFrom(false, false, false, true),
});
const step = fc.oneof(
  { weight: 6, arbitrary: see },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('wait' as const),
      ms: fc.constantFrom(1, HOUR, DAY, 6 * DAY, 40 * DAY),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('keep' as const), retentionDays: days, logRetentionDays: days }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('sweep' as const),
      /** Before that, the clock is put back. */
      backMs: fc.constantFrom(0, 0, 0, 10 * DAY),
      calls: fc.constantFrom(1, 3, 1_000),
      maxRows: fc.constantFrom(4, 500),
      logMaxRows,
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('move' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('erase' as const),
      inboxes: fc.subarray(INBOXES, { maxLength: 1 }),
      devices: fc.subarray(DEVICES, { maxLength: 1 }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** When each thing was last seen, by its table and names, and whether it was ever due since then. */
type Remembered = Map<string, { last: number; wasDue: boolean }>;

const factKey = (table: string, ...names: readonly unknown[]) => [table, ...names].join(' ');

/** What is stored about people. */
async function stored(store: AdministeredStore, project: string) {
  const facts = new Map<string, number>();
  const spellings: number[] = [];
  const listed: string[] = [];
  let all = '';
  for await (const { table, row } of store.dump({ project })) {
    all += JSON.stringify(row);
    if (table === 'device') {
      const { device, inboxes } = DEVICE.fromRow(row);
      for (const [inbox, , last] of inboxes) facts.set(factKey('device_sighting', device, inbox), last);
    }
    if (table !== 'inbox') continue;
    const { inbox, lastSeen, otherSeen, devices } = INBOX.fromRow(row);
    facts.set(factKey('inbox', inbox), lastSeen);
    if (otherSeen !== null) spellings.push(otherSeen);
    listed.push(...devices.map(([device]) => factKey('device_sighting', device, inbox)));
  }
  return { facts, spellings, listed, all };
}

async function play(stores: readonly [AdministeredStore, AdministeredStore], steps: readonly Step[]) {
  const [store] = stores;
  const caller = await makeCaller(store);
  const testKey = await makeKey(store, caller.project, { mode: 'test' });
  const remembered: Remembered = new Map();
  const seenAt = new Map<string, number>();
  let { project } = caller;
  let now = START;
  const cutoff = () => now - project.retentionDays * DAY;
  const noteDue = (device = '') => {
    for (const [key, fact] of remembered)
      if (fact.last < cutoff() && key.includes(device)) fact.wasDue = true;
  };
  const limits = (maxRows: number, logMaxRows: number) => ({
    maxRows,
    logMaxRows,
    logRetentionMs: 365 * DAY,
    outcomeRetentionMs: DAY,
  });
  const sweep = async (by: AdministeredStore, calls: number, maxRows: number, logMaxRows: number) => {
    for (let call = 0; call < calls; call += 1)
      if ((await by.sweep(now, limits(maxRows, logMaxRows))) === 0) return;
  };

  const act: { [K in Step['does']]: (one: Extract<Step, { does: K }>) => Promise<void> | void } = {
    async see({ isTest, ...visit }) {
      const at = now;
      const key = isTest ? testKey : caller.key;
      admitted(await store.settle(submissionOf({ project, key }, { ...visit, now })));
      if (isTest) return;
      const { inbox, device } = visit;
      // A request drops what is past its time of its own inbox and device.
      noteDue(inbox);
      if (device !== null) noteDue(device);
      const seen = [factKey('inbox', inbox)];
      if (device !== null) seen.push(factKey('device_sighting', device, inbox));
      for (const fact of seen) {
        seenAt.set(fact, Math.max(at, seenAt.get(fact) ?? at));
        const before = remembered.get(fact);
        const last = before && !before.wasDue ? Math.max(before.last, at) : at;
        remembered.set(fact, { last, wasDue: false });
      }
    },
    wait({ ms }) {
      now += ms;
    },
    async keep({ retentionDays, logRetentionDays }) {
      project = await updateProject(store, project.id, { retentionDays, logRetentionDays });
    },
    async sweep({ backMs, calls, maxRows, logMaxRows }) {
      now -= backMs;
      noteDue();
      await sweep(store, calls, maxRows, logMaxRows);
    },
    async move() {
      const lines = [];
      for await (const line of exportStore(store, { project: project.id })) lines.push(line);
      await updateProject(store, project.id, { archivedAt: now });
      expect(await store.deleteProject(project.id, NOTED)).toBe(true);
      await importStore(store, Readable.from(lines));
    },
    async erase({ inboxes, devices }) {
      await store.erasure.erase(project.id, { inboxes, devices }, false);
      const { all, facts } = await stored(store, project.id);
      for (const hash of [...inboxes, ...devices]) expect(all).not.toContain(hash);
      // A device without an inbox goes with its networks.
      for (const key of remembered.keys()) if (!facts.has(key)) remembered.delete(key);
    },
  };
  for (const one of steps) await (act[one.does] as (step: Step) => Promise<void> | void)(one);

  // What was seen last is still remembered in between.
  for (const laterMs of [0, DAY, 29 * DAY, 40 * DAY]) {
    now += laterMs;
    noteDue();
    await Promise.all(stores.map((by) => sweep(by, 1_000, 500, 1_000_000)));
    const { facts, spellings, listed } = await stored(store, project.id);
    // A day is swept once all of it is past its time.
    const swept = Math.floor(cutoff() / DAY) * DAY;
    const old = [...facts].filter(([, last]) => last < swept);
    expect(old, 'is left although it is past its time').toEqual([]);
    expect(spellings.filter((at) => at < swept)).toEqual([]);
    expect(listed.filter((key) => (seenAt.get(key) ?? 0) < swept)).toEqual([]);
    const kept = [...remembered].filter(([, { last, wasDue }]) => !wasDue && last >= cutoff());
    expect([...facts.keys()]).toEqual(expect.arrayContaining(kept.map(([key]) => key)));
  }
}

describe.each(BACK_ENDS)('what %s remembers of people', (backEnd) => {
  let remove: () => Promise<void>;
  let stores: readonly [AdministeredStore, AdministeredStore];
  beforeAll(async () => {
    const database =
      backEnd === 'sqlite' ? await sqliteDatabase() : await (await sharedPostgresServer()).database();
    stores = [await database.open(), await database.open()];
    remove = () => database.remove();
  });
  afterAll(async () => {
    for (const store of stores ?? []) await store.close();
    await remove?.();
  });

  it('is forgotten after the retention and not before, whatever happens to the log', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), (steps) => play(stores, steps)),
      { numRuns: 5 * (process.env.TEST_SLOW === '1' ? 10 : 1) },
    );
  });
});
