/**
 * `npm run bench -- --idle [--seconds 300]`: what the service costs while nobody asks it anything. Linux only. PostgreSQL’s
 * own processes are not counted, its write-ahead log is.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { postgresServer } from '../packages/service/test/support/postgres.ts';
import { cpuMsOf } from './cpu-time.ts';
import { resultsSection, whole } from './results.ts';
import { measure, type PosternBench, startServiceTarget } from './validate-path.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '300' }, quick: { type: 'boolean', default: false } },
});
const SECONDS = values.quick ? 20 : Number(values.seconds);
/** Timers that a start sets, and what the first requests leave to write. */
const SETTLING_SECONDS = values.quick ? 5 : 90;
const DAY_SECONDS = 86_400;

interface Spent {
  readonly wakeUps: number;
  readonly cpuMs: number;
  readonly bytes: number;
}

function spentBy(pid: number): Spent {
  const wakeUps = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
    return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  });
  const io = readFileSync(`/proc/${pid}/io`, 'utf8');
  return {
    wakeUps: wakeUps.reduce((sum, each) => sum + each, 0),
    cpuMs: cpuMsOf(pid),
    bytes: Number(/^write_bytes: (\d+)/m.exec(io)?.[1] ?? 0),
  };
}

async function measureIdle(name: string, bench: PosternBench, walBytes: () => Promise<number>) {
  const pid = bench.target.running.process.pid ?? 0;
  await measure(name, bench.target, 4, 2, 20);
  await wait(SETTLING_SECONDS * 1000);
  const [before, walBefore] = [spentBy(pid), await walBytes()];
  await wait(SECONDS * 1000);
  const [after, walAfter] = [spentBy(pid), await walBytes()];
  const written = after.bytes - before.bytes + walAfter - walBefore;
  return [
    name,
    ((after.wakeUps - before.wakeUps) / SECONDS).toFixed(1),
    ((((after.cpuMs - before.cpuMs) / 1000) * DAY_SECONDS) / SECONDS).toFixed(0),
    whole((written * DAY_SECONDS) / SECONDS / 1e6),
  ];
}

const results = resultsSection(
  'Idle',
  'idle',
  `One process for ${SECONDS} s without a request, ${SETTLING_SECONDS} s after the last one, extrapolated to a day.`,
);
const server = await postgresServer();
const database = await server.database();
const watcher = new pg.Client({ connectionString: database.url });
await watcher.connect();
const walBytes = async () => {
  const { rows } = await watcher.query<{ bytes: string }>("SELECT pg_current_wal_lsn() - '0/0' AS bytes");
  return Number(rows[0]?.bytes);
};
const rows: string[][] = [];
for (const [name, url, written] of [
  ['SQLite', undefined, async () => 0],
  ['PostgreSQL', database.url, walBytes],
] as const) {
  const bench = await startServiceTarget(url);
  rows.push(await measureIdle(name, bench, written));
  await bench.close();
}
await watcher.end();
await database.remove();
await server.remove();
results.table(['store', 'wake-ups a second', 'CPU seconds a day', 'MB written a day'], rows);
if (!values.quick) await results.save();
