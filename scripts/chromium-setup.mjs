import { findChromium, installChromium } from '../packages/sdk-browser/test/support/find-chromium.ts';
import { withLock } from './checkout.mjs';

/**
 * Runs once before all test files: unpacks or installs the browser that some of them need. If none can be found, those
 * tests fail with a message, and all others run.
 */
export async function setup() {
  await withLock(async () => {
    if ((await findChromium()) === undefined) await installChromium();
  });
}
