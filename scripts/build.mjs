import { build } from './build-steps.mjs';
import { run, say } from './checkout.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

await run(async () => {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    say('npm run build [-- --force]\nBuilds what changed since the last build; --force rebuilds everything.');
    return;
  }
  await ensureInstalled({ dev: false });
  await build({ force: args.includes('--force') });
});
