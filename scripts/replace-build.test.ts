import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { replaceBuild } from './replace-build.mjs';

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'postern-build-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

it('replaces the old build with the new one', () => {
  const folder = folderWith({
    'index.html': 'old',
    'icon.svg': 'same',
    'assets/old-1.js': '',
    '.next/index.html': 'new',
    '.next/icon.svg': 'same',
    '.next/assets/new-2.js': 'new',
  });
  replaceBuild(join(folder, '.next'), folder);
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  expect([read('index.html'), read('icon.svg'), read('assets/new-2.js')]).toEqual(['new', 'same', 'new']);
  expect([existsSync(join(folder, 'assets/old-1.js')), existsSync(join(folder, '.next'))]).toEqual([
    false,
    false,
  ]);
});

it('leaves a working page when it is interrupted', () => {
  const folder = folderWith({
    'index.html': 'old',
    'assets/old-1.js': '',
    // A folder is where a file must go, so the replacement stops there.
    'assets/new-2.js/in-the-way': '',
    '.next/index.html': 'new',
    '.next/assets/new-2.js': 'new',
  });
  expect(() => replaceBuild(join(folder, '.next'), folder)).toThrow();
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe('old');
  expect(existsSync(join(folder, 'assets/old-1.js'))).toBe(true);
});

it('creates the folder if it does not exist', () => {
  const folder = folderWith({ 'next/index.html': 'new' });
  replaceBuild(join(folder, 'next'), join(folder, 'dist'));
  expect(readFileSync(join(folder, 'dist/index.html'), 'utf8')).toBe('new');
});
