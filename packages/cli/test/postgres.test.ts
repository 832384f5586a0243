import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresServer, sharedPostgresServer } from '../../service/test/support/postgres.ts';
import { freshFolder, posternOn } from './support/postern.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await sharedPostgresServer();
});
afterAll(() => server?.remove());

test('everything moves from the embedded store to PostgreSQL, where the commands go on', async () => {
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

test('a server that does not answer ends in one line that tells no password', async () => {
  const postern = posternOn({ POSTERN_DATABASE_URL: 'postgres://me:sesame@127.0.0.1:9/postern' });
  const { code, out, error } = await postern('project', 'list');
  expect([code, out]).toEqual([1, '']);
  expect(error).not.toContain('sesame');
  expect(error.trim().split('\n')).toHaveLength(1);
});
