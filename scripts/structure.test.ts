import { expect, test } from 'vitest';
import { findViolations } from './find-violations.mjs';
import { readModule } from './read-module.mjs';
import { readRepository } from './structure.mjs';

const SRC = 'packages/service/src';
const violations = (files: Record<string, string>) =>
  findViolations(Object.entries(files).map(([path, text]) => readModule(path, text)));

test('the repository follows the structure rules', () => {
  const modules = readRepository();
  expect(modules.length).toBeGreaterThan(50);
  expect(findViolations(modules)).toEqual([]);
});

test('allowed imports pass', () => {
  expect(
    violations({
      [`${SRC}/checks/mx/mx.ts`]:
        "import type { Check } from '../check.ts'; import { a } from '../../lookup/a.ts';",
      [`${SRC}/http/validate.ts`]: "import { runChecks } from '../checks/run-checks.ts';",
      [`${SRC}/open-checks.ts`]: "import { all } from './checks/built-in-checks.ts';",
      [`${SRC}/open-store.ts`]: "const sqlite = await import('./store/sqlite/open.ts');",
      'packages/sdk-node/src/index.ts': "export { client } from 'postern~sdk/core';",
    }),
  ).toEqual([]);
});

test.each([
  ['of a forbidden layer', `${SRC}/model/project.ts`, "import { a } from '../store/store.ts';"],
  ['of a forbidden layer, as a type', `${SRC}/store/store.ts`, "import type { A } from '../http/server.ts';"],
  [
    'of a forbidden layer, as an inline type',
    `${SRC}/lookup/a.ts`,
    "type A = import('../http/server.ts').A;",
  ],
  ['of a forbidden layer, dynamically', `${SRC}/lookup/a.ts`, "const a = await import('../http/server.ts');"],
  ['of a forbidden layer, re-exported', `${SRC}/lookup/a.ts`, "export * from '../http/server.ts';"],
  [
    'of a forbidden layer, as a worker',
    `${SRC}/model/a.ts`,
    "new Worker(new URL('../store/worker.js', import.meta.url));",
  ],
  ['from one check to another', `${SRC}/checks/mx/mx.ts`, "import { a } from '../alias/alias.ts';"],
  [
    'from the SDK to the service',
    'packages/sdk/src/core/a.ts',
    "import { a } from '@postern/service/config';",
  ],
  [
    'from the dashboard to the service',
    'packages/dashboard/src/a.tsx',
    "import type { A } from '../../service/src/a.ts';",
  ],
  ['of the list of checks', `${SRC}/http/server.ts`, "import { all } from '../checks/built-in-checks.ts';"],
  ['of a back end', `packages/cli/src/main.ts`, "import { open } from '@postern/service/store/sqlite/open';"],
])('an import %s is found', (_, path, text) => {
  const [found, ...more] = violations({ [path]: text });
  expect(found).toContain(`${path}:1 imports`);
  expect(more).toEqual([]);
});

test('a cycle is found, through types and three files', () => {
  const found = violations({
    [`${SRC}/model/a.ts`]: "import type { B } from './b.ts';",
    [`${SRC}/model/b.ts`]: "import type { C } from './c.ts';",
    [`${SRC}/model/c.ts`]: "import type { A } from './a.ts';",
    [`${SRC}/model/d.ts`]: "import type { A } from './a.ts';",
  });
  expect(found).toEqual([
    `These files import each other in a cycle: ${SRC}/model/a.ts, ${SRC}/model/b.ts, ${SRC}/model/c.ts`,
  ]);
});

test.each([
  'const a = process.env.HOME;',
  "const a = process['env'];",
  "import { env } from 'node:process';",
])('reading the environment by %j is found outside config.ts only', (text) => {
  expect(violations({ [`${SRC}/http/server.ts`]: text })).toHaveLength(1);
  expect(violations({ [`${SRC}/config.ts`]: text })).toEqual([]);
});

test.each([
  `${'`'}SELECT a FROM ${'$'}{table} WHERE b${'`'}`,
  "'insert into a values (1)'",
  "'UPDATE a SET b = 1'",
  "'delete from a where b'",
])('the statement %s is found outside the store only', (statement) => {
  const text = `export const statement = ${statement};`;
  expect(violations({ [`${SRC}/operations/a.ts`]: text })).toHaveLength(1);
  expect(violations({ [`${SRC}/store/sqlite/a.ts`]: text })).toEqual([]);
});

test('prose that looks like SQL is ignored', () => {
  const text =
    "export const help = 'Select a project from the list'; const b = 'update the project, then set it';";
  expect(violations({ [`${SRC}/operations/a.ts`]: text })).toEqual([]);
});

test('a file of more than 400 lines is found, unless it is data or a test', () => {
  const long = 'a;\n'.repeat(401);
  expect(violations({ [`${SRC}/http/server.ts`]: long })).toEqual([
    `${SRC}/http/server.ts has 401 lines: split it, 400 is the limit`,
  ]);
  expect(violations({ [`${SRC}/http/server.ts`]: 'a;\n'.repeat(400) })).toEqual([]);
  expect(violations({ [`${SRC}/http/server.test.ts`]: long })).toEqual([]);
});

test('meaningless names and barrels are found', () => {
  expect(violations({ [`${SRC}/http/string-utils.ts`]: '' })).toHaveLength(1);
  expect(violations({ [`${SRC}/http/index.ts`]: '' })).toHaveLength(1);
  expect(violations({ 'packages/sdk/src/index.ts': '' })).toEqual([]);
});
