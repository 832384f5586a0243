import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../packages/service/dist/open-store.js';
import { createProject } from '../packages/service/dist/operations/change-project.js';
import { ordinaryMail, startDnsServer } from '../packages/service/test/support/dns-server.ts';
import { createKey } from '../packages/service/test/support/keys.ts';
import { adminOf, NO_LIMIT, startPostern } from './postern.ts';
import { type Running, type Seen, sendLoad, startServer } from './processes.ts';

const PROVIDERS = ['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com'];
const BODY_COUNT = 20_000;
const MAX_FAILED = 0.05;

export interface Row extends Seen {
  readonly server: string;
  readonly connections: number;
  readonly cpuMicros: number;
}

interface Target {
  readonly running: Running;
  readonly headers: Record<string, string>;
  readonly cpuSeconds: () => Promise<number>;
}

/** How people’s names end: most without digits. A load of one shape would be an attack, and be answered as one. */
const NAME_ENDINGS = ['', '', '', '', '', '', '84', '1987', '7', '303'];

/** One sign-up of ten comes from a company with its own domain, whose mail Google hosts. */
const COMPANIES = Array.from({ length: BODY_COUNT / 10 }, (_, at) => `company-${at}.net`);
const domainAt = (at: number) =>
  (at % 10 === 9 ? COMPANIES[Math.floor(at / 10)] : PROVIDERS[at % PROVIDERS.length]) ?? '';
const COMPANY_MAIL = Object.fromEntries(
  COMPANIES.map((name) => [name, { MX: [[10, 'aspmx.l.google.com']], A: ['93.184.216.34'] }] as const),
);

/**
 * Requests as a sign-up form sends them, each from a network of its own. load.mjs replaces `########` with a number and
 * `~~~~~~~~` with letters, so that each has its own address and device.
 */
export const BODIES: readonly string[] = Array.from({ length: BODY_COUNT }, (_, at) =>
  JSON.stringify({
    email: `anna.~~~~~~~~${NAME_ENDINGS[Math.floor(at / PROVIDERS.length) % NAME_ENDINGS.length]}@${domainAt(at)}`,
    fingerprintHash: `${randomBytes(12).toString('hex')}########`,
    ip: `81.${at % 250}.${Math.floor(at / 250)}.7`,
    sdkVersion: 'bench/1.0.0',
  }),
);

export interface ServiceBench {
  readonly target: Target;
  readonly close: () => Promise<void>;
}

export interface PosternBench extends ServiceBench {
  /** The resolver’s address. */
  readonly dns: string;
}

/** The service with its embedded store and full sync, or PostgreSQL, with a warm resolver on loopback. */
export async function startServiceTarget(
  databaseUrl?: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<PosternBench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'postern-bench-'));
  const dns = await startDnsServer({
    ...ordinaryMail(...PROVIDERS),
    ...COMPANY_MAIL,
    'aspmx.l.google.com': { A: ['93.184.216.36'] },
  });
  const running = await startPostern({ dataDir, dns: dns.address, databaseUrl, environment });
  const store = await openStore({ dataDir, databaseUrl });
  const admin = adminOf(store);
  const id = `bench-${randomBytes(4).toString('hex')}`;
  const limits = { quotaLimit: NO_LIMIT, rateServer: NO_LIMIT, rateClient: NO_LIMIT, visitorRate: 0 };
  await createProject(admin, { id, name: 'Bench', ...limits });
  const type = process.env.BENCH_KEY === 'client' ? 'client' : 'server';
  const { secret } = await createKey(admin, { projectId: id, type });
  await store.close();
  return {
    target: {
      running,
      headers: {
        authorization: `Bearer ${secret}`,
        'x-project-id': id,
        'content-type': 'application/json',
        ...(type === 'client' && { origin: 'http://localhost:3000' }),
      },
      cpuSeconds: () => cpuSecondsFromMetrics(running.url),
    },
    dns: dns.address,
    close: async () => {
      await running.stop();
      await dns.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A server that answers as Postern did once, and gives its CPU time at `/cpu`. */
export async function startSampleTarget(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<ServiceBench> {
  const running = await startServer(args, environment, /(http:\/\/\S+)/);
  return {
    target: {
      running,
      headers: { 'content-type': 'application/json' },
      cpuSeconds: async () => Number(await (await fetch(`${running.url}/cpu`)).text()),
    },
    close: running.stop,
  };
}

/** Sends load for some seconds, and measures throughput, latency and the server’s CPU time. */
export async function measure(
  server: string,
  target: Target,
  connections: number,
  seconds: number,
  rate?: number,
  bodies = BODIES,
): Promise<Row> {
  const before = await target.cpuSeconds();
  const seen = await sendLoad({
    url: target.running.url,
    headers: target.headers,
    bodies,
    connections,
    seconds,
    ...(rate !== undefined && { rate }),
  });
  const spent = (await target.cpuSeconds()) - before;
  // On a starved machine a few requests exceed the store’s deadline. More than that is not the load that was meant.
  if (seen.failed > seen.total * MAX_FAILED) throw new Error(`${server}: ${seen.failed} requests failed`);
  return { server, connections, ...seen, cpuMicros: (spent / seen.total) * 1e6 };
}

const WARM_AFTER = 6_000;

/** Sends requests until V8 has compiled what they use. A cold server costs several times as much. */
export async function warmUp(name: string, { target }: ServiceBench): Promise<void> {
  for (let sent = 0; sent < WARM_AFTER; ) sent += (await measure(name, target, 64, 2)).total;
}

export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function cpuSecondsFromMetrics(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
}
