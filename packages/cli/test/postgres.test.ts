import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseProxy } from '../../service/test/support/database-proxy.ts';
import { type PostgresServer, sharedPostgresServer } from '../../service/test/support/postgres.ts';
import { freshFolder, posternOn } from './support/postern.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await sharedPostgresServer();
});
afterAll(() => server?.remove());

test('everything moves from the embedded store to PostgreSQL, and the commands work there', async () => {
  const folder = await freshFolder();
  const embedded = posternOn({ POSTERN_DATA_DIR: folder });
  const postgres = posternOn({
    POSTERN_DATA_DIR: folder,
    POSTERN_DATABASE_URL: (await server.database()).url,
  });
  await embedded(
    'project',
    'create',
    '--id',
    'shop',
    '--allow-domain',
    'example.com',
    '--action',
    'ip=block',
  );
  await embedded('key', 'create', '--project', 'shop', '--type', 'client', '--name', 'Seite “Start”');

  const file = join(folder, 'everything.jsonl');
  await embedded('export', file);
  expect((await postgres('migrate', '--json')).json).toMatchObject({ backEnd: 'postgres' });
  expect((await postgres('import', file, '--json')).json.rows).toMatchObject({ project: 1, api_key: 1 });
  for (const noun of ['project', 'key']) {
    const moved = await postgres(noun, 'list', '--json');
    expect(moved.json).toEqual((await embedded(noun, 'list', '--json')).json);
  }

  const { json: key } = await postgres('key', 'create', '--project', 'shop', '--type', 'server', '--json');
  expect((await postgres('key', 'regenerate', key.id, '--json')).json.key).not.toBe(key.key);
  expect((await postgres('key', 'revoke', key.id, '--json')).json.status).toBe('revoked');
  expect((await postgres('project', 'create', '--id', 'shop')).code).toBe(1);
  expect((await postgres('project', 'update', 'shop', '--quota', '5', '--json')).json.quotaLimit).toBe(5);
});

test('a server that does not answer is waited for, with the reason on standard error, which tells no password', async () => {
  const url = 'postgres://me:sesame@127.0.0.1:9/postern';
  const { code, out, error } = await posternOn({ POSTERN_DATABASE_URL: url }, { patienceMs: 5_000 })(
    'project',
    'list',
  );
  expect([code, out]).toEqual([1, '']);
  const lines = error.trim().split('\n');
  expect(lines[0]).toMatch(/^Waiting for the store, 0 of at most 5 seconds: .*\(ECONNREFUSED\)$/);
  expect(lines.at(-1)).toMatch(/^postern: The database refuses connections\..*\(ECONNREFUSED\)$/);
  expect(error).not.toMatch(/sesame|127\.0\.0\.1/);
});

test('a command goes on when the server is there', async () => {
  const database = await server.database();
  const proxy = await databaseProxy(database.url);
  await proxy.shut();
  const listing = posternOn({ POSTERN_DATABASE_URL: proxy.through(database.url) }, { patienceMs: 60_000 })(
    'project',
    'list',
  );
  const opened = new Promise((resolve) => setTimeout(resolve, 1_500)).then(() => proxy.open());
  const [{ code, error }] = await Promise.all([listing, opened]);
  await proxy.close();
  await database.remove();
  expect(code).toBe(0);
  expect(error).toContain('Waiting for the store');
});

test('doctor does not wait, and says why the store cannot be used and what to do', async () => {
  const url = 'postgres://me:sesame@127.0.0.1:9/postern';
  const settings = {
    POSTERN_DATABASE_URL: url,
    POSTERN_DNS_CANARIES: 'off',
    POSTERN_DNS_SERVERS: '127.0.0.1:9',
  };
  const { json } = await posternOn(settings)('doctor', '--json');
  const store = json.parts.find(({ part }: { part: string }) => part === 'store');
  expect(store).toMatchObject({ state: 'fault', says: 'The database refuses connections (ECONNREFUSED)' });
  expect(store.advice).toContain('POSTERN_DATABASE_URL');
});
