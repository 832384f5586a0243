/**
 * `npm run bench -- --footprint`: how long the service takes to start, how much memory it uses, and how large it is on
 * disk. Read the CPU time of the start: it is close to the wall time on a quiet machine. `--against <main.js>` only starts
 * this build and another one in turns, and compares them.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { cpuMsOf, memoryMegabytes } from './cpu-time.ts';
import { startServer } from './processes.ts';
import { resultsSection, whole } from './results.ts';
import { measure, median, startServiceTarget } from './validate-path.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, against: { type: 'string' } },
});
const STARTS = values.quick ? 2 : 7;
const MAIN = fileURLToPath(new URL('../packages/service/dist/bundle/main.js', import.meta.url));
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const results = resultsSection(
  'Start-up, memory and size',
  'footprint',
  `Embedded store, feeds off. Median of ${STARTS} starts with a warm file cache. Memory is the resident set of the one process, under a load of 64 connections.`,
);

interface Start {
  readonly ms: number;
  readonly cpuMs: number;
  readonly idleMegabytes: number;
}

/** Starts the builds in turns. Each has a data folder of its own, which its first start prepares. */
async function measureStarts(mains: readonly string[]): Promise<Start[][]> {
  const builds = await Promise.all(
    mains.map(async (main) => ({ main, dataDir: await mkdtemp(join(tmpdir(), 'postern-footprint-')) })),
  );
  const starts: Start[][] = builds.map(() => []);
  for (let start = 0; start <= STARTS; start += 1) {
    for (const [index, { main, dataDir }] of builds.entries()) {
      const measured = await measureStart(main, dataDir);
      if (start > 0) starts[index]?.push(measured);
    }
  }
  for (const { dataDir } of builds) await rm(dataDir, { recursive: true, force: true });
  return starts;
}

async function measureStart(main: string, dataDir: string): Promise<Start> {
  const began = performance.now();
  const running = await startServer(
    ['--max-semi-space-size=16', main],
    { POSTERN_PORT: '0', POSTERN_DATA_DIR: dataDir, POSTERN_FEEDS: 'off', POSTERN_DEMO: 'off' },
    /"address":"([^"]+)".*Postern is ready/,
    '0,1',
  );
  const pid = running.process.pid ?? 0;
  const started = { ms: performance.now() - began, cpuMs: cpuMsOf(pid) };
  await sleep(3_000);
  const idleMegabytes = memoryMegabytes(pid);
  await running.stop();
  return { ...started, idleMegabytes };
}

function startRows(builds: readonly (readonly Start[])[]): string[][] {
  const row = (name: string, value: (start: Start) => number) => [
    name,
    ...builds.map((starts) => whole(median(starts.map(value)))),
  ];
  return [
    row('start-up, CPU ms', ({ cpuMs }) => cpuMs),
    row('start-up, wall ms', ({ ms }) => ms),
    row('memory, 3 s after the start, MB', ({ idleMegabytes }) => idleMegabytes),
  ];
}

if (values.against !== undefined) {
  const rows = startRows(await measureStarts([MAIN, resolve(values.against)]));
  results.table(['what', 'this build', 'the other'], rows);
  process.exit(0);
}
const [starts = []] = await measureStarts([MAIN]);

const bench = await startServiceTarget();
const pid = bench.target.running.process.pid ?? 0;
await sleep(5_000);
const idle = memoryMegabytes(pid);
let underLoad = 0;
for (let slice = 0; slice < (values.quick ? 2 : 15); slice += 1) {
  await measure('Postern', bench.target, 64, 2);
  underLoad = Math.max(underLoad, memoryMegabytes(pid));
}
await bench.close();
results.table(
  ['what', 'measured'],
  [...startRows([starts]), ['memory, idle, MB', whole(idle)], ['memory, under load, MB', whole(underLoad)]],
);

/** What `npm start` installs is node_modules without development packages; these are its largest parts. */
async function installSize(): Promise<void> {
  const run = promisify(execFile);
  const { stdout } = await run('npm', ['ls', '--omit=dev', '--all', '--parseable'], {
    cwd: ROOT,
    maxBuffer: 1e8,
  }).catch((fault: { stdout: string }) => fault);
  const folders = stdout.split('\n').filter((folder) => folder.includes('/node_modules/'));
  const sizes = await run('du', ['-sk', '--', ...folders], { maxBuffer: 1e8 });
  const rows = sizes.stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t') as [string, string])
    .map(([kilobytes, folder]) => ({
      megabytes: Number(kilobytes) / 1024,
      name: folder.split('/node_modules/').at(-1) ?? '',
    }));
  rows.sort((one, other) => other.megabytes - one.megabytes);
  results.print(
    `${whole(rows.reduce((sum, row) => sum + row.megabytes, 0))} MB of packages are needed at run time or to build. The largest:`,
  );
  results.print();
  results.table(
    ['package', 'MB'],
    rows.slice(0, 10).map(({ name, megabytes }) => [name, whole(megabytes)]),
  );
}
await installSize();
if (!values.quick) await results.save();
