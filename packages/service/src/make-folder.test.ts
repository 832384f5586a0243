import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

const own = mkdtempSync(join(tmpdir(), 'postern-folder-'));
afterAll(() => rmSync(own, { recursive: true }));

test('a folder is made with those above it, once or again, for its owner’s eyes only', () => {
  const folder = join(own, 'one', 'two', 'three');
  makeFolder(folder);
  makeFolder(folder);
  for (const place of [folder, join(own, 'one')]) expect(statSync(place).mode & 0o777).toBe(0o700);
});

test('what cannot be made is an error at once', () => {
  const file = join(own, 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(join(file, 'below'))).toThrow(/ENOTDIR/);
});

test.runIf(process.platform === 'linux')('so it is under /proc, where Node would try for ever', () => {
  expect(() => makeFolder('/proc/postern/data')).toThrow(/ENOENT/);
});
