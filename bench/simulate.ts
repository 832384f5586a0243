/**
 * `npm run bench -- --simulate [--cores 16]`: one project on many processes with a larger database than this
 * machine’s. Measures here what a batch costs one process that nobody disturbs, compares the model with what
 * `--processes-postgres` measured (RESULTS.md), and then calculates for the other machine. Linux only.
 */
import { fdatasyncSync, writeSync } from 'node:fs';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openStore } from '../packages/service/dist/open-store.js';
import type { Store } from '../packages/service/dist/store/store.js';
import { postgresServer } from '../packages/service/test/support/postgres.ts';
import { backendsOf, cpuMsOf } from './cpu-time.ts';
import { percent, resultsSection, whole } from './results.ts';
import { ofNewPerson, prepare } from './settle.ts';
import { type Costs, carried, type Scene, simulate } from './simulated-processes.ts';
import { median } from './validate-path.ts';

const { values } = parseArgs({
  options: {
    cores: { type: 'string', default: '16' },
    /** Each instead of what is measured. */
    costs: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});
const CORES = Number(values.cores);
const SIZES = [4, 16, 64, 256];
const PROCESSES = 8;
const WARM_UP_BATCHES = 30 * PROCESSES;
const BATCHES = values.quick ? 5 * PROCESSES : 25 * PROCESSES;
const IN_FLIGHT = 256;
const SLOW_MS = 2;
/** A rate is carried if 99% of the requests are counted within this time. */
const WITHIN_MS = 100;

/**
 * What a batch of each size costs, with a line through them. Several processes take turns: a batch costs more after those
 * of others than after one of its own connection, because the processor’s caches have other data.
 */
async function measureCosts(): Promise<Costs> {
  const server = await postgresServer({ shared_buffers: '1GB', max_wal_size: '8GB' });
  const { url } = await server.database();
  const stores = await Promise.all(
    Array.from({ length: PROCESSES }, () => openStore({ dataDir: '', databaseUrl: url })),
  );
  const watcher = new pg.Client({ connectionString: url });
  await watcher.connect();
  try {
    const submission = await prepare(stores[0] as Store);
    let turn = 0;
    const next = () => stores[turn++ % stores.length] as Store;
    const batch = (size: number, store = next()) =>
      Promise.all(Array.from({ length: size }, () => store.settle(ofNewPerson(submission()), 10_000)));
    for (let number = 0; number < WARM_UP_BATCHES; number += 1)
      await batch(SIZES[number % SIZES.length] ?? 1);
    const rounds = async (work: () => Promise<unknown>) => {
      const pids = await backendsOf(watcher);
      const databaseMs = () => pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
      const [ownBefore, databaseBefore] = [cpuMsOf(process.pid), databaseMs()];
      const walls: number[] = [];
      for (let number = 0; number < BATCHES; number += 1) {
        const since = performance.now();
        await work();
        walls.push(performance.now() - since);
      }
      const own = (cpuMsOf(process.pid) - ownBefore) / BATCHES;
      return { wall: median(walls), own, database: (databaseMs() - databaseBefore) / BATCHES };
    };
    const seen = [];
    for (const size of SIZES) seen.push({ size, ...(await rounds(() => batch(size))) });
    const database = line(seen.map(({ size, database }) => [size, database]));
    const own = line(seen.map(({ size, own }) => [size, own]));
    const trip = await rounds(() => next().ping());
    const tripMs = Math.max(0.05, trip.wall - trip.own - trip.database);
    return {
      batchMs: database.fixed,
      requestMs: database.each,
      flushMs: trip.database,
      ownBatchMs: own.fixed,
      ownRequestMs: own.each,
      syncMs: await measureSync(),
      tripMs,
    };
  } finally {
    await watcher.end();
    await Promise.all(stores.map((store) => store.close()));
    await server.remove();
  }
}

/** What PostgreSQL does for a commit: it appends a page and waits until the disk has it. */
async function measureSync(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-sync-'));
  const file = await open(join(folder, 'log'), 'w');
  const page = Buffer.alloc(8_192);
  // A file of the write-ahead log has its whole length from the beginning.
  for (let number = 0; number < BATCHES; number += 1) await file.write(page);
  await file.sync();
  const times: number[] = [];
  for (let number = 0; number < BATCHES; number += 1) {
    const since = performance.now();
    writeSync(file.fd, page, 0, page.length, number * page.length);
    fdatasyncSync(file.fd);
    times.push(performance.now() - since);
  }
  await file.close();
  await rm(folder, { recursive: true });
  return median(times);
}

/** By least squares, relative to each value, so that small batches count as much as large ones. */
function line(points: readonly (readonly [size: number, ms: number])[]): { fixed: number; each: number } {
  const weighted = points.map(([size, ms]) => ({ size, ms, weight: 1 / ms ** 2 }));
  const sum = (of: (point: (typeof weighted)[number]) => number) =>
    weighted.reduce((total, point) => total + point.weight * of(point), 0);
  const [one, x, y] = [sum(() => 1), sum(({ size }) => size), sum(({ ms }) => ms)];
  const [xx, xy] = [sum(({ size }) => size ** 2), sum(({ size, ms }) => size * ms)];
  const each = (one * xy - x * y) / (one * xx - x ** 2);
  return { fixed: (y - each * x) / one, each };
}

/** Requests a second by build and processes, from a section of RESULTS.md. */
async function measuredBefore(title: string): Promise<ReadonlyMap<string, number>> {
  const file = await readFile(new URL('./RESULTS.md', import.meta.url), 'utf8');
  const section = file.split(/\n(?=## )/).find((each) => each.startsWith(`## ${title}\n`)) ?? '';
  const rows = [...section.matchAll(/^\| (\d+) \| (before|now) \| [\d.]+ \| ([\d,]+) \|/gm)];
  return new Map(
    rows.map(([, processes, build, rate]) => [`${processes} ${build}`, Number(rate?.replaceAll(',', ''))]),
  );
}

const costs: Costs = values.costs === undefined ? await measureCosts() : JSON.parse(values.costs);
const shown = Object.entries(costs)
  .map(([name, ms]) => `\`${name}\` ${ms.toFixed(3)}`)
  .join(', ');
const results = resultsSection(
  'One project on many processes, simulated',
  'simulate',
  `Costs in ms, measured in the same run: ${shown}. Requests/s; the last two columns of each kind are with and without the early release.`,
);
const slow = { ...costs, syncMs: costs.syncMs + SLOW_MS };
const here: Omit<Scene, 'processes' | 'early'> = {
  ...costs,
  cores: cpus().length,
  together: true,
  load: { inFlight: IN_FLIGHT },
};

const rows: string[][] = [];
for (const [disk, title, syncMs] of [
  ['this', 'One project on many processes', costs.syncMs],
  ['slow', 'One project on many processes, slow disk', slow.syncMs],
] as const) {
  const measured = await measuredBefore(title);
  for (const [key, rate] of measured) {
    const [processes = '', build] = key.split(' ');
    const { perSecond } = simulate({ ...here, syncMs, processes: Number(processes), early: build === 'now' });
    const off = perSecond / rate - 1;
    rows.push([disk, processes, build === 'now' ? 'yes' : 'no', whole(rate), whole(perSecond), percent(off)]);
  }
}
results.print(`The model on this machine, compared with the runs above, ${IN_FLIGHT} requests in flight:`);
results.print();
results.table(['disk', 'processes', 'early release', 'measured', 'simulated', 'off by'], rows);

results.print(
  `A database of ${CORES} cores, processes on other machines: requests/s with ${IN_FLIGHT} in flight, and how many are carried with a p99 of ${WITHIN_MS} ms:`,
);
results.print();
const there: string[][] = [];
for (const [disk, of] of [
  ['this', costs],
  ['slow', slow],
] as const)
  for (const processes of [1, 8, 16, 64]) {
    const cells = [disk, String(processes)];
    for (const early of [false, true])
      cells.push(
        whole(
          simulate({ ...of, processes, cores: CORES, together: false, early, load: { inFlight: IN_FLIGHT } })
            .perSecond,
        ),
      );
    for (const early of [false, true])
      cells.push(
        whole(carried({ ...of, processes, cores: CORES, together: false, early }, WITHIN_MS).perSecond),
      );
    there.push(cells);
  }
results.table(
  ['disk', 'processes', '256 in flight, without', '256 in flight, with', 'carried, without', 'carried, with'],
  there,
);
if (!values.quick) await results.save();
