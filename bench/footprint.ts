/**
 * `npm run bench -- --footprint`: how long the service takes to start, how much memory it uses, and how large it is on
 * disk. Read the CPU time of the start: it is close to the wall time on a quiet machine.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { cpuMsOf, memoryMegabytes } from './cpu-time.ts';
import { startServer } from './processes.ts';
import { resultsSection, whole } from './results.ts';
import { measure, median, startServiceTarget } from './validate-path.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const STARTS = values.quick ? 2 : 7;
const MAIN = fileURLToPath(new URL('../packages/service/dist/main.js', import.meta.url));
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const results = resultsSection(
  'Start-up, memory and size',
  'npm run bench -- --footprint',
  `Embedded store, feeds off. Median of ${STARTS} starts with a warm file cache. Memory is the resident set of the one process, under a load of 64 connections.`,
);

const dataDir = await mkdtemp(join(tmpdir(), 'postern-footprint-'));
const starts: { ms: number; cpuMs: number }[] = [];
for (let start = 0; start <= STARTS; start += 1) {
  const began = performance.now();
  const running = await startServer(
    ['--max-semi-space-size=32', MAIN],
    { POSTERN_PORT: '0', POSTERN_DATA_DIR: dataDir, POSTERN_FEEDS: 'off', POSTERN_DEMO: 'off' },
    /"address":"([^"]+)".*Postern is ready/,
    '0,1',
  );
  if (start > 0) starts.push({ ms: performance.now() - began, cpuMs: cpuMsOf(running.process.pid ?? 0) });
  await running.stop();
}
await rm(dataDir, { recursive: true, force: true });

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
  [
    ['start-up, CPU ms', whole(median(starts.map(({ cpuMs }) => cpuMs)))],
    ['start-up, wall ms', whole(median(starts.map(({ ms }) => ms)))],
    ['memory, idle, MB', whole(idle)],
    ['memory, under load, MB', whole(underLoad)],
  ],
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
