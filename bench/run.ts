/**
 * `npm run bench`: runs all benchmarks and reports ratios within this run. Writes bench/RESULTS.md, together with the
 * machine, the versions and the command. `-- --quick` runs shorter and writes nothing.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { postgresServer } from '../packages/service/test/support/postgres.ts';
import { measureOfflineChecks } from './offline-checks.ts';
import { machine, percent, whole } from './results.ts';
import { measureSettle } from './settle.ts';
import {
  measureInTurns,
  median,
  type Row,
  sampleAnswer,
  startBareTarget,
  startServiceTarget,
} from './validate-path.ts';

const quick = process.argv.includes('--quick');
const SECONDS = quick ? 1 : 3;
const ROUNDS = quick ? 2 : 5;
const CONNECTIONS = [1, 64, 512];
const lines: string[] = [];

function print(line = ''): void {
  console.log(line);
  lines.push(line);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  for (const row of [head, head.map(() => '---'), ...rows]) print(`| ${row.join(' | ')} |`);
  print();
}

const BARE = 'bare node:http';

async function validatePath(databaseUrl: string): Promise<void> {
  const embedded = await startServiceTarget();
  const bare = await startBareTarget(await sampleAnswer(embedded.target));
  const postgres = await startServiceTarget(databaseUrl);
  const servers = [
    [BARE, bare],
    ['Postern, embedded store', embedded],
    ['Postern, PostgreSQL', postgres],
  ] as const;
  const medianOf = (rows: readonly Row[], field: 'perSecond' | 'p50' | 'p99' | 'cpuMicros') =>
    median(rows.map((row) => row[field]));

  print('## The whole `/validate` path against a bare server');
  print();
  const cells: string[][] = [];
  const saturated = new Map<string, number>();
  for (const connections of CONNECTIONS) {
    const rows = await measureInTurns(servers, connections, { rounds: ROUNDS, seconds: SECONDS });
    const bareRows = rows.get(BARE) ?? [];
    for (const [name, own] of rows) {
      saturated.set(name, Math.max(saturated.get(name) ?? 0, medianOf(own, 'perSecond')));
      const share = median(own.map((row, round) => row.perSecond / (bareRows[round]?.perSecond ?? 1)));
      cells.push([
        name,
        String(connections),
        whole(medianOf(own, 'perSecond')),
        percent(share),
        String(medianOf(own, 'p50')),
        String(medianOf(own, 'p99')),
        whole(medianOf(own, 'cpuMicros')),
        percent(medianOf(bareRows, 'cpuMicros') / medianOf(own, 'cpuMicros')),
      ]);
    }
  }
  table(
    [
      'server',
      'connections',
      'requests/s',
      'of bare',
      'p50 ms',
      'p99 ms',
      'CPU µs per request',
      'of bare’s CPU',
    ],
    cells,
  );

  print('## At half of saturation, 64 connections');
  print();
  const half = await measureInTurns(servers, 64, {
    rounds: ROUNDS,
    seconds: SECONDS,
    rateOf: (name) => Math.round((saturated.get(name) ?? 0) / 2),
  });
  table(
    ['server', 'requests/s', 'p50 ms', 'p99 ms'],
    [...half].map(([name, own]) => [
      name,
      whole(medianOf(own, 'perSecond')),
      String(medianOf(own, 'p50')),
      String(medianOf(own, 'p99')),
    ]),
  );
  for (const [, { close }] of servers) await close();
}

async function processes(): Promise<void> {
  const servers = [
    ['1', await startServiceTarget(undefined, 1)],
    ['2', await startServiceTarget(undefined, 2)],
  ] as const;
  const rows = await measureInTurns(servers, 64, { rounds: ROUNDS, seconds: SECONDS });
  const first = rows.get('1') ?? [];
  print('## From one process to two, embedded store, the load on the same two cores');
  print();
  table(
    ['processes', 'requests/s', 'of one'],
    [...rows].map(([name, own]) => [
      name,
      whole(median(own.map((row) => row.perSecond))),
      percent(median(own.map((row, round) => row.perSecond / (first[round]?.perSecond ?? 1)))),
    ]),
  );
  for (const [, { close }] of servers) await close();
}

async function settle(databaseUrl: string): Promise<void> {
  print('## The store operation alone');
  print();
  const rows: string[][] = [];
  for (const [name, url] of [
    ['embedded', undefined],
    ['PostgreSQL', databaseUrl],
  ] as const) {
    const single = await measureSettle(url, 1, SECONDS);
    const batched = await measureSettle(url, 64, SECONDS);
    rows.push([
      name,
      whole(single.perSecond),
      whole(batched.perSecond),
      `${(batched.perSecond / single.perSecond).toFixed(1)}×`,
    ]);
  }
  table(['store', 'one by one, a second', '64 in flight, a second', 'ratio'], rows);
}

async function offline(): Promise<void> {
  const { addresses, microsPerAddress, loadMs, rssMegabytes } = await measureOfflineChecks();
  print('## The five checks that need no network');
  print();
  print(
    `${microsPerAddress.toFixed(1)} µs of CPU for an address (parsing included, ${addresses} addresses of all kinds). Their data loads in ${whole(loadMs)} ms and holds ${whole(rssMegabytes)} MB.`,
  );
  print();
}

print('# Speed');
print();
print(
  `\`npm run bench${quick ? ' -- --quick' : ''}\` on ${new Date().toISOString().slice(0, 10)}: ${machine()}. Server on one core, load on the other, PostgreSQL on either; medians of ${ROUNDS} slices of ${SECONDS} s, the servers in turns. Compare the ratios: the absolute figures depend on the machine.`,
);
print();
await offline();
const postgres = await postgresServer();
try {
  await settle((await postgres.database()).url);
  await validatePath((await postgres.database()).url);
  await processes();
} finally {
  await postgres.remove();
}
if (!quick) {
  const file = new URL('./RESULTS.md', import.meta.url);
  await writeFile(file, `${lines.join('\n').trim()}\n${resultsOfOtherBenches(await readFile(file, 'utf8'))}`);
}

/** Keeps the results of the other bench commands, which follow the first of these headings. */
function resultsOfOtherBenches(before: string): string {
  const start = before.indexOf('\n## Measured separately');
  return start < 0 ? '' : before.slice(start);
}
