import { join } from 'node:path';
import type { Config } from './config.ts';
import type { AdministeredStore } from './store/administered-store.ts';

type StoreSettings = Pick<Config, 'databaseUrl' | 'dataDir'>;

/** The store that the settings name. The only file that knows there are two; the other one is not even loaded. */
export async function openStore(config: StoreSettings): Promise<AdministeredStore> {
  if (config.databaseUrl !== undefined) {
    const { openPostgresStore } = await import('./store/postgres/postgres-store.ts');
    return openPostgresStore({ url: config.databaseUrl });
  }
  const { openSqliteStore } = await import('./store/sqlite/sqlite-store.ts');
  return openSqliteStore({ file: databaseFile(config) });
}

export interface Backup {
  readonly file: string;
  readonly sizeBytes: number;
}

/** Writes the embedded store into a file of its own, while the service goes on. */
export async function backUpStore(config: StoreSettings, to: string): Promise<Backup> {
  const { backupSqlite } = await import('./store/sqlite/backup-sqlite.ts');
  return backupSqlite(embedded(config, 'pg_dump'), to);
}

export interface Restoration {
  /** Where a damaged store was put. */
  readonly setAside: string | undefined;
  /** Whether a service that runs must be started again to go on with it. */
  readonly needsRestart: boolean;
}

/** Brings the embedded store back to what a backup holds; a service that runs goes on with it. */
export async function restoreStore(config: StoreSettings, from: string): Promise<Restoration> {
  const { restoreSqlite } = await import('./store/sqlite/backup-sqlite.ts');
  return restoreSqlite(from, embedded(config, 'pg_restore'));
}

/** What a person asked of the embedded store while the settings name another. */
export class NotEmbedded extends Error {
  override readonly name = 'NotEmbedded';
}

function embedded(config: StoreSettings, instead: string): string {
  if (config.databaseUrl === undefined) return databaseFile(config);
  throw new NotEmbedded(
    `POSTERN_DATABASE_URL names a PostgreSQL server, which has its own tool for that: ${instead}. ` +
      'To move between stores, use export and import.',
  );
}

function databaseFile({ dataDir }: StoreSettings): string {
  return join(dataDir, 'postern.db');
}
