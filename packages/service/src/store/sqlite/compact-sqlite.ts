import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Connection, openConnection, readPragma, withExplainedErrors } from './connection.ts';

export interface CompactionFacts {
  readonly file: string;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * Rewrites the whole database without unused space. From then on the service gives space back by itself. Nothing else
 * may have the file open: a rewrite holds the write lock from start to end, longer than a request can wait.
 */
export async function compactSqlite(
  file: string,
  onStart: (sizeBytes: number) => void,
): Promise<CompactionFacts> {
  if (!existsSync(file)) throw new Error(`${file}: no such database`);
  const connection = openConnection(file, 'write');
  try {
    await expectSpace(file, connection);
    lockOutOthers(file, connection);
    const bytesBefore = (await stat(file)).size;
    onStart(bytesBefore);
    withExplainedErrors(file, () => {
      // The copy does not fit into memory if the database is large.
      connection.exec('PRAGMA temp_store = FILE');
      connection.exec('PRAGMA auto_vacuum = INCREMENTAL');
      connection.exec('VACUUM');
      letOthersIn(connection);
    });
    return { file, bytesBefore, bytesAfter: (await stat(file)).size };
  } finally {
    connection.close();
  }
}

/** The rewrite needs a copy of the used pages and, for the case of a crash, the pages as they were. */
async function expectSpace(file: string, connection: Connection): Promise<void> {
  const pages = readPragma(connection, 'page_count');
  const used = pages - readPragma(connection, 'freelist_count');
  const neededBytes = (pages + used) * readPragma(connection, 'page_size');
  const disk = await statfs(dirname(file));
  if (disk.bavail * disk.bsize >= neededBytes) return;
  const mib = Math.ceil(neededBytes / 1024 / 1024);
  throw new Error(`${file}: compaction needs ${mib} MB of free disk space meanwhile; nothing was changed`);
}

/** SQLite leaves WAL mode only when no other process has the file open, even if that process does nothing. */
function lockOutOthers(file: string, connection: Connection): void {
  connection.exec('PRAGMA busy_timeout = 0');
  connection.exec('PRAGMA locking_mode = EXCLUSIVE');
  try {
    connection.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    throw new Error(
      `${file}: the service or another command has the database open; stop it, compact, then start it again. Nothing was changed`,
      { cause: error },
    );
  }
}

/** The lock ends with the first read after the change. */
function letOthersIn(connection: Connection): void {
  connection.exec('PRAGMA locking_mode = NORMAL');
  readPragma(connection, 'schema_version');
  connection.exec('PRAGMA journal_mode = WAL');
}
