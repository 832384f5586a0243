/**
 * `npm run bench -- --processes-postgres [--processes 1,8,16,64] [--in-flight 256] [--rounds 3] [--seconds 3] [--slow-ms 2]
 * [--against CHECKOUT]`: what it costs that many processes settle requests of one project. Each simulated process is a
 * store with its own batches and connections, and all of them run in this program. The requests in flight are shared out
 * equally. `--slow-ms` makes each sync of the database’s disk take that much longer; `--against` measures another built
 * checkout in turns with this one. Linux only.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { Store, Submission } from '../packages/service/dist/store/store.js';
import { postgresServer } from '../packages/service/test/support/postgres.ts';
import { backendsOf, cpuMsOf } from './cpu-time.ts';
import { startResults, whole } from './results.ts';
import { slowDisk } from './slow-disk.ts';
import { median } from './validate-path.ts';

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '1,8,16,64' },
    'in-flight': { type: 'string', default: '256' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    'slow-ms': { type: 'string', default: '0' },
    against: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});
const IN_FLIGHT = Number(values['in-flight']);
const ROUNDS = values.quick ? 1 : Number(values.rounds);
const SECONDS = values.quick ? 1 : Number(values.seconds);
const SLOW_MS = Number(values['slow-ms']);
/** A connection’s first batch takes many times as long as the next: PostgreSQL plans its statements. */
const WARM_UP_MS = 1_000;
const WARM_UP_MS_PER_PROCESS = 150;
const SAMPLE_EVERY_MS = 10;

type OpenStore = typeof import('../packages/service/dist/open-store.js')['openStore'];

/** The figures of a slice of time: the column of each, and its decimals. */
const COLUMNS = {
  perSecond: ['requests/s', 0],
  failed: ['failed', 0],
  perBatch: ['requests per batch', 1],
  p50: ['p50 ms', 0],
  p99: ['p99 ms', 0],
  databaseMicros: ['database CPU µs per request', 0],
  databaseCores: ['cores of the database', 2],
  ownCores: ['cores of the processes', 2],
  /** Batches that waited for the project’s row, on average. */
  waiting: ['batches waiting', 1],
  /** Time between two batches. While batches wait for the row, that is how long each of them holds it. */
  msPerBatch: ['ms per batch', 1],
} as const;
type Slice = Readonly<Record<keyof typeof COLUMNS, number>>;

/** One checkout with its own database, which all of its simulated processes use. */
interface Contestant {
  readonly name: string;
  readonly open: () => Promise<Store>;
  readonly submission: () => Submission;
  readonly watcher: pg.Client;
  readonly close: () => Promise<void>;
}

async function contestant(name: string, checkout: string, databaseUrl: string): Promise<Contestant> {
  const from = (file: string) => import(pathToFileURL(join(resolve(checkout), file)).href);
  const { openStore } = (await from('packages/service/dist/open-store.js')) as { openStore: OpenStore };
  const { submissionsOf } = (await from('bench/settle.ts')) as typeof import('./settle.ts');
  const open = () => openStore({ dataDir: '', databaseUrl });
  const first = await open();
  const submission = await submissionsOf(first);
  await first.close();
  // In another database, so that its own transactions are not counted as batches.
  const watcher = new pg.Client({ connectionString: new URL('/postgres', databaseUrl).href });
  await watcher.connect();
  return { name, open, submission, watcher, close: () => watcher.end() };
}

async function measure(of: Contestant, processes: number): Promise<Slice> {
  const stores = await Promise.all(Array.from({ length: processes }, of.open));
  const waits: number[] = [];
  let failed = 0;
  let measuring = false;
  let ending = false;
  const caller = async (store: Store): Promise<void> => {
    while (!ending) {
      const since = performance.now();
      try {
        const { result } = await store.settle(of.submission(), 10_000);
        if (result !== 'admitted') throw new Error(`settle: ${result}`);
        if (measuring) waits.push(performance.now() - since);
      } catch {
        if (measuring) failed += 1;
      }
    }
  };
  const callers = stores.flatMap((store, at) =>
    Array.from({ length: shareOf(processes, at) }, () => caller(store)),
  );
  await pause(WARM_UP_MS + processes * WARM_UP_MS_PER_PROCESS);

  const pids = await backendsOf(of.watcher);
  const databaseMs = () => pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
  const batches = async () => Number((await of.watcher.query(BATCHES)).rows[0]?.batches);
  const before = { batches: await batches(), database: databaseMs(), own: cpuMsOf(process.pid) };
  const waiting: number[] = [];
  measuring = true;
  const started = performance.now();
  while (performance.now() - started < SECONDS * 1_000) {
    waiting.push(Number((await of.watcher.query(WAITING)).rows[0]?.waiting));
    await pause(SAMPLE_EVERY_MS);
  }
  measuring = false;
  const ms = performance.now() - started;
  const [database, own] = [databaseMs() - before.database, cpuMsOf(process.pid) - before.own];
  const sent = (await batches()) - before.batches;
  ending = true;
  await Promise.all(callers);
  await Promise.all(stores.map((store) => store.close()));
  waits.sort((one, other) => one - other);
  return {
    perSecond: (waits.length / ms) * 1_000,
    failed,
    perBatch: waits.length / Math.max(1, sent),
    p50: waits[Math.floor(waits.length / 2)] ?? Number.NaN,
    p99: waits[Math.floor(waits.length * 0.99)] ?? Number.NaN,
    databaseMicros: (database / Math.max(1, waits.length)) * 1_000,
    ownCores: own / ms,
    databaseCores: database / ms,
    waiting: waiting.reduce((sum, count) => sum + count, 0) / waiting.length,
    msPerBatch: ms / Math.max(1, sent),
  };
}

const BATCHES =
  "SELECT sum(xact_commit) AS batches FROM pg_stat_database WHERE datname LIKE 'postern_test_%'";
const WAITING = `SELECT count(*) AS waiting FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND application_name = 'postern'`;

function shareOf(processes: number, at: number): number {
  return Math.floor(IN_FLIGHT / processes) + (at < IN_FLIGHT % processes ? 1 : 0);
}

const results = startResults(
  SLOW_MS === 0 ? 'One project on many processes' : 'One project on many processes, slow disk',
  `The store operation alone, PostgreSQL, ${IN_FLIGHT} requests in flight. Medians of ${ROUNDS} slices of ${SECONDS} s. Processes, database and bench share the machine’s cores.`,
);
const folder = await mkdtemp(join(tmpdir(), 'postern-processes-'));
// The database may run as another user, who must be able to read the library.
await chmod(folder, 0o755);
if (SLOW_MS > 0) Object.assign(process.env, slowDisk(folder, SLOW_MS));
const server = await postgresServer({ max_connections: '1000', shared_buffers: '1GB', max_wal_size: '8GB' });
const here = fileURLToPath(new URL('..', import.meta.url));
const contestants: Contestant[] = [];
try {
  if (values.against !== undefined)
    contestants.push(await contestant('before', values.against, (await server.database()).url));
  contestants.push(await contestant('now', here, (await server.database()).url));
  const table: string[][] = [];
  for (const processes of values.processes.split(',').map(Number)) {
    const slices = contestants.map((): Slice[] => []);
    for (let round = 0; round < ROUNDS; round += 1) {
      const order = [...contestants.keys()];
      for (const at of round % 2 === 0 ? order : order.reverse())
        slices[at]?.push(await measure(contestants[at] as Contestant, processes));
    }
    for (const [at, { name }] of contestants.entries()) {
      const own = slices[at] ?? [];
      const ratio = median(
        own.map(({ perSecond }, round) => perSecond / (slices[0]?.[round]?.perSecond ?? 0)),
      );
      const figures = Object.entries(COLUMNS).map(([field, [, decimals]]) => {
        const value = median(own.map((slice) => slice[field as keyof Slice]));
        return decimals === 0 ? whole(value) : value.toFixed(decimals);
      });
      table.push([
        String(processes),
        ...(contestants.length > 1 ? [name, ratio.toFixed(2)] : []),
        ...figures,
      ]);
      console.error(table.at(-1)?.join(' | '));
    }
  }
  const builds = contestants.length > 1 ? ['build', 'of before'] : [];
  results.table(['processes', ...builds, ...Object.values(COLUMNS).map(([title]) => title)], table);
} finally {
  for (const { close } of contestants) await close();
  await server.remove();
  await rm(folder, { recursive: true, force: true });
}
