import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { createColors } from 'picocolors';
import { expect, test } from 'vitest';
import { SETTINGS } from '../../service/src/settings.ts';
import { createProgram } from '../src/create-program.ts';
import { posternOn } from './support/postern.ts';

const postern = posternOn({});
const program = createProgram({
  terminal: {
    out: () => {},
    outAll: async () => {},
    error: () => {},
    colors: createColors(false),
    interactive: false,
  },
  environment: {},
  input: process.stdin,
  now: Date.now,
  randomBytes,
  version: '0.0.0',
  patienceMs: 0,
});
const namesOf = (command: Command) => command.commands.map((part) => part.name());
const groups = program.commands.filter((command) => command.commands.length > 0);

test('--help names every command and every setting', async () => {
  const { code, out } = await postern('--help');
  expect(code).toBe(0);
  expect(namesOf(program).length).toBeGreaterThan(10);
  for (const command of namesOf(program)) expect(out).toMatch(new RegExp(`^ {2}${command} `, 'm'));
  for (const { name } of SETTINGS) expect(out).toContain(`  ${name} `);
});

test.each(groups.map((group) => [group.name(), namesOf(group)] as const))(
  '%s --help names its commands and says what each does',
  async (command, parts) => {
    const { out } = await postern(command, '--help');
    for (const part of parts) expect(out).toMatch(new RegExp(`^ {2}${part} .* {2}\\S`, 'm'));
  },
);

test.each([[['nonsense']], [['project', 'nonsense']], [[]]])(
  '%j is a usage error that points to --help',
  async (args) => {
    const { code, out, error } = await postern(...args);
    expect([code, out]).toEqual([2, '']);
    expect(error).toMatch(/--help/);
  },
);

test('all invalid settings are reported together, by name', async () => {
  const { code, error } = await posternOn({ POSTERN_PORT: 'x', POSTERN_WORKERS: '-1' })('project', 'list');
  expect(code).toBe(2);
  expect(error).toMatch(/POSTERN_PORT[\s\S]*POSTERN_WORKERS/);
});

test('the explanations of a command’s options begin where a window shows them', async () => {
  const { code, out } = await postern('project', 'create', '--help');
  expect(code).toBe(0);
  const options = out.split('\n').filter((line) => line.startsWith('  --'));
  expect(options.length).toBeGreaterThan(20);
  expect(options.filter((line) => !/^ {2}--.{1,55}? {2}\S/.test(line))).toEqual([]);
});
