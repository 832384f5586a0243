/**
 * What webhooks add to the store operation of a request: `node --import tsx bench/settle-webhooks.ts [--rounds 15]`.
 *
 * Every request is answered `block`, so that there is an event to write. The cases take turns. It compares CPU time
 * (this process with the embedded store’s thread, and the database’s backends), because other work on the machine hardly
 * affects it. The first case has no trigger at all. A project without webhooks costs the difference between the
 * second case and the first. Linux only, because other systems report a process’s time less precisely.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openStore } from '../packages/service/dist/open-store.js';
import type { Store, Submission } from '../packages/service/dist/store/store.js';
import { postgresServer } from '../packages/service/test/support/postgres.ts';
import { prepare } from './settle.ts';

const SETTLES = 2_000;
const IN_FLIGHT = 64;
/** The answer for each state of the history, as a digit: always block. */
const ALWAYS_BLOCK = '2'.repeat(16);

interface Case {
  readonly name: string;
  readonly settle: () => Promise<unknown>;
  readonly micros: number[];
}

type CpuMicros = () => number;

const ownCpu: CpuMicros = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

async function makeCase(
  store: Store,
  name: string,
  events: readonly ('review.decided' | 'validation.blocked')[],
): Promise<Case> {
  const submission = await prepare(store);
  const { projectId } = submission();
  if (events.length > 0)
    await store.events.webhooks.create({
      projectId,
      id: `wh-${projectId}`,
      url: 'https://hooks.example/',
      events,
      format: 'standard',
      secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZg==',
      previousSecret: null,
      previousUntil: null,
      createdAt: Date.now(),
      failingSince: null,
      disabledAt: null,
    });
  const blocked = (): Submission => {
    const made = submission();
    const { validation } = made;
    return validation === null
      ? made
      : { ...made, validation: { ...validation, log: { ...validation.log, outcomes: ALWAYS_BLOCK } } };
  };
  return { name, settle: () => store.settle(blocked()), micros: [] };
}

async function runOnce({ settle }: Case): Promise<void> {
  let left = SETTLES;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await settle();
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}

async function measure(
  open: () => Promise<Store>,
  rounds: number,
  cpuOf: () => Promise<CpuMicros>,
): Promise<Case[]> {
  const [store, bare] = [await open(), await open()];
  const dropTrigger =
    bare.auth.dialect === 'sqlite'
      ? 'DROP TRIGGER validation_to_webhooks'
      : 'DROP TRIGGER validations_to_webhooks ON validation_log';
  try {
    await bare.auth.query(dropTrigger, []);
    const cases = [
      await makeCase(bare, 'no trigger', []),
      await makeCase(store, 'no webhook', []),
      await makeCase(store, 'a webhook for other events', ['review.decided']),
      await makeCase(store, 'a webhook that gets the event', ['validation.blocked']),
    ];
    for (const one of cases) await runOnce(one);
    for (let round = 0; round < rounds; round += 1) {
      for (let turn = 0; turn < cases.length; turn += 1) {
        const one = cases[(round + turn) % cases.length];
        if (one === undefined) continue;
        const cpu = await cpuOf();
        const before = cpu();
        await runOnce(one);
        one.micros.push((cpu() - before) / SETTLES);
      }
    }
    return cases;
  } finally {
    await Promise.all([store.close(), bare.close()]);
  }
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function print(store: string, cases: readonly Case[]): void {
  const median = ({ micros }: Case) =>
    at(
      micros.toSorted((one, other) => one - other),
      0.5,
    );
  const [first] = cases;
  const base = first === undefined ? 1 : median(first);
  for (const one of cases) {
    const sorted = one.micros.toSorted((left, right) => left - right);
    const [low, high] = [at(sorted, 0.25), at(sorted, 0.75)];
    const cells = [store, one.name, median(one).toFixed(1), `${low.toFixed(1)} to ${high.toFixed(1)}`];
    process.stdout.write(`| ${cells.join(' | ')} | ${((median(one) / base) * 100).toFixed(0)}% |\n`);
  }
}

const { rounds } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } }).values;
process.stdout.write(
  '| store | case | CPU µs, median | 25th to 75th percentile | of no trigger |\n| --- | --- | --- | --- | --- |\n',
);

const folder = await mkdtemp(join(tmpdir(), 'postern-settle-webhooks-'));
let opened = 0;
const openEmbedded = () => {
  opened += 1;
  return openStore({ dataDir: join(folder, String(opened)), databaseUrl: undefined });
};
print('embedded', await measure(openEmbedded, Number(rounds), async () => ownCpu));
await rm(folder, { recursive: true, force: true });

const server = await postgresServer();
const watcher = new pg.Client({ connectionString: server.url });
await watcher.connect();
const openPostgres = async () => openStore({ dataDir: '', databaseUrl: (await server.database()).url });
const withBackends = async (): Promise<CpuMicros> => {
  const { rows } = await watcher.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
  );
  const backendMicros = (pid: number) => {
    try {
      return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e3;
    } catch {
      return 0;
    }
  };
  return () => ownCpu() + rows.reduce((sum, { pid }) => sum + backendMicros(pid), 0);
};
print('PostgreSQL', await measure(openPostgres, Number(rounds), withBackends));
await watcher.end();
await server.remove();
