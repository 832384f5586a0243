import { existsSync } from 'node:fs';
import { copyFile, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StoreUnavailable } from '../store.ts';
import { type Connection, explain, explained, inTransaction, openConnection } from './connection.ts';
import { migrateSqlite } from './migrate-sqlite.ts';
import { sqliteLines } from './migrations/sqlite-lines.ts';

export interface BackupFacts {
  readonly file: string;
  readonly sizeBytes: number;
}

/**
 * Writes the database as it is at one moment into a file of its own, while the service goes on. The file has its
 * name only when it is whole and on disk.
 */
export async function backupSqlite(file: string, to: string): Promise<BackupFacts> {
  if (!existsSync(file)) throw new Error(`${file}: there is no database to back up`);
  if (existsSync(to)) throw new Error(`${to}: there is a file of that name already; choose another`);
  const unfinished = `${to}.unfinished-${process.pid}`;
  const connection = openConnection(file, 'write');
  try {
    explained(to, () => connection.prepare('VACUUM INTO ?').run(unfinished));
    await syncToDisk(unfinished);
    await rename(unfinished, to);
    await syncToDisk(dirname(to));
  } finally {
    connection.close();
    await rm(unfinished, { force: true });
  }
  return { file: to, sizeBytes: (await stat(to)).size };
}

/**
 * Brings the database back to what a backup holds. A service that runs goes on with it from its next request:
 * the rows are replaced in one transaction, not the file under its feet.
 */
export async function restoreSqlite(backup: string, file: string): Promise<void> {
  if (!existsSync(backup)) throw new Error(`${backup}: there is no backup`);
  const copy = `${file}.restoring-${process.pid}`;
  try {
    await copyFile(backup, copy);
    checkAndMigrate(copy, backup);
    if (existsSync(file)) replaceRows(file, copy);
    else {
      await syncToDisk(copy);
      await rename(copy, file);
      await syncToDisk(dirname(file));
    }
  } finally {
    for (const ending of ['', '-wal', '-shm']) await rm(`${copy}${ending}`, { force: true });
  }
}

function checkAndMigrate(copy: string, backup: string): void {
  const damaged = `${backup}: the file is damaged or is no backup of Postern; nothing was changed`;
  let connection: Connection | undefined;
  try {
    connection = openConnection(copy, 'write');
    const [verdict] = connection.prepare('PRAGMA quick_check').raw(true).all() as [string][];
    const tables = connection.prepare("SELECT 1 FROM sqlite_master WHERE name = 'schema_migration'").all();
    if (verdict?.[0] !== 'ok' || tables.length === 0) throw new Error(damaged);
    for (const line of sqliteLines) migrateSqlite(connection, line);
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    throw explain(backup, error) instanceof StoreUnavailable ? new Error(damaged, { cause: error }) : error;
  } finally {
    connection?.close();
  }
}

function replaceRows(file: string, copy: string): void {
  const connection = openConnection(file, 'write');
  try {
    for (const line of sqliteLines) migrateSqlite(connection, line);
    connection.prepare('ATTACH DATABASE ? AS backup').run(copy);
    inTransaction(connection, () => {
      const newer = newestVersion(connection);
      for (const table of tablesOf(connection)) {
        connection.exec(`DELETE FROM main.${table}`);
        connection.exec(`INSERT INTO main.${table} SELECT * FROM backup.${table}`);
      }
      // What a running service read before must not pass for what is here now.
      connection.prepare('UPDATE project SET version = version + ?').run(newer);
      connection.prepare('UPDATE api_key SET version = version + ?').run(newer);
    });
  } catch (error) {
    throw explain(file, error);
  } finally {
    connection.close();
  }
}

/** Both sides have the same: they were brought up to the same schema. */
function tablesOf(connection: Connection): string[] {
  const rows = connection
    .prepare(
      `SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       AND name <> 'schema_migration'`,
    )
    .raw(true)
    .all() as [string][];
  return rows.map(([name]) => name);
}

function newestVersion(connection: Connection): number {
  const [row] = connection
    .prepare(
      `SELECT max(version) FROM (SELECT version FROM main.project UNION ALL SELECT version FROM main.api_key
       UNION ALL SELECT 0)`,
    )
    .raw(true)
    .all() as [number][];
  return row?.[0] ?? 0;
}

async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
