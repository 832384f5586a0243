import { join } from 'node:path';
import { build } from './build-steps.mjs';
import { execute, ROOT, run } from './checkout.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

/** `npm test [-- file or vitest option …]`: installs and builds what is missing, then runs the tests. */
await run(async () => {
  await ensureInstalled({ dev: true });
  await build({ lenient: true });
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const { code } = await execute(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
    output: 'inherit',
  });
  process.exitCode = code;
});
