import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { freshFolder, type Postern, posternOn, posternOnFreshStore } from './support/postern.ts';

/** Two data folders: one with a project and a key, one empty. */
async function twoStores(): Promise<{ full: Postern; empty: Postern; folder: string; keyId: string }> {
  const folder = await freshFolder();
  const full = posternOn({ POSTERN_DATA_DIR: join(folder, 'full') });
  const empty = posternOn({ POSTERN_DATA_DIR: join(folder, 'empty') });
  await full('project', 'create', '--id', 'shop', '--allow-domain', 'example.com');
  const { json } = await full('key', 'create', '--project', 'shop', '--type', 'server', '--json');
  return { full, empty, folder, keyId: json.id };
}

test('migrate prints the store’s schema version', async () => {
  const { full } = await twoStores();
  const { code, json } = await full('migrate', '--json');
  expect(code).toBe(0);
  expect(json).toMatchObject({ backEnd: 'sqlite', schemaVersion: expect.any(Number) });
  expect((await full('migrate')).out).toMatch(/postern\.db is up to date/);
});

test('a backup restores its own state, without later changes', async () => {
  const { full, folder, keyId } = await twoStores();
  const file = join(folder, 'backup.db');
  const backup = await full('backup', file, '--json');
  expect(backup.json).toMatchObject({ file, sizeBytes: expect.any(Number) });
  await full('key', 'revoke', keyId);
  await full('project', 'create', '--id', 'later');

  const refused = await full('restore', file);
  expect([refused.code, refused.out]).toEqual([2, '']);
  expect(refused.error).toMatch(/--yes/);
  expect((await full('restore', file, '--yes', '--json')).json).toEqual({
    restored: file,
    setAside: null,
    needsRestart: false,
  });
  expect((await full('project', 'list', '--json')).json).toMatchObject([{ id: 'shop' }]);
  expect((await full('key', 'list', '--json')).json).toMatchObject([{ id: keyId, status: 'active' }]);
});

test('a backup never overwrites a file, and a file that is not a backup is not restored', async () => {
  const { full, folder } = await twoStores();
  const file = join(folder, 'precious.txt');
  await writeFile(file, 'precious');
  const backup = await full('backup', file);
  expect(backup.code).toBe(1);
  expect(backup.error).toMatch(/already/);
  const restored = await full('restore', file, '--yes');
  expect(restored.code).toBe(1);
  expect(restored.error).toMatch(/not a backup of Postern; nothing was changed/);
  expect(restored.error).not.toMatch(/\n\s+at /);
  expect(await readFile(file, 'utf8')).toBe('precious');
  expect((await full('project', 'list', '--json')).json).toMatchObject([{ id: 'shop' }]);
});

test('an export can be imported into an empty store without loss, once', async () => {
  const { full, empty, folder } = await twoStores();
  const file = join(folder, 'everything.jsonl');
  expect((await full('export', file, '--json')).json).toMatchObject({ file, lines: expect.any(Number) });
  const taken = await empty('import', file, '--json');
  expect(taken.json.rows).toMatchObject({ project: 1, api_key: 1 });
  for (const command of [['project'], ['key']]) {
    const [before, after] = [
      await full(...command, 'list', '--json'),
      await empty(...command, 'list', '--json'),
    ];
    expect(after.json).toEqual(before.json);
  }
  const again = await empty('import', file);
  expect(again.code).toBe(1);
  expect(again.error).toMatch(/import into an empty one/);
});

test('export to standard output prints only the export', async () => {
  const { full, empty, folder } = await twoStores();
  const { out } = await full('export', '-');
  expect(out).toMatch(/^\{"format":"postern-export"/);
  const file = join(folder, 'cut.jsonl');
  await writeFile(file, out.split('\n').slice(0, -2).join('\n'));
  const cut = await empty('import', file);
  expect(cut.code).toBe(1);
  expect(cut.error).toMatch(/cut off/);
  expect((await empty('project', 'list', '--json')).json).toEqual([]);
});

test('a folder is not an export', async () => {
  const postern = await posternOnFreshStore();
  const { code, error } = await postern('import', await freshFolder());
  expect(code).toBe(2);
  expect(error).toMatch(/There is no file/);
});

test('backup with PostgreSQL refers to its own tools', async () => {
  const postern = posternOn({ POSTERN_DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' });
  const { code, error } = await postern('backup', join(await freshFolder(), 'x.db'));
  expect(code).toBe(2);
  expect(error).toMatch(/pg_dump/);
  expect(error).toMatch(/export and import/);
});

test('a signing key that cannot be written is reported in one line', async () => {
  const file = join(await freshFolder(), 'missing', 'keys.json');
  const { code, error } = await posternOn({ POSTERN_SIGNING_KEYS: file })('signing-key', 'rotate');
  expect(code).toBe(1);
  expect(error).toMatch(/^postern: .*keys\.json.*\n$/);
  const inline = await posternOn({ POSTERN_SIGNING_KEYS: '[{"privateKey":"secret"}]' })(
    'signing-key',
    'rotate',
  );
  expect(inline).toMatchObject({
    code: 1,
    error: expect.stringMatching(/^postern: .*Save them in a file.*\n$/),
  });
  expect(inline.error).not.toContain('secret');
});

test('a store of another release is refused in one line', async () => {
  const folder = await freshFolder();
  const postern = posternOn({ POSTERN_DATA_DIR: folder });
  await postern('project', 'create', '--id', 'shop');
  const database = new Database(join(folder, 'postern.db'));
  database.exec("UPDATE schema_migration SET checksum = 'of another release'");
  database.close();
  const { code, error } = await postern('project', 'list');
  expect(code).toBe(1);
  expect(error).toMatch(/^postern: Migration 1 .* Use the release that made it\.\n$/);
});
