import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { freshFolder, posternIntoClosedPipe, posternProcess } from './support/postern.ts';

// The other tests of the commands run them inside their own process. These are about what only a process shows.

test('--version prints the package’s version, with the commit if the build knew it', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const { code, out, error } = await posternProcess({})('--version');
  expect([code, out.replace(/ \([0-9a-f]{7}\)/, ''), error]).toEqual([0, `${version}\n`, '']);
});

test('the settings are read from the environment, and the exit status tells what happened', async () => {
  const settings = { POSTERN_DATA_DIR: await freshFolder() };
  const postern = posternProcess(settings);
  const made = await postern('project', 'create', '--id', 'shop', '--json');
  expect([made.code, made.json.id, made.error]).toEqual([0, 'shop', '']);
  const twice = await postern('project', 'create', '--id', 'shop');
  expect([twice.code, twice.out]).toEqual([1, '']);
  expect(twice.error).toMatch(/^postern: /);
  const invalid = await posternProcess({ ...settings, POSTERN_PORT: 'x' })('project', 'list');
  expect([invalid.code, invalid.out]).toEqual([2, '']);
  expect(invalid.error).toContain('POSTERN_PORT');
});

test('standard input is read: a password, and an export', async () => {
  const [full, empty] = [
    { POSTERN_DATA_DIR: await freshFolder() },
    { POSTERN_DATA_DIR: await freshFolder() },
  ];
  const create = ['user', 'create', '--email', 'a@example.com', '--password-stdin'];
  const short = await posternProcess(full, 'short\n')(...create);
  expect([short.code, short.out]).toEqual([2, '']);
  expect((await posternProcess(full, 'correct horse battery\n')(...create)).code).toBe(0);
  const { out: exported } = await posternProcess(full)('export', '-');
  expect((await posternProcess(empty, exported)('import', '-')).code).toBe(0);
});

test('a reader that stops early, such as head, is not a fault', async () => {
  expect(await posternIntoClosedPipe('--help')).toEqual({ code: 0, error: '' });
});
