import { build } from './build-steps.mjs';
import { Refusal, run } from './checkout.mjs';
import { ensureInstalled } from './ensure-installed.mjs';
import { runTests } from './run-tests.mjs';

const DEFAULT_LIMIT_SECONDS = 45 * 60;

/**
 * `npm test [-- file or vitest option …]`: installs and builds what is missing, then runs the tests.
 * TEST_LIMIT_SECONDS: a run that takes longer is killed and fails.
 */
await run(async () => {
  const limitMs = limitSeconds(process.env.TEST_LIMIT_SECONDS) * 1000;
  await ensureInstalled({ dev: true });
  await build({ lenient: true });
  process.exitCode = await runTests(process.argv.slice(2), limitMs);
});

function limitSeconds(text) {
  if (text === undefined || text === '') return DEFAULT_LIMIT_SECONDS;
  const seconds = Number(text);
  if (seconds > 0 && seconds < 86_400) return seconds;
  throw new Refusal(`TEST_LIMIT_SECONDS must be a number of seconds, not "${text}".`);
}
