import { build } from './build-steps.mjs';
import { becomeTypeScript, run } from './checkout.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

/** `npm run bench -- --growth` runs bench/growth.ts; without one of these, bench/requests.ts. */
const PARTS = ['requests', 'growth', 'peers', 'processes-postgres'];

await run(async () => {
  await ensureInstalled({ dev: true });
  await build();
  const part = PARTS.find((name) => process.argv[2] === `--${name}`);
  if (part === 'peers') await ensureInstalled({ dev: false, folder: 'bench' });
  const options = process.argv.slice(part === undefined ? 2 : 3);
  await becomeTypeScript(`bench/${part ?? 'requests'}.ts`, options);
});
