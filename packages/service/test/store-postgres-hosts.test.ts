import { chmod, chown, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseDatabaseUrl } from '../src/store/postgres/database-target.ts';
import { freePort } from './support/free-port.ts';
import { openPostgresStore } from './support/open-postgres.ts';
import { type PostgresServer, type PostgresTestDatabase, sharedPostgresServer } from './support/postgres.ts';
import {
  initialisePostgres,
  type PostgresProcess,
  postgresUser,
  startPostgres,
} from './support/postgres-process.ts';
import { admitted, makeCaller, submissionOf } from './support/store-fixtures.ts';

const tls = (name: string) => fileURLToPath(new URL(`./support/tls/${name}.pem`, import.meta.url));
const ours = process.env.POSTERN_TEST_DATABASE_URL === undefined;

describe('a URL with several hosts', () => {
  let server: PostgresServer;
  let database: PostgresTestDatabase;
  beforeAll(async () => {
    server = await sharedPostgresServer();
    database = await server.database();
  });
  afterAll(async () => {
    await database?.remove();
    await server?.remove();
  });

  /** The URL of the database with these hosts. */
  function withHosts(...hosts: string[]): string {
    const { username, password, pathname } = new URL(database.url);
    return `postgres://${username}:${password}@${hosts.join(',')}${pathname}`;
  }
  const own = () => new URL(database.url).host;

  it('leads to the second where the first is dead', async () => {
    const dead = `127.0.0.1:${await freePort()}`;
    const store = await openPostgresStore({ url: withHosts(dead, own()) });
    expect(admitted(await store.settle(submissionOf(await makeCaller(store)))).quota.used).toBe(1);
    expect((await store.describe()).place).toContain(own());
    await store.close();
  });

  it('says that none can be used, and why the last cannot', async () => {
    const [one, two] = [await freePort(), await freePort()];
    const opening = openPostgresStore({ url: withHosts(`127.0.0.1:${one}`, `127.0.0.1:${two}`) });
    await expect(opening).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(opening).rejects.toThrow(/None of the 2 hosts .* refuses connections/);
  });

  it.runIf(ours)('leads to the second where the first is read-only, and follows the primary', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'postern-hosts-'));
    await chmod(folder, 0o711);
    await initialisePostgres(join(folder, 'data'));
    const readOnly = { default_transaction_read_only: 'on' };
    const other = await startPostgres(join(folder, 'data'), readOnly);
    const name = new URL(database.url).pathname.slice(1);
    await onServer(other.url, 'SET default_transaction_read_only = off', `CREATE DATABASE ${name}`);
    try {
      const first = `127.0.0.1:${other.port}`;
      const store = await openPostgresStore({ url: withHosts(first, own()) });
      const caller = await makeCaller(store);
      expect(admitted(await store.settle(submissionOf(caller))).quota.used).toBe(1);
      await store.close();
      // One host that may be read only, as libpq’s `any`: the first write says why it cannot be used.
      const alone = openPostgresStore({ url: `${withHosts(first)}?target_session_attrs=any` });
      await expect(alone).rejects.toMatchObject({ code: '25006' });
      const asked = openPostgresStore({ url: `${withHosts(first)}?target_session_attrs=read-write` });
      await expect(asked).rejects.toMatchObject({ code: '25006' });
    } finally {
      await other.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it.each([
    ['postgres://a:b@one,two:5433/db', ['one:5432', 'two:5433'], true],
    ['postgres://a:b@[::1]:5433/db', ['::1:5433'], false],
    ['postgres://a:p%40ss@one/db?target_session_attrs=primary', ['one:5432'], true],
    ['postgresql:///db?host=/var/run/postgresql', ['/var/run/postgresql:5432'], false],
    ['postgres://a:p@ss@one/db', ['one:5432'], false],
  ])('%s is read as libpq reads it', (url, hosts, needsPrimary) => {
    const target = parseDatabaseUrl(url);
    expect(target.hosts.map(({ host, port }) => `${host}:${port}`)).toEqual(hosts);
    expect([target.needsPrimary, target.settings.database]).toEqual([needsPrimary, 'db']);
  });

  it.each([
    ['postgres://a@one/db?target_session_attrs=standby', /target_session_attrs/],
    ['postgres://a@one/db?sslmode=maybe', /sslmode/],
    ['postgres://a@one/db?sslrootcert=/no/such/file.pem', /sslrootcert .* cannot be read/],
    ['postgres://a@one:port/db', /cannot be read/],
  ])('%s is refused with the reason', (url, words) => {
    expect(() => parseDatabaseUrl(url)).toThrow(words);
  });
});

describe.runIf(ours)('PostgreSQL with TLS and a private CA', () => {
  let folder: string;
  let server: PostgresProcess;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postern-tls-'));
    await chmod(folder, 0o711);
    const data = join(folder, 'data');
    await initialisePostgres(data);
    const { uid, gid } = postgresUser();
    for (const name of ['database-cert', 'database-key']) {
      const copy = join(data, `${name}.pem`);
      await copyFile(tls(name), copy);
      await chmod(copy, 0o600);
      if (uid !== undefined && gid !== undefined) await chown(copy, uid, gid);
    }
    const files = { ssl_cert_file: 'database-cert.pem', ssl_key_file: 'database-key.pem' };
    server = await startPostgres(data, { ssl: 'on', listen_addresses: 'localhost', ...files });
  });
  afterAll(async () => {
    await server?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  const at = (host: string, parameters: string) =>
    `postgres://postern:postern@${host}:${server.port}/postgres?${parameters}`;

  it('is used encrypted where the CA is the right one', async () => {
    const store = await openPostgresStore({
      url: at('localhost', `sslmode=verify-full&sslrootcert=${tls('private-ca')}`),
    });
    expect(admitted(await store.settle(submissionOf(await makeCaller(store)))).quota.used).toBe(1);
    const watcher = new pg.Client({ connectionString: server.url });
    await watcher.connect();
    const { rows } = await watcher.query(
      `SELECT bool_and(ssl) AS encrypted, count(*)::INT AS connections FROM pg_stat_ssl
       JOIN pg_stat_activity USING (pid) WHERE application_name = 'postern'`,
    );
    await watcher.end();
    await store.close();
    expect(rows[0]).toMatchObject({ encrypted: true });
    expect(rows[0]?.connections).toBeGreaterThan(0);
  });

  it.each(['verify-full', 'verify-ca', 'require'])(
    'is refused with %s where another CA is given, in words',
    async (mode) => {
      const opening = openPostgresStore({
        url: at('localhost', `sslmode=${mode}&sslrootcert=${tls('other-ca')}`),
      });
      await expect(opening).rejects.toMatchObject({ name: 'StoreUnavailable', lasting: true });
      await expect(opening).rejects.toThrow(/not signed by a trusted CA.*sslrootcert/);
    },
  );

  it('is refused under another name, except with verify-ca', async () => {
    const ca = `sslrootcert=${tls('private-ca')}`;
    await expect(openPostgresStore({ url: at('127.0.0.1', `sslmode=verify-full&${ca}`) })).rejects.toThrow(
      /for another host name/,
    );
    await (await openPostgresStore({ url: at('127.0.0.1', `sslmode=verify-ca&${ca}`) })).close();
    await (await openPostgresStore({ url: at('127.0.0.1', 'sslmode=no-verify') })).close();
  });
});

it('a server without TLS is refused in words where TLS is asked for', async () => {
  const server = await sharedPostgresServer();
  const url = new URL(server.url);
  url.searchParams.set('sslmode', 'verify-full');
  await expect(openPostgresStore({ url: url.href })).rejects.toThrow(/does not offer TLS/);
  await server.remove();
});

async function onServer(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const sql of statements) await client.query(sql);
  } finally {
    await client.end();
  }
}
