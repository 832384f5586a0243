import { writeFileSync } from 'node:fs';

/**
 * Counts the tests of a run. `scripts/test.mjs` names a file for the counts in TEST_COUNTS_FILE and prints the closing
 * line itself, after the runner has ended. Without such a file this reporter prints the line.
 */
// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by its default export
export default class ClosingLineReporter {
  #modules = [];
  #countsFile = process.env.TEST_COUNTS_FILE;

  onTestModuleEnd(module) {
    this.#modules.push(module);
    // A run that never ends is killed. The counts up to then must not be lost.
    this.#write({ ...countTests(this.#modules), finished: false });
  }

  onTestRunEnd(modules, unhandledErrors = [], reason = 'passed') {
    const count = countTests(modules);
    count.failed += unhandledErrors.length;
    if (reason === 'failed' && count.failed === 0) count.failed = 1;
    const missing = missingNeeds(modules);
    const flaky = flakyTests(modules);
    this.#write({ ...count, finished: true, missing, flaky });
    if (this.#countsFile !== undefined) return;
    console.log(
      ['', ...missing.map(describeMissing), ...flaky.map(describeFlaky), closingLine(count)].join('\n'),
    );
  }

  #write(count) {
    if (this.#countsFile !== undefined) writeFileSync(this.#countsFile, JSON.stringify(count));
  }
}

/** The last line of every test run. CI looks for it. */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/**
 * What this machine lacks, why, and how many test files were skipped for it. `needs-runner.ts` puts such a file into a
 * suite `without …`; `test-needs.ts` leaves the reason in TEST_MISSING.
 */
function missingNeeds(modules) {
  const suites = modules.flatMap((module) => [...module.children.suites()].map(({ name }) => name));
  return Object.entries(JSON.parse(process.env.TEST_MISSING ?? '{}')).map(([need, why]) => ({
    need,
    ...why,
    files: suites.filter((name) => name === `without ${need}`).length,
  }));
}

const NAMES = { browser: 'a browser', postgres: 'PostgreSQL' };

export function describeMissing({ need, reason, command, files }) {
  const skipped = `${files} test ${files === 1 ? 'file was' : 'files were'} skipped`;
  const halves = need === 'postgres' ? ', and tests for both stores ran on SQLite alone' : '';
  return `${skipped}${halves}: there is no ${NAMES[need].replace(/^a /, '')} (${reason}). To change that: ${command}`;
}

/** Tests that failed and then passed when they were run again, as CI does. */
function flakyTests(modules) {
  return modules.flatMap((module) =>
    [...module.children.allTests()]
      .filter((test) => test.diagnostic()?.flaky)
      .map(({ fullName }) => ({ file: module.relativeModuleId, test: fullName })),
  );
}

export function describeFlaky({ file, test }) {
  return `failed once and passed when run again, which is a defect of the test or of the product: ${file}: ${test}`;
}

function countTests(modules) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const module of modules) {
    let failedTests = 0;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state in count) count[state] += 1;
      if (state === 'failed') failedTests += 1;
    }
    // A file that cannot be loaded, or whose hook throws, fails without any failed test in it.
    if (module.state() === 'failed' && failedTests === 0) count.failed += 1;
  }
  return count;
}
