import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { AdministeredStore } from '../../src/store/administered-store.ts';
import { askForNeed } from './ask-for-need.ts';
import { openPostgresStore } from './open-postgres.ts';
import { PATIENCE, patientStore } from './patient-store.ts';
import { initialisePostgres, startPostgres } from './postgres-process.ts';
import type { TestDatabase } from './store-fixtures.ts';

export interface PostgresServer {
  readonly url: string;
  /** A new, empty database. */
  database(): Promise<PostgresTestDatabase>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Kills the server with SIGKILL; `start` starts it again. */
  kill(): Promise<void>;
  /** Stops the server for good and removes its files. */
  remove(): Promise<void>;
}

export interface PostgresTestDatabase extends TestDatabase {
  readonly url: string;
  /** For tests that are not about time limits and faults; those open a store as the service does. */
  open(): Promise<AdministeredStore>;
}

/**
 * A real PostgreSQL that other test files may use at the same time: the one that POSTERN_TEST_DATABASE_URL names,
 * the one that this test run shares, or its own.
 */
export async function sharedPostgresServer(): Promise<PostgresServer> {
  const given = process.env.POSTERN_TEST_DATABASE_URL;
  if (given !== undefined) return borrowed(given);
  const shared = await askForNeed('postgres');
  if (shared === undefined) return postgresServer();
  if ('missing' in shared) throw new Error(shared.missing.reason);
  return borrowed(String(shared.found));
}

/**
 * A server that can be stopped and started, from the npm package, on a free port. A configured one is still used if
 * there is one.
 */
export async function postgresServer(
  ownSettings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const given = process.env.POSTERN_TEST_DATABASE_URL;
  if (given !== undefined) return borrowed(given);
  const folder = await mkdtemp(join(tmpdir(), 'postern-postgres-'));
  await initialisePostgres(folder);
  const settings = { max_connections: '200', ...ownSettings };
  let server = await startPostgres(folder, settings);
  const { url, port } = server;
  return {
    url,
    database: () => makeDatabase(url),
    stop: () => server.stop(),
    kill: () => server.kill(),
    async start() {
      server = await startPostgres(folder, settings, port);
    },
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
    kill: refuse,
    remove: () => Promise.resolve(),
  };
}

async function makeDatabase(serverUrl: string): Promise<PostgresTestDatabase> {
  const name = `postern_test_${process.pid}_${Math.floor(Math.random() * 1e9).toString(36)}`;
  await onServer(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    open: async () => patientStore(await openPostgresStore({ url: url.href, patience: PATIENCE })),
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
