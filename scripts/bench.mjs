import { build } from './build-steps.mjs';
import { execute, run } from './checkout.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

await run(async () => {
  await ensureInstalled({ dev: true });
  await build();
  const script = process.argv.includes('--saturation') ? 'bench/saturation.ts' : 'bench/run.ts';
  const args = ['--import', 'tsx', script, ...process.argv.slice(2)];
  const { code } = await execute(process.execPath, args, { output: 'inherit' });
  process.exitCode = code;
});
