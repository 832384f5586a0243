import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

const own = mkdtempSync(join(tmpdir(), 'postern-folder-'));
afterAll(() => rmSync(own, { recursive: true }));

test('creates a folder and its missing parents, readable only by the owner, and again without an error', () => {
  const folder = join(own, 'one', 'two', 'three');
  makeFolder(folder);
  makeFolder(folder);
  for (const place of [folder, join(own, 'one')]) expect(statSync(place).mode & 0o777).toBe(0o700);
});

test('fails immediately if a folder cannot be created', () => {
  const file = join(own, 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(join(file, 'below'))).toThrow(/ENOTDIR/);
});

test.runIf(process.platform === 'linux')('so it is under /proc, where Node would try for ever', () => {
  expect(() => makeFolder('/proc/postern/data')).toThrow(/ENOENT/);
});
