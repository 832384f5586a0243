/**
 * `npm run bench -- --growth [--sizes 0,100000,1000000] [--store sqlite|postgres] [--quick]`: fills stores with
 * that many remembered people and measures what may grow with them. Times of pages are server CPU time, because wall time on a
 * shared machine says more about the neighbours; the wall time of the first call stands beside it.
 */
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { DAY_MS } from '@postern/contract';
import pg from 'pg';
import { backUpStore, openStore } from '../packages/service/dist/open-store.js';
import { createAccount } from '../packages/service/dist/operations/accounts.js';
import { createProject } from '../packages/service/dist/operations/change-project.js';
import { newAccessToken } from '../packages/service/dist/operations/own-account.js';
import { perform } from '../packages/service/dist/operations/perform.js';
import type { Store } from '../packages/service/dist/store/store.js';
import { ordinaryMail, startDnsServer } from '../packages/service/test/support/dns-server.ts';
import { type Ask, ask } from '../packages/service/test/support/http-client.ts';
import { createKey } from '../packages/service/test/support/keys.ts';
import { postgresServer } from '../packages/service/test/support/postgres.ts';
import { backendsOf, cpuMsOf } from './cpu-time.ts';
import { PAGES } from './dashboard-pages.ts';
import { fillStore } from './fill-store.ts';
import { adminOf, NO_LIMIT, startPostern } from './postern.ts';
import type { Running } from './processes.ts';
import { startResults, whole } from './results.ts';
import { submissionsOf } from './settle.ts';
import { median } from './validate-path.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '0,100000,1000000' },
    store: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});
const SETTLES = values.quick ? 500 : 5_000;
/** V8 has compiled the store’s code after these. Before, a settle costs up to twice as much. */
const WARM_UP_SETTLES = values.quick ? 500 : 20_000;
const REPEATS = 3;

/** What PostgreSQL’s manual recommends for a machine of its own: a quarter of the memory. Its default is 128 MB. */
const DATABASE_SETTINGS = {
  shared_buffers: `${Math.floor(totalmem() / 4 / 1024 ** 2)}MB`,
  max_wal_size: '16GB',
};

/**
 * All tables and indexes. The log comes first, because a settle does not read it and it may leave the memory again. The
 * indexes in which people are found come last and into PostgreSQL’s own memory, where a server that runs has them.
 */
const RELATIONS_TO_READ = `SELECT c.oid, CASE WHEN i.indrelid <> 'validation_log'::regclass THEN 'buffer' ELSE 'read' END AS mode
  FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'i')
  ORDER BY mode DESC, pg_relation_size(c.oid) DESC`;

/** One store that is filled and measured. */
interface Site {
  readonly backEnd: 'sqlite' | 'postgres';
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** CPU of these processes counts beside the service’s own. */
  readonly databasePids: () => Promise<number[]>;
  readonly runSql: (sql: string) => Promise<void>;
  readonly sizeBytes: () => Promise<number>;
  /** Reads everything once, so that the operating system has it in memory as far as it fits. */
  readonly readOnce: () => Promise<void>;
}

interface Account {
  readonly projectId: string;
  readonly keySecret: string;
  readonly token: string;
}

type Figures = Map<string, string>;

async function spent<T>(
  site: Site,
  pid: number,
  work: () => Promise<T>,
): Promise<{ cpuMs: number; ms: number; result: T }> {
  const pids = [pid, ...(await site.databasePids())];
  const cpu = () => pids.reduce((sum, each) => sum + cpuMsOf(each), 0);
  const [cpuBefore, before] = [cpu(), performance.now()];
  const result = await work();
  return { cpuMs: cpu() - cpuBefore, ms: performance.now() - before, result };
}

const startService = ({ dataDir, databaseUrl }: Site, dns: string): Promise<Running> =>
  startPostern({
    ...{ dataDir, dns, databaseUrl, cores: '0,1' },
    environment: { POSTERN_LOG_MAX_ROWS: String(NO_LIMIT) },
  });

async function createAccounts(site: Site): Promise<Account> {
  const store = await openStore(site);
  const admin = adminOf(store);
  const projectId = 'growth';
  await createProject(admin, {
    ...{ id: projectId, name: 'Growth' },
    quotaLimit: NO_LIMIT,
    rateServer: NO_LIMIT,
    retentionDays: 30,
  });
  const { secret: keySecret } = await createKey(admin, { projectId, type: 'server' });
  const member = await createAccount(
    admin,
    { name: 'Bench', email: 'bench@example.com', password: 'correct horse battery' },
    'owner',
  );
  const { body } = await perform(admin, () => newAccessToken(admin, member.id, { name: 'bench' }));
  await store.close();
  return { projectId, keySecret, token: body.token };
}

/** Requests of all kinds, whose log rows are then copied: about a tenth flagged and a tenth blocked. */
async function sendSamples(running: Running, { projectId, keySecret }: Account): Promise<void> {
  const domains = ['gmail.com', 'outlook.com', 'mail-house.net', 'yahoo.com', 'icloud.com'];
  for (let at = 0; at < 100; at += 1) {
    const odd = at % 10;
    const name = odd === 3 ? 'support' : `anna.${randomBytes(4).toString('hex')}`;
    const domain = odd === 7 ? 'mailinator.com' : domains[at % domains.length];
    const body = JSON.stringify({
      email: `${name}@${domain}`,
      fingerprintHash: randomBytes(16).toString('hex'),
      ip: `81.2.${at % 250}.${(at * 7) % 250}`,
    });
    const headers = { authorization: `Bearer ${keySecret}`, 'x-project-id': projectId };
    await mustAsk(running, { method: 'POST', path: '/validate', headers, body });
  }
}

/** With a connection of its own: an idle one may have been closed on a busy machine. */
async function mustAsk({ url }: Running, { headers, ...request }: Ask): Promise<void> {
  const { status, text } = await ask(url, { ...request, headers: { ...headers, connection: 'close' } });
  if (status !== 200) throw new Error(`${request.path} was answered ${status}: ${text}`);
}

async function measurePages(site: Site, running: Running, account: Account, figures: Figures): Promise<void> {
  const pid = running.process.pid ?? 0;
  for (const { name, path: page, body } of PAGES) {
    const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' };
    const sent = body === undefined ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(body) };
    const path = `/dashboard/api/v1/projects/${account.projectId}${page}`;
    const call = () => mustAsk(running, { ...sent, path, headers });
    const first = await spent(site, pid, call);
    const later = [];
    for (let repeat = 0; repeat < REPEATS; repeat += 1) later.push(await spent(site, pid, call));
    const cpu = median(later.map(({ cpuMs }) => cpuMs));
    figures.set(name, `${whole(first.ms)}, ${whole(cpu)}`);
    console.error(
      `  ${name}: CPU ${whole(first.cpuMs)} then ${whole(cpu)} ms, wall ${whole(first.ms)} then ${whole(median(later.map(({ ms }) => ms)))} ms`,
    );
  }
}

async function measureSettle(site: Site, projectId: string, figures: Figures): Promise<void> {
  const store = await openStore(site);
  const submission = await submissionsOf(store, { projectId, newPeople: 1 });
  const settle = (count: number) => {
    let left = count;
    const work = async () => {
      while (left > 0) {
        left -= 1;
        const { result } = await store.settle(submission(), 60_000);
        if (result !== 'admitted') throw new Error(`settle: ${result}`);
      }
    };
    return spent(site, process.pid, () => Promise.all(Array.from({ length: 64 }, work)));
  };
  await settle(WARM_UP_SETTLES);
  const perSettle: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const { cpuMs, ms } = await settle(SETTLES);
    perSettle.push((cpuMs / SETTLES) * 1_000);
    console.error(
      `  settle: CPU ${whole(perSettle.at(-1) ?? 0)} µs, ${whole((SETTLES / ms) * 1_000)} a second`,
    );
  }
  figures.set('settle of a new person, CPU µs', whole(median(perSettle)));
  await measureSweep(site, store, figures);
  await store.close();
}

/** Two days later, the first people are past their 30 days. */
async function measureSweep(site: Site, store: Store, figures: Figures): Promise<void> {
  const now = Date.now() + 2 * DAY_MS;
  const kept = { logRetentionMs: 30 * DAY_MS, outcomeRetentionMs: 180 * DAY_MS };
  const limits = { ...kept, logMaxRows: NO_LIMIT, maxRows: 500 };
  const until = performance.now() + 10_000;
  const { cpuMs, result } = await spent(site, process.pid, async () => {
    let removed = 0;
    for (let step = 1; step > 0 && performance.now() < until; removed += step)
      step = await store.sweep(now, limits);
    return removed;
  });
  figures.set('sweep, rows per CPU second', result === 0 ? '–' : whole((result / cpuMs) * 1_000));
}

async function measure(site: Site, people: number): Promise<Figures> {
  const figures: Figures = new Map();
  const dns = await startDnsServer(
    ordinaryMail('gmail.com', 'outlook.com', 'mail-house.net', 'yahoo.com', 'icloud.com', 'mailinator.com'),
  );
  const account = await fill(site, people, dns.address);
  const bytes = await site.sizeBytes();
  figures.set('size, MB', whole(bytes / 1e6));
  figures.set('bytes per person', people === 0 ? '–' : whole(bytes / people));
  await site.readOnce();
  await measureService(site, account, dns.address, figures);
  await measureSettle(site, account.projectId, figures);
  await measureBackup(site, figures);
  await dns.close();
  return figures;
}

async function fill(site: Site, people: number, dns: string): Promise<Account> {
  const account = await createAccounts(site);
  const first = await startService(site, dns);
  await sendSamples(first, account);
  await first.stop();
  if (people === 0) return account;
  const to = Date.now() - DAY_MS / 24;
  const filled = await spent(site, process.pid, () =>
    fillStore(site.runSql, { ...account, backEnd: site.backEnd, people, from: to - 29 * DAY_MS, to }),
  );
  console.error(`  filled in ${whole(filled.ms / 1000)} s`);
  const store = await openStore(site);
  while ((await store.statistics.merge(account.projectId)) > 0);
  await store.close();
  return account;
}

async function measureService(site: Site, account: Account, dns: string, figures: Figures): Promise<void> {
  const starts: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const running = await startService(site, dns);
    starts.push(cpuMsOf(running.process.pid ?? 0));
    if (repeat === REPEATS - 1) await measurePages(site, running, account, figures);
    await running.stop();
  }
  figures.set('start-up, CPU ms', whole(median(starts)));
}

async function measureBackup(site: Site, figures: Figures): Promise<void> {
  if (site.backEnd === 'postgres') return;
  const to = join(site.dataDir, 'backup.db');
  const { cpuMs, ms } = await spent(site, process.pid, () => backUpStore(site, to));
  figures.set('backup, CPU s (wall)', `${(cpuMs / 1000).toFixed(1)} (${(ms / 1000).toFixed(1)})`);
}

async function sqliteSite(dataDir: string): Promise<Site> {
  const service = createRequire(new URL('../packages/service/package.json', import.meta.url));
  const Libsql = service('libsql') as new (file: string) => { exec(sql: string): void; close(): void };
  const file = join(dataDir, 'postern.db');
  let connection: InstanceType<typeof Libsql> | undefined;
  return {
    backEnd: 'sqlite',
    dataDir,
    databaseUrl: undefined,
    databasePids: async () => [],
    async runSql(sql) {
      connection ??= new Libsql(file);
      // Without a journal every page is written once. The service turns the write-ahead log on again.
      connection.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000');
      connection.exec(`BEGIN; ${sql}; COMMIT`);
    },
    async sizeBytes() {
      const open = connection ?? new Libsql(file);
      open.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      open.close();
      connection = undefined;
      return (await stat(file)).size;
    },
    readOnce: () => finished(createReadStream(file, { highWaterMark: 1 << 20 }).resume()),
  };
}

async function postgresSite(dataDir: string, url: string): Promise<Site & { close: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // As a replica the session runs no triggers, so it writes no deliveries. The statistics are filled from the people.
  await client.query('SET synchronous_commit = off; SET session_replication_role = replica');
  return {
    backEnd: 'postgres',
    dataDir,
    databaseUrl: url,
    databasePids: () => backendsOf(client),
    async runSql(sql) {
      await client.query(sql);
    },
    async sizeBytes() {
      await client.query('VACUUM ANALYZE');
      const { rows } = await client.query('SELECT pg_database_size(current_database()) AS size');
      return Number(rows[0]?.size);
    },
    async readOnce() {
      await client.query('CREATE EXTENSION IF NOT EXISTS pg_prewarm');
      const { rows } = await client.query(RELATIONS_TO_READ);
      for (const { oid, mode } of rows) await client.query('SELECT pg_prewarm($1::oid, $2)', [oid, mode]);
    },
    close: () => client.end(),
  };
}

const sizes = values.sizes.split(',').map(Number);
const results = startResults(
  'Growth',
  'Each person has one inbox, one device and one log row within 29 days. Pages: ms of the first call, then CPU ms of later ones. Searches stop after 150 ms.',
);
for (const backEnd of ['sqlite', 'postgres'] as const) {
  if (values.store !== undefined && values.store !== backEnd) continue;
  const columns: Figures[] = [];
  for (const people of sizes) {
    console.error(`${backEnd}, ${whole(people)} people`);
    const dataDir = await mkdtemp(join(tmpdir(), 'postern-growth-'));
    const server = backEnd === 'postgres' ? await postgresServer(DATABASE_SETTINGS) : undefined;
    const postgres = server && (await postgresSite(dataDir, (await server.database()).url));
    try {
      columns.push(await measure(postgres ?? (await sqliteSite(dataDir)), people));
    } finally {
      await postgres?.close();
      await server?.remove();
      await rm(dataDir, { recursive: true, force: true });
    }
  }
  results.print(`### ${backEnd === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`);
  results.print();
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  results.table(
    ['people', ...sizes.map(whole)],
    names.map((name) => [name, ...columns.map((column) => column.get(name) ?? '–')]),
  );
}
