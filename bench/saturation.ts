/**
 * `npm run bench -- --saturation`: finds the load that saturates the service, then offers twice as much and looks at
 * what is answered and at the memory, on both stores. Ends with 1 if an answer is none of 200, 429 and 503, or if the
 * memory grows by more than a tenth over the last half.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { createKey } from '../packages/service/dist/administration/keys.js';
import { createProject } from '../packages/service/dist/administration/projects.js';
import { openStore } from '../packages/service/dist/open-store.js';
import { ordinaryMail, startDnsServer } from '../packages/service/test/support/dns-server.ts';
import { postgresServer } from '../packages/service/test/support/postgres.ts';
import { growthOver, type MemorySample } from './memory-growth.ts';
import { pinned, startServer } from './processes.ts';

const HELP = `npm run bench -- --saturation [--minutes N] [--store sqlite|postgres] [--connections N] [--workers N]

Offers twice the saturating load for N minutes (10) with at most N connections (2,000), on both stores or on one.
The service runs with N workers (1).`;

const MAIN = fileURLToPath(new URL('../packages/service/dist/bundle/main.js', import.meta.url));
const LOAD = fileURLToPath(new URL('./offered-load.mjs', import.meta.url));
const DOMAINS = ['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'mail-house.net'];
const NO_LIMIT = 1_000_000_000;
const KINDS = 400;
/** People come again, so that ten minutes do not fill the disk. */
const PEOPLE = 200_000;
const ALLOWED = ['200', '429', '503'];
const MAX_GROWTH = 0.1;
/** The service answers within two seconds; ten are for a machine that is busy with other work. */
const ANSWER_LIMIT_MS = 10_000;

interface Offered {
  readonly sent: number;
  readonly withheld: number;
  readonly mostOpen: number;
  readonly seconds: number;
  readonly answers: readonly {
    readonly status: string;
    readonly count: number;
    readonly p50: number;
    readonly p99: number;
  }[];
  readonly refused: number;
  readonly lost: number;
  readonly unanswered: number;
}

interface Load {
  readonly url: string;
  readonly templates: readonly string[];
  readonly people: number;
  readonly seconds: number;
  readonly connections?: number;
  readonly maxConnections?: number;
  readonly rate?: number;
  readonly answerLimitMs: number;
}

async function offerLoad(load: Load): Promise<Offered> {
  const [command, args] = pinned('1', process.execPath, [LOAD]);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(load));
  return JSON.parse(await text(child.stdout)) as Offered;
}

/** Whole requests: pages with the client key and a backend with the server key, for people of every domain. */
function requestsOf(project: string, clientKey: string, serverKey: string): string[] {
  return Array.from({ length: KINDS }, (_, at) => {
    const fromPage = at % 2 === 0;
    const body = JSON.stringify({
      email: `person.number########@${DOMAINS[at % DOMAINS.length]}`,
      fingerprintHash: `${randomBytes(12).toString('hex')}########`,
      ...(!fromPage && { ip: '2a02:####:####::1' }),
    });
    // One page in twenty is behind an address that many share, so the visitor limit is reached.
    const visitor = at % 40 === 0 ? `81.2.69.${at / 40}` : '2a02:####:####::1';
    const who = fromPage
      ? `authorization: Bearer ${clientKey}\r\norigin: https://shop.example\r\nx-forwarded-for: ${visitor}\r\nuser-agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`
      : `authorization: Bearer ${serverKey}`;
    return `POST /validate HTTP/1.1\r\nhost: bench\r\n${who}\r\nx-project-id: ${project}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  });
}

async function startTarget(databaseUrl: string | undefined, workers: number) {
  const dataDir = await mkdtemp(join(tmpdir(), 'postern-saturation-'));
  const dns = await startDnsServer(ordinaryMail(...DOMAINS));
  const running = await startServer(
    ['--max-semi-space-size=16', MAIN],
    {
      POSTERN_PORT: '0',
      POSTERN_DATA_DIR: dataDir,
      POSTERN_DNS_SERVERS: dns.address,
      POSTERN_FEEDS: 'off',
      POSTERN_DEMO: 'off',
      POSTERN_LOG_MAX_ROWS: '200000',
      POSTERN_WORKERS: String(workers),
      ...(databaseUrl !== undefined && { POSTERN_DATABASE_URL: databaseUrl }),
    },
    /"address":"([^"]+)".*Postern is ready/,
  );
  const store = await openStore({ dataDir, databaseUrl });
  const admin = { store, now: Date.now, randomBytes, plans: new Map([['free', 1]]), actor: 'bench' };
  const limits = { quotaLimit: NO_LIMIT, rateServer: NO_LIMIT, rateClient: NO_LIMIT };
  const { id } = await createProject(admin, {
    id: 'bench',
    name: 'Bench',
    allowedDomains: ['shop.example'],
    ...limits,
  });
  const [client, server] = [
    await createKey(admin, { projectId: id, type: 'client' }),
    await createKey(admin, { projectId: id, type: 'server' }),
  ];
  await store.close();
  return {
    url: running.url,
    pid: running.process.pid ?? 0,
    templates: requestsOf(id, client.secret, server.secret),
    close: async () => {
      await running.stop();
      await dns.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const run = promisify(execFile);

/** The process and its workers. */
async function residentMegabytes(pid: number): Promise<number> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,rss=']);
  const processes = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const own = processes.filter(([id, parent]) => id === pid || parent === pid);
  return own.reduce((sum, [, , kilobytes = 0]) => sum + kilobytes, 0) / 1024;
}

/** Samples the memory until it is stopped. */
function watchMemory(pid: number, everyMs: number) {
  const samples: MemorySample[] = [];
  const started = performance.now();
  const timer = setInterval(() => {
    residentMegabytes(pid).then(
      (megabytes) => samples.push({ seconds: (performance.now() - started) / 1000, megabytes }),
      () => {},
    );
  }, everyMs);
  return { samples, stop: () => clearInterval(timer) };
}

const count = (value: number) => Math.round(value).toLocaleString('en');

/** Reports one store. Answers what is wrong. */
async function saturate(
  name: string,
  databaseUrl: string | undefined,
  options: { readonly seconds: number; readonly maxConnections: number; readonly workers: number },
): Promise<string[]> {
  const target = await startTarget(databaseUrl, options.workers);
  const { url, templates } = target;
  const common = { url, templates, people: PEOPLE, answerLimitMs: ANSWER_LIMIT_MS };
  try {
    const probeSeconds = Math.min(10, Math.max(3, options.seconds / 6));
    await offerLoad({ ...common, seconds: probeSeconds, connections: 64 });
    let saturating = 0;
    for (const connections of [64, 512]) {
      const { answers } = await offerLoad({ ...common, seconds: probeSeconds, connections });
      const answered = answers.filter(({ status }) => status === '200' || status === '429');
      saturating = Math.max(saturating, answered.reduce((sum, seen) => sum + seen.count, 0) / probeSeconds);
    }
    const rate = Math.max(1, Math.round(saturating * 2));
    console.log(
      `\n${name}: saturated at ${count(saturating)} a second, so ${count(rate)} a second are offered`,
    );

    const memory = watchMemory(target.pid, Math.min(10_000, (options.seconds * 1000) / 20));
    const offered = await offerLoad({ ...common, ...options, rate });
    memory.stop();
    report(offered, memory.samples);
    return faultsOf(name, offered, growthOver(memory.samples));
  } finally {
    await target.close();
  }
}

function report(offered: Offered, samples: readonly MemorySample[]): void {
  for (const { status, count: answers, p50, p99 } of offered.answers)
    console.log(`  ${status}: ${count(answers).padStart(10)}   p50 ${p50} ms, p99 ${p99} ms`);
  const { refused, lost, unanswered, withheld, mostOpen } = offered;
  console.log(
    `  ${count(offered.sent)} sent over at most ${count(mostOpen)} connections; ${count(withheld)} withheld, because all were in use`,
  );
  console.log(
    `  connections: ${count(refused)} not opened, ${count(lost)} lost with a request, ${count(unanswered)} unanswered after ${ANSWER_LIMIT_MS / 1000} s`,
  );
  console.log(`  memory, MB: ${samples.map(({ megabytes }) => Math.round(megabytes)).join(' ')}`);
  console.log(`  memory over the last half: ${(growthOver(samples) * 100).toFixed(1)}%`);
}

function faultsOf(name: string, { answers }: Offered, growth: number): string[] {
  const others = answers.filter(({ status }) => !ALLOWED.includes(status));
  const faults = others.map(({ status, count: seen }) => `${name}: ${count(seen)} answers were ${status}`);
  if (!answers.some(({ status }) => status === '200')) faults.push(`${name}: no answer was 200`);
  if (growth > MAX_GROWTH)
    faults.push(`${name}: the memory grew by ${(growth * 100).toFixed(1)}% over the last half`);
  return faults;
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    store: { type: 'string' },
    connections: { type: 'string', default: '2000' },
    workers: { type: 'string', default: '1' },
    help: { type: 'boolean' },
  },
});
const options = {
  seconds: Number(values.minutes) * 60,
  maxConnections: Number(values.connections),
  workers: Number(values.workers),
};
const stores = values.store === undefined ? ['sqlite', 'postgres'] : [values.store];
if (
  values.help ||
  !(options.seconds > 0) ||
  !(options.maxConnections > 0) ||
  !(options.workers > 0) ||
  stores.some((store) => store !== 'sqlite' && store !== 'postgres')
) {
  console.log(HELP);
  process.exit(values.help ? 0 : 2);
}
const faults: string[] = [];
if (stores.includes('sqlite')) faults.push(...(await saturate('SQLite', undefined, options)));
if (stores.includes('postgres')) {
  const server = await postgresServer();
  try {
    faults.push(...(await saturate('PostgreSQL', (await server.database()).url, options)));
  } finally {
    await server.remove();
  }
}
for (const fault of faults) console.error(fault);
console.log(
  faults.length === 0 ? '\nOnly 200, 429 and 503, and the memory is flat.' : '\nSomething is wrong.',
);
// The embedded PostgreSQL’s package replaces the exit status of a process that ends by itself.
process.exit(faults.length === 0 ? 0 : 1);
