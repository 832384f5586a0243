/** `npm run bench [-- --quick]`: how many `/validate` requests Postern answers, how fast, and at what cost. */

import { postgresServer } from '../packages/service/test/support/postgres.ts';
import { memoryMegabytes } from './cpu-time.ts';
import { startResults, whole } from './results.ts';
import { measure, median, type PosternBench, type Row, startServiceTarget, warmUp } from './validate-path.ts';

const quick = process.argv.includes('--quick');
const [rounds, seconds] = quick ? [2, 1] : [5, 3];
const CONNECTIONS = [1, 64, 512];

const results = startResults(
  'Requests',
  `Server on one core, load on the other, PostgreSQL on either; medians of ${rounds} slices of ${seconds} s. CPU is without PostgreSQL’s.`,
);
const of = (rows: readonly Row[], field: 'perSecond' | 'p50' | 'p99' | 'cpuMicros') =>
  median(rows.map((row) => row[field]));

async function measureStore(store: string, bench: PosternBench): Promise<string[][]> {
  const { target } = bench;
  const { pid } = target.running.process;
  const memory = () => `${whole(pid === undefined ? Number.NaN : memoryMegabytes(pid))} MB`;
  const idle = memory();
  await warmUp(store, bench);
  const slices = async (connections: number, rate?: number) => {
    const rows: Row[] = [];
    for (let round = 0; round < rounds; round += 1)
      rows.push(await measure(store, target, connections, seconds, rate));
    return rows;
  };
  const cells = (load: string, rows: readonly Row[]) => [
    store,
    load,
    whole(of(rows, 'perSecond')),
    String(of(rows, 'p50')),
    String(of(rows, 'p99')),
    whole(of(rows, 'cpuMicros')),
  ];
  const table: string[][] = [];
  let half = 0;
  for (const connections of CONNECTIONS) {
    const rows = await slices(connections);
    if (connections === 64) half = Math.round(of(rows, 'perSecond') / 2);
    table.push(cells(`${connections} ${connections === 1 ? 'connection' : 'connections'}`, rows));
  }
  table.push(cells(`${whole(half)} a second`, await slices(64, half)));
  results.print(`${store}: ${idle} when it is ready, ${memory()} under load.`);
  results.print();
  await bench.close();
  return table;
}

const postgres = await postgresServer();
const rows = await measureStore('SQLite', await startServiceTarget());
const { url } = await postgres.database();
rows.push(...(await measureStore('PostgreSQL', await startServiceTarget(url))));
await postgres.remove();
results.table(['store', 'load', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs per request'], rows);
