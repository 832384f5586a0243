/** Ends a test run with one plain line that any CI can read. */
// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by its default export
export default class ClosingLineReporter {
  onTestRunEnd(modules, unhandledErrors = []) {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
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
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
}
