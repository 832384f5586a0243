#!/usr/bin/env node
import cluster from 'node:cluster';
import { join } from 'node:path';
import { build } from '../../../scripts/build-steps.mjs';
import { ROOT, run } from '../../../scripts/checkout.mjs';

// The service started by `npm start` keeps its data in the checkout; so does the command, wherever it is called.
process.env.POSTERN_DATA_DIR ??= join(ROOT, 'data');

await run(async () => {
  if (cluster.isPrimary) await build({ only: ['code', 'data'] });
  const { main } = await import('../dist/main.js');
  process.exitCode = await main();
});
