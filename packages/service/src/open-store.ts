import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Store } from './store/store.ts';

/** The embedded store’s file in the data folder. */
export function databaseFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'postern.db');
}

/** The store that the settings name. The only place that knows there are two; the other one is not even loaded. */
export async function openStore(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<Store> {
  if (config.databaseUrl !== undefined) {
    const { openPostgresStore } = await import('./store/postgres/postgres-store.ts');
    return openPostgresStore({ url: config.databaseUrl });
  }
  const { openSqliteStore } = await import('./store/sqlite/sqlite-store.ts');
  return openSqliteStore({ file: databaseFile(config) });
}
