/**
 * `npm run bench`: everything from one run, as ratios. Writes bench/RESULTS.md with the machine, the versions and the
 * command beside the figures. `-- --quick` runs shorter and writes nothing.
 */
import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { postgresServer } from '../packages/service/test/support/postgres.ts';
import { measureOfflineChecks } from './offline-checks.ts';
import { measureSettle } from './settle.ts';
import { measure, type Row, sampleAnswer, startBareTarget, startServiceTarget } from './validate-path.ts';

const quick = process.argv.includes('--quick');
const SECONDS = quick ? 3 : 10;
const CONNECTIONS = [1, 64, 512];
const lines: string[] = [];

function print(line = ''): void {
  console.log(line);
  lines.push(line);
}

const whole = (value: number) => Math.round(value).toLocaleString('en');
const percent = (value: number) => `${(value * 100).toFixed(0)}%`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  for (const row of [head, head.map(() => '---'), ...rows]) print(`| ${row.join(' | ')} |`);
  print();
}

async function validatePath(databaseUrl: string): Promise<void> {
  const rows: Row[] = [];
  const saturated = new Map<string, number>();
  const embedded = await startServiceTarget();
  const sample = await sampleAnswer(embedded.target);
  const bare = await startBareTarget(sample);
  const postgres = await startServiceTarget(databaseUrl);
  const servers = [
    ['bare node:http', bare],
    ['Postern, embedded store', embedded],
    ['Postern, PostgreSQL', postgres],
  ] as const;
  for (const connections of CONNECTIONS) {
    for (const [name, { target }] of servers) {
      const row = await measure(name, target, connections, SECONDS);
      rows.push(row);
      saturated.set(name, Math.max(saturated.get(name) ?? 0, row.perSecond));
    }
  }
  const bareAt = (connections: number) =>
    rows.find((row) => row.connections === connections && row.server.startsWith('bare'))?.perSecond ?? 1;
  print('## The whole `/validate` path against a bare server');
  print();
  table(
    ['server', 'connections', 'requests/s', 'of bare', 'p50 ms', 'p99 ms', 'CPU µs a request'],
    rows.map((row) => [
      row.server,
      String(row.connections),
      whole(row.perSecond),
      percent(row.perSecond / bareAt(row.connections)),
      String(row.p50),
      String(row.p99),
      whole(row.cpuMicros),
    ]),
  );
  print('## At half of saturation, 64 connections');
  print();
  const half: Row[] = [];
  for (const [name, { target }] of servers)
    half.push(await measure(name, target, 64, SECONDS, Math.round((saturated.get(name) ?? 0) / 2)));
  table(
    ['server', 'requests/s', 'p50 ms', 'p99 ms'],
    half.map((row) => [row.server, whole(row.perSecond), String(row.p50), String(row.p99)]),
  );
  for (const [, { close }] of servers) await close();
}

async function processes(): Promise<void> {
  const figures: Row[] = [];
  for (const workers of [1, 2]) {
    const bench = await startServiceTarget(undefined, workers);
    figures.push(await measure(`${workers}`, bench.target, 64, SECONDS));
    await bench.close();
  }
  print('## From one process to two, embedded store, the load on the same two cores');
  print();
  const first = figures[0]?.perSecond ?? 1;
  table(
    ['processes', 'requests/s', 'of one'],
    figures.map((row) => [row.server, whole(row.perSecond), percent(row.perSecond / first)]),
  );
}

async function settle(databaseUrl: string): Promise<void> {
  print('## The store operation alone');
  print();
  const rows: string[][] = [];
  for (const [name, url] of [
    ['embedded', undefined],
    ['PostgreSQL', databaseUrl],
  ] as const) {
    const single = await measureSettle(url, 1, SECONDS / 2);
    const batched = await measureSettle(url, 64, SECONDS / 2);
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

const [cpu] = cpus();
print('# Measured');
print();
print(
  `\`npm run bench${quick ? ' -- --quick' : ''}\` on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${cpu?.model.trim()}, ${whole(totalmem() / 2 ** 30)} GiB, Node ${process.version}. Server on one core, load on another. Read the ratios: absolute figures are this machine’s.`,
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
if (!quick) await writeFile(new URL('./RESULTS.md', import.meta.url), `${lines.join('\n').trim()}\n`);
