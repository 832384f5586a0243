/**
 * Compares two built checkouts of this repository: `node --import ./scripts/typescript.mjs bench/compare.ts BEFORE AFTER [--rounds 10]
 * [--seconds 3] [--connections 64] [--postgres]`. Each round measures both, in alternating order, with the same load, so that
 * other work on the machine affects both alike. Read the ratio of CPU per request: throughput also depends on the
 * machine’s other work.
 */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { postgresServer } from '../packages/service/test/support/postgres.ts';
import { measure, median, type Row, type ServiceBench, warmUp } from './validate-path.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '64' },
    postgres: { type: 'boolean', default: false },
  },
});
const [before, after] = positionals;
if (before === undefined || after === undefined) throw new Error('Give two folders: BEFORE AFTER');

async function startIn(folder: string, databaseUrl: string | undefined): Promise<ServiceBench> {
  const module = pathToFileURL(join(resolve(folder), 'bench/validate-path.ts')).href;
  const { startServiceTarget } = (await import(module)) as typeof import('./validate-path.ts');
  return startServiceTarget(databaseUrl);
}

const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const server = values.postgres ? await postgresServer() : undefined;
const databases = [await server?.database(), await server?.database()];
const benches = [await startIn(before, databases[0]?.url), await startIn(after, databases[1]?.url)] as const;
const rows: [Row[], Row[]] = [[], []];
const slice = (at: 0 | 1) => measure(at === 0 ? 'before' : 'after', benches[at].target, connections, seconds);
for (const at of [0, 1] as const) await warmUp(at === 0 ? 'before' : 'after', benches[at]);
for (let round = 0; round < rounds; round += 1) {
  for (const at of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) rows[at].push(await slice(at));
}
for (const bench of benches) await bench.close();
await server?.remove();

for (const [name, own] of [
  ['before', rows[0]],
  ['after', rows[1]],
] as const) {
  const of = (field: 'cpuMicros' | 'perSecond' | 'p50' | 'p99') =>
    median(own.map((row) => row[field])).toFixed(1);
  console.log(
    `${name}: ${of('cpuMicros')} µs CPU a request, ${of('perSecond')} requests/s, p50 ${of('p50')} ms, p99 ${of('p99')} ms`,
  );
}
const ratios = rows[0].map((row, at) => (rows[1][at]?.cpuMicros ?? Number.NaN) / row.cpuMicros);
ratios.sort((one, other) => one - other);
const at = (share: number) => (ratios[Math.floor(ratios.length * share)] ?? Number.NaN).toFixed(3);
console.log(`CPU a request, after / before: median ${at(0.5)}, quartiles ${at(0.25)} to ${at(0.75)}`);
