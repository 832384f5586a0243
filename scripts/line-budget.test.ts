import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './checkout.mjs';
import { countLines, describeLines, LINE_BUDGET, overBudget } from './line-budget.mjs';

const budget = [
  { part: 'service', folders: /^packages\/service\//, lines: 100 },
  { part: 'other', folders: /^/, lines: 10 },
];

test('a part above its budget is found, with both figures', () => {
  const within = [
    { path: 'packages/service/src/a.ts', lines: 60 },
    { path: 'packages/service/src/generated.ts', lines: 40 },
  ];
  expect(overBudget(countLines(within, budget))).toEqual([]);
  const above = [...within, { path: 'packages/service/src/b.tsx', lines: 1 }];
  expect(overBudget(countLines(above, budget))).toEqual([
    expect.stringMatching(/^service has 101 lines: its budget is 100\./),
  ]);
});

test('tests and their support files are free', () => {
  const files = [
    { path: 'packages/service/src/a.test.ts', lines: 1000 },
    { path: 'packages/service/test/support/a.ts', lines: 1000 },
    { path: 'packages/service/src/test-addresses.ts', lines: 7 },
  ];
  expect(countLines(files, budget)[0]).toMatchObject({ part: 'service', lines: 7 });
});

test('code in a new folder is counted', () => {
  const rows = countLines([{ path: 'tools/new/a.mjs', lines: 11 }], budget);
  expect(overBudget(rows)).toHaveLength(1);
  expect(countLines([{ path: 'tools/new/a.mjs', lines: 11 }]).at(-1)?.lines).toBe(11);
});

test('the table shows each part and the sum', () => {
  const lines = describeLines(countLines([{ path: 'packages/cli/src/a.ts', lines: 5 }])).split('\n');
  expect(lines).toHaveLength(LINE_BUDGET.length + 2);
  expect(lines.find((line) => line.startsWith('cli'))).toMatch(/\b5\b/);
  expect(lines.at(-1)).toMatch(/^together +5 /);
});

test('npm run structure prints the table and fails above a row', async () => {
  const root = mkdtempSync(join(tmpdir(), 'postern-budget-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'tools'));
  const { status, output } = await structureOf(root);
  expect({ status, output }).toMatchObject({ status: 0, output: expect.stringMatching(/^together +0 /m) });
  const limit = LINE_BUDGET.at(-1)?.lines ?? 0;
  writeFileSync(join(root, 'tools', 'new.mjs'), '\n'.repeat(limit + 1));
  const above = await structureOf(root);
  expect(above.status).toBe(1);
  expect(above.output).toContain(`has ${limit + 1} lines: its budget is ${limit}`);
});

function structureOf(root: string): Promise<{ status: number; output: string }> {
  return new Promise((resolve) =>
    execFile(process.execPath, ['scripts/structure.mjs', '--root', root], { cwd: ROOT }, (error, output) =>
      resolve({ status: error === null ? 0 : Number(error.code), output }),
    ),
  );
}
