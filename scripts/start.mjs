import cluster from 'node:cluster';
import { build } from './build-steps.mjs';
import { run } from './checkout.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

/** `npm start`: installs and builds what is missing, then serves in this very process, so that signals reach it. */
await run(async () => {
  // With several workers this file runs in each; the first process has done the preparing.
  if (cluster.isPrimary) {
    await ensureInstalled({ dev: false });
    await build({ lenient: true });
  }
  await import('../packages/service/dist/main.js');
});
