import { build } from './build-steps.mjs';
import { execute, run } from './checkout.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

await run(async () => {
  await ensureInstalled({ dev: true });
  await build();
  const args = ['--import', 'tsx', 'bench/run.ts', ...process.argv.slice(2)];
  const { code } = await execute(process.execPath, args, { output: 'inherit' });
  process.exitCode = code;
});
