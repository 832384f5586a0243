/**
 * What one batch of one project costs the database, by its size: `node --import tsx bench/batch-cost.ts`.
 * bench/contention.ts uses its results: the line fitted to the work, and the time of a commit.
 *
 * Work is measured as CPU time of the database’s process, because other work on the machine hardly affects it. For
 * commits the fastest tenth is reported, for the same reason. Linux only, because other systems report a process’s time
 * less precisely.
 */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { openStore } from '../packages/service/dist/open-store.js';
import { settleCall } from '../packages/service/dist/store/postgres/settle-call.js';
import { toMessage } from '../packages/service/dist/store/submission-message.js';
import { timedIds } from '../packages/service/dist/store/timed-id.js';
import { postgresServer } from '../packages/service/test/support/postgres.ts';
import { prepare } from './settle.ts';

const SIZES = [1, 8, 32, 128, 256, 512];
const ROUNDS = 60;

interface Times {
  readonly work: number[];
  readonly commit: number[];
}

async function measure(databaseUrl: string): Promise<Map<number, Times>> {
  const store = await openStore({ dataDir: '', databaseUrl });
  const submission = await prepare(store);
  await store.close();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows: backends } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const cpuMs = () => Number(readFileSync(`/proc/${backends[0]?.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  let working = 0;
  const idOf = timedIds();
  const settle = settleCall(connectionsOf(), idOf);

  /** The same statement as in the service, in a transaction whose commit is timed separately. */
  function connectionsOf(): Parameters<typeof settleCall>[0] {
    const refuse = () => Promise.reject(new Error('only batches are measured'));
    return {
      async hot(sql, values) {
        const before = cpuMs();
        const { rows } = await client.query(sql, [...values]);
        working = cpuMs() - before;
        return rows;
      },
      database: { read: refuse, browse: refuse, write: refuse },
      session: refuse,
      counts: () => ({ busy: 0, idle: 0, waiting: 0 }),
      close: refuse,
    };
  }

  let batches = 0;
  async function batch(size: number, times?: Times): Promise<void> {
    const messages = Array.from({ length: size }, () => toMessage(submission(), idOf));
    const [first] = messages;
    if (!first) return;
    batches += 1;
    await client.query('BEGIN');
    await settle(first.project, `cost-${batches}`, messages);
    const started = performance.now();
    await client.query('COMMIT');
    times?.work.push(working);
    times?.commit.push(performance.now() - started);
  }

  for (let warm = 0; warm < 30; warm += 1) await batch(64);
  const seen = new Map<number, Times>(SIZES.map((size) => [size, { work: [], commit: [] }]));
  // In turns, so that other work on the machine affects every size alike.
  for (let round = 0; round < ROUNDS; round += 1) for (const [size, times] of seen) await batch(size, times);
  await client.end();
  return seen;
}

function quantile(values: readonly number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
}

/** Least squares on relative errors, so that the small batches count as much as the large ones. */
function line(points: readonly (readonly [size: number, ms: number])[]): { fixedMs: number; eachMs: number } {
  let weight = 0;
  let x = 0;
  let y = 0;
  let xx = 0;
  let xy = 0;
  for (const [size, ms] of points) {
    const w = 1 / ms ** 2;
    weight += w;
    x += w * size;
    y += w * ms;
    xx += w * size * size;
    xy += w * size * ms;
  }
  const eachMs = (weight * xy - x * y) / (weight * xx - x * x);
  return { fixedMs: (y - eachMs * x) / weight, eachMs };
}

const postgres = await postgresServer();
try {
  const seen = await measure((await postgres.database()).url);
  const row = (name: string, of: (times: Times) => number) => {
    const points = [...seen].map(([size, times]) => [size, of(times)] as const);
    console.log(`| ${name} | ${points.map(([, ms]) => ms.toFixed(2)).join(' | ')} |`);
    return points;
  };
  console.log(`| ms for a batch of | ${SIZES.join(' | ')} |`);
  console.log(`| --- | ${SIZES.map(() => '---').join(' | ')} |`);
  const work = row('work', (times) => quantile(times.work, 0.5));
  row('commit', (times) => quantile(times.commit, 0.1));
  const { fixedMs, eachMs } = line(work);
  console.log(`\nwork: ${fixedMs.toFixed(2)} ms a batch and ${(eachMs * 1000).toFixed(0)} µs a request`);
} finally {
  await postgres.remove();
}
