import { describe, TestRunner } from 'vitest';
import { isMissing, needsOf } from './ask-for-need.ts';

/** Skips the test files that need something this machine cannot have. The reporter counts them by the suite’s name. */
// biome-ignore lint/style/noDefaultExport: vitest loads a runner by its default export
export default class NeedsRunner extends TestRunner {
  override async importFile(path: string, source: 'collect' | 'setup'): Promise<unknown> {
    if (source === 'collect') {
      for (const need of needsOf(path)) {
        if (!(await isMissing(need))) continue;
        // Inside a skipped suite the file’s tests are counted and none of its hooks run.
        return describe.skip(`without ${need}`, async () => {
          await super.importFile(path, source);
        });
      }
    }
    return super.importFile(path, source);
  }
}
