import { existsSync } from 'node:fs';
import { chmod, copyFile, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../make-folder.ts';
import { sqliteMigrations } from '../schemas.ts';
import { StoreUnavailable } from '../store.ts';
import {
  type Connection,
  explain,
  inTransaction,
  isDamage,
  isIntact,
  openConnection,
  withExplainedErrors,
} from './connection.ts';
import { migrateSqlite } from './migrate-sqlite.ts';

export interface BackupFacts {
  readonly file: string;
  readonly sizeBytes: number;
}

/**
 * Writes a consistent copy of the database to a file while the service runs. The file gets its name only when it is
 * complete and on disk.
 */
export async function backupSqlite(file: string, to: string): Promise<BackupFacts> {
  if (!existsSync(file))
    throw new Error(`${file}: no such database; use the settings of the service, or set POSTERN_DATA_DIR`);
  if (existsSync(to)) throw new Error(`${to}: this file already exists; choose another name`);
  const unfinished = `${to}.unfinished-${process.pid}`;
  const connection = openConnection(file, 'write');
  try {
    // SQLite would create a missing file readable for everybody, and it will contain the signing keys. So an empty
    // private file is created first.
    await explainedPlace(to, () => writeFile(unfinished, '', { mode: 0o600 }));
    withExplainedErrors(to, () => connection.prepare('VACUUM INTO ?').run(unfinished));
    await syncToDisk(unfinished);
    await rename(unfinished, to);
    await syncToDisk(dirname(to));
  } finally {
    connection.close();
    await rm(unfinished, { force: true });
  }
  return { file: to, sizeBytes: (await stat(to)).size };
}

export interface RestoreFacts {
  /** Where a damaged database was moved, for later inspection. */
  readonly setAside: string | undefined;
  /** Whether a running service must be restarted, because it has another file open or uses other secrets. */
  readonly needsRestart: boolean;
}

/**
 * Restores the database from a backup. A running service continues with it from its next request, because the rows are
 * replaced in one transaction and the file stays. Only a damaged database is replaced by another file, and then the
 * service refuses requests until it is restarted.
 */
export async function restoreSqlite(backup: string, file: string): Promise<RestoreFacts> {
  if (!existsSync(backup)) throw new Error(`${backup}: no such file`);
  const copy = `${file}.restoring-${process.pid}`;
  const removeCopy = async () => {
    for (const ending of ['', '-wal', '-shm']) await rm(`${copy}${ending}`, { force: true });
  };
  // Process IDs repeat in containers: a killed process may have left files with this name.
  await removeCopy();
  try {
    await explainedPlace(file, async () => {
      makeFolder(dirname(file));
      await copyFile(backup, copy);
      await chmod(copy, 0o600);
    });
    checkAndMigrate(copy, backup);
    const replaced = existsSync(file) ? replaceRows(file, copy) : undefined;
    if (replaced) return { setAside: undefined, needsRestart: replaced.secretsDiffer };
    const setAside = await putAside(file);
    await syncToDisk(copy);
    await rename(copy, file);
    await syncToDisk(dirname(file));
    return { setAside, needsRestart: true };
  } finally {
    await removeCopy();
  }
}

/** Its write-ahead log and index are moved too, because SQLite would apply them to any file with that name. */
async function putAside(file: string): Promise<string | undefined> {
  const aside = `${file}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  let moved: string | undefined;
  for (const ending of ['-wal', '-shm', '']) {
    if (!existsSync(`${file}${ending}`)) continue;
    moved = `${aside}${ending}`;
    await rename(`${file}${ending}`, moved);
  }
  return moved;
}

async function explainedPlace<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${path} cannot be written: ${reason}`, { cause: error });
  }
}

function checkAndMigrate(copy: string, backup: string): void {
  const damaged = `${backup}: the file is damaged or is not a backup of Postern; nothing was changed`;
  let connection: Connection | undefined;
  try {
    connection = openConnection(copy, 'write');
    const tables = connection.prepare("SELECT 1 FROM sqlite_master WHERE name = 'schema_migration'").all();
    if (!isIntact(connection) || tables.length === 0) throw new Error(damaged);
    migrateSqlite(connection, sqliteMigrations);
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    throw explain(backup, error) instanceof StoreUnavailable ? new Error(damaged, { cause: error }) : error;
  } finally {
    connection?.close();
  }
}

interface Replaced {
  /** The backup is another installation’s, or older than a secret. */
  readonly secretsDiffer: boolean;
}

/** Returns `undefined` and changes nothing if the database is damaged. */
function replaceRows(file: string, copy: string): Replaced | undefined {
  let connection: Connection | undefined;
  try {
    connection = openConnection(file, 'write');
    return isIntact(connection) ? replaceAll(connection, copy) : undefined;
  } catch (error) {
    if (isDamage(error) || isDamage((error as Error).cause)) return undefined;
    throw explain(file, error);
  } finally {
    connection?.close();
  }
}

function replaceAll(connection: Connection, copy: string): Replaced {
  migrateSqlite(connection, sqliteMigrations);
  connection.prepare('ATTACH DATABASE ? AS backup').run(copy);
  return inTransaction(connection, () => {
    const secretsDiffer =
      connection
        .prepare('SELECT name, value FROM main.secret EXCEPT SELECT name, value FROM backup.secret')
        .all().length > 0;
    const newer = newestVersion(connection);
    for (const table of tablesOf(connection)) {
      connection.exec(`DELETE FROM main.${table}`);
      connection.exec(`INSERT INTO main.${table} SELECT * FROM backup.${table}`);
    }
    // Data that a running service has cached must not count as current.
    connection.prepare('UPDATE project SET version = version + ?').run(newer);
    connection.prepare('UPDATE api_key SET version = version + ?').run(newer);
    return { secretsDiffer };
  });
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
