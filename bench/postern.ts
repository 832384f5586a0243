import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Store } from '../packages/service/dist/store/store.js';
import { type Running, startServer } from './processes.ts';

const MAIN = fileURLToPath(new URL('../packages/service/dist/bundle/main.js', import.meta.url));
export const NO_LIMIT = 1_000_000_000;

/** For the operations of people on a store. */
export const adminOf = (store: Store) => ({
  ...{ store, now: Date.now, randomBytes, plans: new Map([['free', 1]]), actor: 'bench' },
});

interface Site {
  readonly dataDir: string;
  /** The resolver’s address. */
  readonly dns: string;
  readonly databaseUrl?: string | undefined;
  readonly environment?: Readonly<Record<string, string>>;
  readonly cores?: string | undefined;
}

/** The service as `npm start` runs it, but for the demo project and the feeds. */
export function startPostern({ dataDir, dns, databaseUrl, environment, cores }: Site): Promise<Running> {
  return startServer(
    [...(process.env.BENCH_NODE_FLAGS ?? '--max-semi-space-size=16').split(' '), MAIN],
    {
      POSTERN_PORT: '0',
      POSTERN_DATA_DIR: dataDir,
      POSTERN_DNS_SERVERS: dns,
      POSTERN_FEEDS: 'off',
      POSTERN_DEMO: 'off',
      ...(databaseUrl !== undefined && { POSTERN_DATABASE_URL: databaseUrl }),
      ...environment,
    },
    /"address":"([^"]+)".*Postern is ready/,
    cores,
  );
}
