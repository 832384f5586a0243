import { build } from './build-steps.mjs';
import { run } from './checkout.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

/** `npm start`: installs and builds what is missing, then serves in this very process, so that signals reach it. */
await run(async () => {
  await ensureInstalled({ dev: false });
  await build();
  await import('../packages/service/dist/main.js');
});
