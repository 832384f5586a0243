import { build } from './build-steps.mjs';
import { readArguments, run } from './checkout.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

await run(async () => {
  const help =
    'npm run build [-- --force]\nBuilds what changed since the last build; --force rebuilds everything.';
  const { values } = readArguments(help, { options: { force: { type: 'boolean', default: false } } });
  if (values.help) return;
  await ensureInstalled({ dev: false });
  await build({ force: values.force });
});
