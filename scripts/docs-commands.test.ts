import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProgram } from '../packages/cli/src/create-program.ts';
import { createTerminal } from '../packages/cli/src/terminal.ts';
import { ROOT } from './checkout.mjs';

/** Every command that the docs name exists, in sentences and comments as well as in code blocks, with its options. */

const texts = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  // A changelog names commands of its time.
  .filter((file) => file !== 'CHANGELOG.md')
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8').replaceAll('\\\n', ' ') }));

function find(pattern: RegExp): { file: string; found: string; rest: string }[] {
  return texts.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].map(([, found = '', rest = '']) => ({ file, found, rest })),
  );
}

it('every `npm run` command is a script', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
  const named = find(/\bnpm run (?!NAME)([a-z][a-z:-]*)/g);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ found }) => !(found in scripts) && found !== 'test')).toEqual([]);
});

it('every script, benchmark and trial is a file', () => {
  const named = find(/\b((?:scripts|bench|deploy\/trials|fuzz|eval)\/[\w-]+\.(?:mjs|ts|sh))\b/g);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ found }) => !existsSync(join(ROOT, found)))).toEqual([]);
});

it('every `postern` command has a command and options of that name', () => {
  const terminal = createTerminal(process.stdout, process.stderr, {});
  const context = { terminal, environment: {}, now: Date.now, patienceMs: 0, version: '' };
  const program = createProgram({ ...context, randomBytes: () => Buffer.alloc(0) });
  // Up to the end of the code, a comment, a pipe, or the next command.
  const named = find(
    /(?:npx postern|`postern|posternctl|exec postern postern) ((?=[a-z-])(?:[^`\n#|&;]|#\w)+)/g,
  );
  expect(named.length).toBeGreaterThan(70);
  const wrong = named.filter(({ found }) => {
    let command = program;
    const words = found.trim().split(/\s+/);
    for (const word of words) {
      const inner = command.commands.find((one) => one.name() === word);
      if (inner === undefined) break;
      command = inner;
    }
    const known = new Set(
      [command, program].flatMap(({ options }) => options.flatMap(({ long }) => long ?? [])),
    );
    const options = words
      .filter((word) => word.startsWith('--'))
      .map((word) => word.replace(/[=\]).,:]*$/, ''));
    return (
      (command === program && !words[0]?.startsWith('--')) ||
      options.some((option) => !known.has(option) && option !== '--help')
    );
  });
  expect(wrong).toEqual([]);
});
