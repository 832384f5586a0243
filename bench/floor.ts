/**
 * `npm run bench -- --floor [--quick] [--rounds 7] [--seconds 3]`: Postern beside the smallest server that does what a 200 must
 * do (floor-server.mjs), on both stores, in alternating slices.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { postgresServer } from '../packages/service/test/support/postgres.ts';
import { percent, resultsSection, whole } from './results.ts';
import {
  measureInTurns,
  median,
  type Row,
  type ServiceBench,
  sampleAnswer,
  startFloorTarget,
  startServiceTarget,
  warmUp,
} from './validate-path.ts';

const { values } = parseArgs({
  strict: false,
  options: { quick: { type: 'boolean' }, rounds: { type: 'string' }, seconds: { type: 'string' } },
});
const rounds = Number(values.rounds ?? (values.quick ? 2 : 7));
const seconds = Number(values.seconds ?? (values.quick ? 1 : 3));
const CONNECTIONS = [1, 64, 512];
const SHARES = [0.25, 0.5];

type Field = 'perSecond' | 'p50' | 'p99' | 'cpuMicros';
const of = (rows: readonly Row[], field: Field) => median(rows.map((row) => row[field]));
/** The median of the ratios slice by slice, because neighbouring slices saw the same machine. */
const ratio = (rows: readonly Row[], floor: readonly Row[], field: Field) =>
  median(rows.map((row, at) => row[field] / (floor[at]?.[field] ?? Number.NaN)));

const results = resultsSection(
  'The floor',
  'floor',
  `The floor is the smallest server that does what a 200 must do. Medians of ${rounds} slices of ${seconds} s. CPU is without PostgreSQL’s.`,
);

async function compare(store: string, floor: ServiceBench, postern: ServiceBench): Promise<void> {
  const servers = [
    ['floor', floor],
    ['Postern', postern],
  ] as const;
  const rows: string[][] = [];
  let failed = 0;
  const saturation = new Map<string, number>();
  const measureRow = async (what: string, connections: number, share?: number) => {
    const rateOf = (name: string) => Math.max(1, Math.round((saturation.get(name) ?? 0) * (share ?? 1)));
    const own = await measureInTurns(servers, connections, {
      rounds,
      seconds,
      ...(share !== undefined && { rateOf }),
    });
    const [low, high] = [own.get('floor') ?? [], own.get('Postern') ?? []];
    for (const row of [...low, ...high]) failed += row.failed;
    for (const [name, measured] of own)
      if (connections === 64 && share === undefined) saturation.set(name, of(measured, 'perSecond'));
    rows.push([
      what,
      whole(of(low, 'perSecond')),
      whole(of(high, 'perSecond')),
      share === undefined ? percent(ratio(high, low, 'perSecond')) : '',
      whole(of(low, 'cpuMicros')),
      whole(of(high, 'cpuMicros')),
      `${ratio(high, low, 'cpuMicros').toFixed(2)}×`,
      `${of(low, 'p50')} / ${of(high, 'p50')}`,
      `${of(low, 'p99')} / ${of(high, 'p99')}`,
      `${ratio(high, low, 'p99').toFixed(1)}×`,
    ]);
  };
  for (const connections of CONNECTIONS)
    await measureRow(connections === 1 ? '1 connection' : `${connections} connections`, connections);
  for (const share of SHARES) await measureRow(`${percent(share)} of saturation, 64 connections`, 64, share);
  results.print(`### ${store}`);
  results.print();
  results.table(
    [
      'load',
      'floor, requests/s',
      'Postern, requests/s',
      'of the floor',
      'floor, CPU µs',
      'Postern, CPU µs',
      'ratio',
      'p50 ms, floor / Postern',
      'p99 ms, floor / Postern',
      'ratio',
    ],
    rows,
  );
  if (failed > 0)
    results.print(`${whole(failed)} requests were not answered 200 and are not in these figures.\n`);
}

async function run(store: string, url: (() => Promise<string>) | undefined): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-floor-'));
  const postern = await startServiceTarget(await url?.());
  const floor = await startFloorTarget(await sampleAnswer(postern.target), (await url?.()) ?? folder);
  try {
    if (!values.quick) {
      await warmUp('floor', floor);
      await warmUp('Postern', postern);
    }
    await compare(store, floor, postern);
  } finally {
    await floor.close();
    await postern.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const LOG_MEGABYTES = 800;

/**
 * Fills PostgreSQL’s write-ahead log, so that its files are used again, as on a server that has run for a while. A new
 * server creates a file for each 16 MB, and a commit waits some 30 ms for it.
 */
async function fillLog(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    for (let written = 0; written < LOG_MEGABYTES; written += 1)
      await client.query(`SELECT pg_logical_emit_message(true, 'bench', repeat('x', 1000000))`);
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

await run('SQLite', undefined);
const postgres = await postgresServer();
try {
  // A server that was given is not ours to fill.
  if (!values.quick && process.env.POSTERN_TEST_DATABASE_URL === undefined) await fillLog(postgres.url);
  await run('PostgreSQL', async () => (await postgres.database()).url);
} finally {
  await postgres.remove();
}
if (!values.quick) await results.save();
