import { expect, test } from 'vitest';
import { judgeRun } from './run-tests.mjs';

const run = { code: 0, timedOut: false, limitMs: 60_000 };
const counts = { passed: 3, failed: 0, skipped: 1, finished: true };

test('a finished run without failures has status 0', () => {
  expect(judgeRun({ ...run, counts })).toEqual({
    status: 0,
    problems: [],
    notes: [],
    counts: { passed: 3, failed: 0, skipped: 1 },
  });
});

test('a failed test makes the status 1, whatever vitest exits with', () => {
  const { status, counts: shown } = judgeRun({ ...run, counts: { ...counts, failed: 2 } });
  expect({ status, shown }).toEqual({ status: 1, shown: { passed: 3, failed: 2, skipped: 1 } });
});

test.each([
  ['vitest failed outside the tests', { ...run, code: 1, counts }, 3],
  ['the run stopped half-way with status 0', { ...run, counts: { ...counts, finished: false } }, 3],
  ['there was no report', { ...run, counts: undefined }, 0],
  [
    'the run was killed by the limit',
    { ...run, code: 1, timedOut: true, counts: { ...counts, finished: false } },
    3,
  ],
])('%s: this counts as one failure, and a line says why', (_, outcome, passed) => {
  const verdict = judgeRun(outcome);
  expect(verdict.status).toBe(1);
  expect(verdict.problems).toHaveLength(1);
  expect(verdict.counts).toMatchObject({ passed, failed: 1 });
});

test('what this machine lacks is said in plain words, and fails only in CI', () => {
  const missing = [
    { need: 'browser', reason: 'none is installed', command: 'apt-get install -y chromium', files: 31 },
  ];
  const line =
    '31 test files were skipped: there is no browser (none is installed). To change that: apt-get install -y chromium';
  const outcome = { ...run, counts: { ...counts, missing } };
  expect(judgeRun(outcome)).toMatchObject({ status: 0, problems: [], notes: [line] });
  expect(judgeRun({ ...outcome, isCi: true })).toMatchObject({
    status: 1,
    problems: [`In CI every test must run. ${line}`],
    notes: [],
    counts: { failed: 1 },
  });
});

test('a test that passed only when it was run again is named, and fails nothing', () => {
  const flaky = [{ file: 'a.test.ts', test: 'counts > once' }];
  const line =
    'failed once and passed when run again, which is a defect of the test or of the product: a.test.ts: counts > once';
  expect(judgeRun({ ...run, isCi: true, counts: { ...counts, flaky } })).toMatchObject({
    status: 0,
    problems: [],
    notes: [line],
  });
});
