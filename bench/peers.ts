/**
 * `npm run bench -- --peers [--rounds 7] [--seconds 3]`: Postern beside what people put together today (peer-server.mjs), on
 * the same addresses. The peers’ packages are those of bench/package.json.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { resultsSection, whole } from './results.ts';
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

const folder = await mkdtemp(join(tmpdir(), 'postern-peers-'));
const postern = await startServiceTarget();
const startPeer = (store: string, settings = {}) =>
  startSampleTarget([SERVER], { PEER_STORE: join(folder, store), ...settings });
const offline = await startPeer('offline.db');
const online = await startPeer('online.db', { PEER_DNS: postern.dns });
const results = resultsSection(
  'Beside packages put together',
  'peers',
  `64 connections, server on one core, medians of ${rounds} slices of ${seconds} s, the servers in turns. ${PACKAGES.join(', ')}; one SQLite transaction with full sync for each request.`,
);
const servers = [
  ['Postern', postern, BODIES],
  ['the packages, with the resolver', online, BODIES],
  ['Postern, without DNS', postern, OFFLINE_BODIES],
  ['the packages, without DNS', offline, BODIES],
] as const;
const rows = new Map<string, Row[]>(servers.map(([name]) => [name, []]));
if (!values.quick) for (const [name, bench] of servers) await warmUp(name, bench);
for (let round = 0; round < rounds; round += 1) {
  for (const [name, { target }, bodies] of servers)
    rows.get(name)?.push(await measure(name, target, 64, seconds, undefined, bodies));
}
for (const { close } of [offline, online, postern]) await close();
await rm(folder, { recursive: true, force: true });

const of = (name: string, field: 'perSecond' | 'cpuMicros' | 'p50' | 'p99') =>
  median((rows.get(name) ?? []).map((row) => row[field]));
const ratioTo = (name: string, other: string) =>
  `${median((rows.get(name) ?? []).map((row, at) => row.perSecond / (rows.get(other)?.[at]?.perSecond ?? Number.NaN))).toFixed(1)}×`;
results.table(
  ['server', 'requests/s', 'CPU µs per request', 'p50 ms', 'p99 ms', 'of the packages'],
  servers.map(([name], at) => [
    name,
    whole(of(name, 'perSecond')),
    whole(of(name, 'cpuMicros')),
    String(of(name, 'p50')),
    String(of(name, 'p99')),
    at % 2 === 0 ? ratioTo(name, servers[at + 1]?.[0] ?? '') : '',
  ]),
);
if (!values.quick) await results.save();
