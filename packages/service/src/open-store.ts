import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { judge } from './decision/judge.ts';
import type { AdministeredStore } from './store/administered-store.ts';
import type { Patience } from './store/deadline.ts';
import type { MigrationWatcher } from './store/postgres/migrate-postgres.ts';
import type { BackupFacts, RestoreFacts } from './store/sqlite/backup-sqlite.ts';

export type { BackupFacts };

type StoreSettings = Pick<Config, 'databaseUrl' | 'dataDir'>;

/** Opens the store that the settings name. Only this file knows both stores, and it loads only the one in use. */
export async function openStore(
  config: StoreSettings,
  patience?: Patience,
  migration?: MigrationWatcher,
): Promise<AdministeredStore> {
  if (config.databaseUrl !== undefined) {
    const { openPostgresStore } = await import('./store/postgres/postgres-store.ts');
    return openPostgresStore({ url: config.databaseUrl, judge, patience, migration });
  }
  const { openSqliteStore } = await import('./store/sqlite/sqlite-store.ts');
  return openSqliteStore({ file: databaseFile(config), patience });
}

/** Backs up the embedded store to a file while the service runs. */
export async function backUpStore(config: StoreSettings, to: string): Promise<BackupFacts> {
  const { backupSqlite } = await import('./store/sqlite/backup-sqlite.ts');
  return backupSqlite(embedded(config, 'pg_dump'), to);
}

/** Restores the embedded store from a backup. A running service continues with it. */
export async function restoreStore(config: StoreSettings, from: string): Promise<RestoreFacts> {
  const { restoreSqlite } = await import('./store/sqlite/backup-sqlite.ts');
  return restoreSqlite(from, embedded(config, 'pg_restore'));
}

/** An operation of the embedded store was requested, but the settings name another store. */
class NotEmbedded extends Error {
  override readonly name = 'NotEmbedded';
}

function embedded(config: StoreSettings, instead: string): string {
  if (config.databaseUrl === undefined) return databaseFile(config);
  throw new NotEmbedded(
    `POSTERN_DATABASE_URL names a PostgreSQL server, which has its own tool for that: ${instead}. ` +
      'To move between stores, use export and import.',
  );
}

/** The embedded store’s file if it does not exist yet. Opening the store would create it. */
export function missingDatabaseFile(config: StoreSettings): string | undefined {
  const file = databaseFile(config);
  return config.databaseUrl === undefined && !existsSync(file) ? file : undefined;
}

function databaseFile({ dataDir }: StoreSettings): string {
  return join(dataDir, 'postern.db');
}
