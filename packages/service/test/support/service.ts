import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../dist/open-store.js';
import { createProject, updateProject } from '../../dist/operations/change-project.js';
import { type DnsServer, ordinaryMail, startDnsServer, type Zone } from './dns-server.ts';
import { requireFreshBundle } from './fresh-bundle.ts';
import { type Answer, type Ask, ask } from './http-client.ts';
import { createKey, regenerateKey, revokeKey } from './keys.ts';
import { OWN_ENVIRONMENT } from './own-environment.ts';
import { PATIENCE, patientStore } from './patient-store.ts';
import './quick-passwords.mjs';

const MAIN = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));
const preload = (name: string) => `--import=${new URL(name, import.meta.url).href}`;
const QUICK_PASSWORDS = preload('./quick-passwords.mjs');
const SLOW_CLOCK = preload('./slow-clock.mjs');
const PLANS = new Map([
  ['free', 10_000],
  ['pro', 100_000],
]);

/** Domains that the loopback resolver knows in every test; the canaries are among them. */
export const KNOWN_MAIL: Zone = ordinaryMail(
  'gmail.com',
  'outlook.com',
  'yahoo.com',
  'icloud.com',
  'mail-house.net',
);

export interface ServiceOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** `null`: a resolver without answers. */
  readonly zone?: Zone | null;
  readonly dataDir?: string;
  /** The most file descriptors that it may have open (Linux). */
  readonly descriptors?: number;
  /** The entry file of another build of the service. */
  readonly main?: string;
  /** The certificate to trust, if the settings turn on HTTPS. */
  readonly ca?: Buffer;
  /** Hashes passwords at the usual cost. Then `member` does not work, because it hashes in the test’s process. */
  readonly slowPasswords?: true;
  /** Answers 503 as soon as in production. Otherwise a busy machine may take much longer for a request. */
  readonly realDeadlines?: true;
}

export interface TestService {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  /** The settings it was started with, in addition to the usual ones. */
  readonly env: Readonly<Record<string, string>>;
  readonly dns: DnsServer;
  readonly process: ChildProcess;
  /** Everything printed so far. */
  readonly output: () => string;
  readonly ask: (ask: Ask) => Promise<Answer>;
  readonly makeProject: (fields?: Partial<Parameters<typeof createProject>[1]>) => Promise<TestProject>;
  readonly admin: <T>(work: (admin: Admin) => Promise<T>) => Promise<T>;
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
  readonly close: () => Promise<void>;
}

type Admin = Parameters<typeof createProject>[0];

export interface TestProject {
  readonly id: string;
  readonly clientKey: string;
  readonly serverKey: string;
  readonly clientKeyId: string;
  readonly serverKeyId: string;
  /** A validation with the server key. */
  readonly validate: (body: unknown, headers?: Record<string, string>) => Promise<Answer>;
  /** A validation with the client key, from an allowed page. */
  readonly validateFromPage: (body: unknown, headers?: Record<string, string>) => Promise<Answer>;
}

/** Starts the built service as its own process, on a free port, with a resolver on loopback. */
export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  if (options.main === undefined) requireFreshBundle();
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'postern-test-')));
  const dns = await startDnsServer(options.zone === undefined ? KNOWN_MAIL : (options.zone ?? {}));
  const command = [process.execPath, options.main ?? MAIN];
  if (options.descriptors !== undefined) command.unshift('prlimit', `--nofile=${options.descriptors}`);
  const [program = '', ...args] = command;
  const preloads = [
    options.slowPasswords ? '' : QUICK_PASSWORDS,
    options.realDeadlines ? '' : SLOW_CLOCK,
    options.env?.NODE_OPTIONS ?? '',
  ];
  const child = spawn(program, args, {
    env: {
      ...OWN_ENVIRONMENT,
      POSTERN_PORT: '0',
      POSTERN_DATA_DIR: dataDir,
      POSTERN_DNS_SERVERS: dns.address,
      // A busy machine may need longer than the default for an answer from loopback.
      POSTERN_DNS_BUDGET_MS: '10000',
      POSTERN_FEEDS: 'off',
      POSTERN_DEMO: 'off',
      ...options.env,
      NODE_OPTIONS: preloads.join(' '),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  // Not at `exit`, when not all that it printed may have been read.
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      const ready = /"address":"([^"]+)".*"msg":"Postern is ready"/.exec(printed);
      if (ready?.[1] !== undefined) resolve(ready[1]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', (code) => reject(new Error(`The service ended with ${code}:\n${printed}`)));
  });

  // Kept open until the service ends: opening a store starts threads, and most tests administer several times.
  let opened: ReturnType<typeof openStore> | undefined;
  const admin: TestService['admin'] = async (work) => {
    opened ??= openStore({ databaseUrl: options.env?.POSTERN_DATABASE_URL, dataDir }, PATIENCE);
    const store = await opened.catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return work({ store: patientStore(store), now: Date.now, randomBytes, plans: PLANS, actor: 'test' });
  };
  const closeStore = async () => {
    const closing = opened;
    opened = undefined;
    await (await closing)?.close();
  };
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    await closeStore();
    child.kill(signal);
    return ended;
  };
  const service: TestService = {
    url,
    port: Number(new URL(url).port),
    dataDir,
    env: options.env ?? {},
    dns,
    process: child,
    output: () => printed,
    ask: (what) => ask(url, { ca: options.ca, ...what }),
    makeProject: (fields) => admin((using) => makeProject(using, service.ask, fields)),
    admin,
    stop,
    close: async () => {
      await (child.exitCode === null && child.signalCode === null ? stop() : ended);
      await closeStore();
      await dns.close();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
  return service;
}

async function makeProject(
  admin: Admin,
  ask: TestService['ask'],
  fields: Partial<Parameters<typeof createProject>[1]> = {},
): Promise<TestProject> {
  const id = `p-${randomBytes(6).toString('hex')}`;
  const project = await createProject(admin, {
    id,
    name: 'Test',
    allowedDomains: ['app.example'],
    ...fields,
  });
  const client = await createKey(admin, { projectId: project.id, type: 'client' });
  const server = await createKey(admin, { projectId: project.id, type: 'server' });
  const post = (body: unknown, headers: Record<string, string>) =>
    ask({
      method: 'POST',
      path: '/validate',
      headers: { 'x-project-id': project.id, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body),
    });
  return {
    id: project.id,
    clientKey: client.secret,
    serverKey: server.secret,
    clientKeyId: client.key.id,
    serverKeyId: server.key.id,
    validate: (body, headers = {}) => post(body, { authorization: `Bearer ${server.secret}`, ...headers }),
    validateFromPage: (body, headers = {}) =>
      post(body, { authorization: `Bearer ${client.secret}`, origin: 'https://app.example', ...headers }),
  };
}

export { createKey, regenerateKey, revokeKey, updateProject };
