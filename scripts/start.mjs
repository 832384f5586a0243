import cluster from 'node:cluster';
import { build } from './build-steps.mjs';
import { run } from './checkout.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

/** `npm start`: installs and builds what is missing, then serves in this same process, so that signals reach it. */
await run(async () => {
  // With several workers this file runs in each. The first process has already installed and built.
  if (cluster.isPrimary) {
    await ensureInstalled({ dev: false });
    await build({ lenient: true });
  }
  await import('../packages/service/dist/bundle/main.js');
});
