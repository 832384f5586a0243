import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from './checkout.mjs';

/** Runs the real lint, types, structure and eval commands on a small checkout, once correct and once with a fault. */

const TIMEOUT_MS = 180_000;
const SOUND = 'export const answer: number = 42;\n';
const MISTYPED = "export const answer: number = 'forty-two';\n";
const PACKAGES = (
  JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8')) as { references: { path: string }[] }
).references.map(({ path }) => path);

let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'postern-check-commands-'));
  for (const name of ['package.json', 'biome.json', '.gitignore']) copy(name);
  for (const name of ['tsconfig.base.json', 'tsconfig.json', 'tsconfig.test.json']) copy(name);
  for (const name of [
    'structure',
    'structure-rules',
    'import-graph',
    'find-violations',
    'read-module',
    'checkout',
  ]) {
    copy(`scripts/${name}.mjs`);
  }
  for (const folder of [...PACKAGES, 'packages/dashboard']) {
    copy(`${folder}/tsconfig.json`);
    write(`${folder}/src/answer.ts`, SOUND);
  }
  write('packages/service/test/answer.test.ts', SOUND);
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
});

afterEach(() => rmSync(checkout, { recursive: true, force: true }));

function copy(path: string): void {
  const target = join(checkout, path);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(ROOT, path), target);
}

function write(path: string, text: string): void {
  const target = join(checkout, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function npmRun(script: string, args: readonly string[] = [], cwd = checkout) {
  const { status, stdout, stderr } = spawnSync('npm', ['run', script, '--', ...args], {
    cwd,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
  return { status, output: stdout + stderr };
}

describe.each(['lint', 'types', 'structure'])('npm run %s', { timeout: TIMEOUT_MS }, (script) => {
  it('exits with 0 on a correct checkout', () => {
    const { status, output } = npmRun(script);
    expect(status, output).toBe(0);
  });
});

describe('a fault makes the command fail', { timeout: TIMEOUT_MS }, () => {
  it.each([
    ['a rule broken', 'var answer: any = 42;\nexport default answer;\n'],
    ['a formatting fault', 'export const answer   = 42\n'],
  ])('npm run lint: %s', (_, text) => {
    write('packages/service/src/answer.ts', text);
    const { status, output } = npmRun('lint');
    expect(status, output).toBe(1);
    expect(output).toContain('answer.ts');
  });

  it.each([
    ['in the service', 'packages/service/src/answer.ts'],
    ['in the dashboard', 'packages/dashboard/src/answer.ts'],
    ['in a test', 'packages/service/test/answer.test.ts'],
  ])('npm run types: a wrong type %s', (_, path) => {
    write(path, MISTYPED);
    const { status, output } = npmRun('types');
    expect(status, output).not.toBe(0);
    expect(output).toContain('answer');
  });

  it('npm run structure: a forbidden import', () => {
    write('packages/service/src/model/a.ts', "import { b } from '../store/b.ts';\nexport const a = b;\n");
    const { status, output } = npmRun('structure');
    expect(status, output).toBe(1);
    expect(output).toContain('packages/service/src/model/a.ts:1 imports');
  });

  it.each([
    ['a figure below its floor', { roleEmail: { recall: 1.01 } }, 1],
    ['a figure at its floor', { roleEmail: { recall: 0 } }, 0],
  ])('npm run eval: %s', (_, floors, expected) => {
    write('floors.json', JSON.stringify(floors));
    const args = ['--suite', 'roleEmail', '--floors', join(checkout, 'floors.json')];
    const { status, output } = npmRun('eval', args, ROOT);
    expect(status, output).toBe(expected);
  });

  it('npm run eval: an error', () => {
    const { status } = npmRun('eval', ['--suite', 'no-such-suite'], ROOT);
    expect(status).toBe(1);
  });
});
