import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SETTINGS } from '../../service/src/settings.ts';
import { posternIntoClosedPipe, posternWith } from './support/postern.ts';

const postern = posternWith({});
const COMMANDS = [
  ...['serve', 'project', 'key', 'check', 'doctor', 'feeds', 'user'],
  ...['forget', 'migrate', 'backup', 'restore', 'export', 'import', 'signing-key'],
];

test('--help names every command and every setting', async () => {
  const { code, out } = await postern('--help');
  expect(code).toBe(0);
  for (const command of COMMANDS) {
    expect(out).toMatch(new RegExp(`^ {2}${command} `, 'm'));
  }
  for (const { name } of SETTINGS) expect(out).toContain(`  ${name} `);
});

test.each([
  ['project', ['create', 'list', 'show', 'update']],
  ['key', ['create', 'list', 'regenerate', 'revoke']],
  ['feeds', ['status', 'refresh']],
  ['user', ['create', 'reset-password']],
  ['signing-key', ['rotate']],
])('%s --help names its commands', async (command, parts) => {
  const { out } = await postern(command, '--help');
  for (const part of parts) expect(out).toMatch(new RegExp(`^ {2}${part} `, 'm'));
});

test('--version prints the package’s version, with the commit if the build knew it', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect((await postern('--version')).out.replace(/ \([0-9a-f]{7}\)/, '')).toBe(`${version}\n`);
});

test.each([[['nonsense']], [['project', 'nonsense']], [[]]])(
  '%j is a usage error that points to --help',
  async (args) => {
    const { code, out, error } = await postern(...args);
    expect([code, out]).toEqual([2, '']);
    expect(error).toMatch(/--help/);
  },
);

test('all invalid settings are reported together, by name', async () => {
  const { code, error } = await posternWith({ POSTERN_PORT: 'x', POSTERN_WORKERS: '-1' })('project', 'list');
  expect(code).toBe(2);
  expect(error).toMatch(/POSTERN_PORT[\s\S]*POSTERN_WORKERS/);
});

test('a reader that stops early, such as head, is not a fault', async () => {
  expect(await posternIntoClosedPipe('--help')).toEqual({ code: 0, error: '' });
});
