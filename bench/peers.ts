/**
 * `npm run bench -- --peers [--rounds 7] [--seconds 3]`: Postern beside what people put together today (peer-server.mjs), on
 * the same addresses. The peers’ packages are those of bench/package.json.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startResults, whole } from './results.ts';
import { slowDisk } from './slow-disk.ts';
import {
  BODIES,
  measure,
  median,
  type Row,
  startSampleTarget,
  startServiceTarget,
  warmUp,
} from './validate-path.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
    quick: { type: 'boolean', default: false },
  },
});
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
const SERVER = fileURLToPath(new URL('./peer-server.mjs', import.meta.url));
const { dependencies } = JSON.parse(await readFile(new URL('./package.json', import.meta.url), 'utf8')) as {
  dependencies: Record<string, string>;
};
const PACKAGES = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
const OFFLINE_CHECKS = {
  syntax: 'block',
  disposable: 'block',
  roleEmail: 'flag',
  alias: 'flag',
  device: 'flag',
  ip: 'flag',
};
const OFFLINE_BODIES = BODIES.map((body) =>
  JSON.stringify({ ...JSON.parse(body), validations: OFFLINE_CHECKS }),
);

const SLOW_MS = 2;
const CONNECTIONS = [1, 64, 512];

const folder = await mkdtemp(join(tmpdir(), 'postern-peers-'));
const results = startResults(
  'Compared with npm packages',
  `Each cell: Postern / the packages. Medians of ${rounds} slices of ${seconds} s. ${PACKAGES.join(', ')}; one SQLite transaction with full sync for each request.`,
);
const tenths = (value: number) => value.toFixed(1);

/** Both with this disk: at saturation, and at half of what the packages manage. */
async function measureDisk(disk: string, environment: Readonly<Record<string, string>>): Promise<void> {
  const postern = await startServiceTarget(undefined, environment);
  const startPeer = (store: string, settings = {}) =>
    startSampleTarget([SERVER], { PEER_STORE: join(folder, store), ...environment, ...settings });
  const offline = await startPeer(`offline-${disk}.db`);
  const online = await startPeer(`online-${disk}.db`, { PEER_DNS: postern.dns });
  const servers = [
    ['Postern', postern, BODIES],
    ['packages', online, BODIES],
    ['Postern, no DNS', postern, OFFLINE_BODIES],
    ['packages, no DNS', offline, BODIES],
  ] as const;
  if (!values.quick) for (const [name, bench] of servers) await warmUp(name, bench);
  const slices = async (connections: number, rate?: number) => {
    const rows = servers.map((): Row[] => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, [name, { target }, bodies]] of servers.entries())
        rows[at]?.push(await measure(name, target, connections, seconds, rate, bodies));
    }
    return rows;
  };
  /** A row for each pair of servers: Postern’s figure and the packages’. */
  const cells = (rows: readonly Row[][], connections: number, load: string) =>
    [0, 2].map((at) => {
      const [own = [], other = []] = [rows[at], rows[at + 1]];
      const both = (field: 'perSecond' | 'cpuMicros' | 'p99', show: (value: number) => string) =>
        [own, other].map((side) => show(median(side.map((row) => row[field])))).join(' / ');
      const ratio = median(own.map((row, round) => row.perSecond / (other[round]?.perSecond ?? Number.NaN)));
      return [
        String(connections),
        at === 0 ? load : `${load}, no DNS`,
        both('perSecond', whole),
        `${ratio.toFixed(2)}×`,
        both('cpuMicros', whole),
        both('p99', tenths),
      ];
    });
  const table: string[][] = [];
  let half = 0;
  for (const connections of CONNECTIONS) {
    const rows = await slices(connections);
    table.push(...cells(rows, connections, 'full'));
    if (connections === 64) half = Math.floor(median((rows[1] ?? []).map((row) => row.perSecond)) / 2);
  }
  table.push(...cells(await slices(64, half), 64, `${half} a second`));
  results.print(`${disk}:`);
  results.print();
  results.table(['connections', 'load', 'requests/s', 'ratio', 'CPU µs per request', 'p99 ms'], table);
  for (const { close } of [offline, online, postern]) await close();
}

await measureDisk('This disk', {});
await measureDisk(`A disk whose sync takes ${SLOW_MS} ms longer`, slowDisk(folder, SLOW_MS));
// Read when a server or the load is started.
process.env.BENCH_CORES = '0,1';
await measureDisk('This disk, server and load on the same two cores', {});
await rm(folder, { recursive: true, force: true });
