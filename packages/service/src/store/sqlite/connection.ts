import Libsql from 'libsql';
import { StoreUnavailable } from '../store.ts';

/**
 * The code that settles requests binds values as one array. If they are passed one by one, the driver
 * flattens them first, which takes a third of a statement’s time.
 */
export type Connection = Libsql.Database;

/** Another process may be opening or migrating the same file. */
const OPEN_TIMEOUT_MS = 10_000;

/**
 * Opens the file with the settings that all of Postern must use: WAL, so that readers and the one writer do not wait
 * for each other, and a full sync with every commit, so that data behind an answer survives a power cut. Connections that
 * answer requests make that sync themselves, see worker.ts.
 */
export function openConnection(file: string, access: 'read' | 'write'): Connection {
  return withExplainedErrors(file, () => {
    const connection = new Libsql(file, { timeout: OPEN_TIMEOUT_MS });
    connection.exec(`PRAGMA busy_timeout = ${OPEN_TIMEOUT_MS}`);
    allowIncrementalVacuum(connection);
    const [mode] = connection.prepare('PRAGMA journal_mode = WAL').raw(true).all() as [string][];
    if (mode?.[0] !== 'wal') {
      throw new StoreUnavailable(
        `${file}: this file system does not support SQLite’s write-ahead log; use a local disk`,
        { code: 'no-write-ahead-log' },
      );
    }
    connection.exec('PRAGMA synchronous = FULL');
    connection.exec('PRAGMA case_sensitive_like = ON');
    connection.exec('PRAGMA temp_store = MEMORY');
    // What is deleted is overwritten with zeros, so that a person who was erased leaves no bytes in the file.
    connection.exec('PRAGMA secure_delete = ON');
    // 8 MiB. A larger cache slows down commits that split a page, and the operating system caches the file anyway.
    connection.exec('PRAGMA cache_size = -8192');
    // 64 MiB. Checkpoints are normally made long before that, see checkpoints.ts. This is for when they cannot keep up.
    connection.exec('PRAGMA wal_autocheckpoint = 16000');
    // 64 MiB. A long read makes the log grow, and without a limit the file would keep its largest size.
    connection.exec('PRAGMA journal_size_limit = 67108864');
    if (access === 'read') connection.exec('PRAGMA query_only = ON');
    return connection;
  });
}

export function readPragma(connection: Connection, name: string): number {
  const [row] = connection.prepare(`PRAGMA ${name}`).raw(true).all() as [number][];
  return row?.[0] ?? 0;
}

/**
 * A new file can then release free pages in small steps, see worker-handler.ts. It must be set before anything is
 * written, and WAL writes the first page. An existing file changes with its next VACUUM. It is not set a second time,
 * because that would wait for the write lock.
 */
function allowIncrementalVacuum(connection: Connection): void {
  if (readPragma(connection, 'auto_vacuum') === 0) connection.exec('PRAGMA auto_vacuum = INCREMENTAL');
}

/** After this, SQLite reports a locked database at once, and fair-write-lock.ts does the waiting. */
export function disableBusyTimeout(connection: Connection): void {
  connection.exec('PRAGMA busy_timeout = 0');
}

/** For work that can wait for the write lock. Settling requests uses fair-write-lock.ts instead. */
export function inTransaction<T>(connection: Connection, work: () => T): T {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

export function withExplainedErrors<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explain(file, error);
  }
}

const DAMAGED = 'the file is damaged or is not a Postern database; nothing was changed, restore a backup';

export function damagedStore(file: string, cause: unknown): StoreUnavailable {
  return new StoreUnavailable(`${file}: ${DAMAGED}`, { code: 'SQLITE_CORRUPT', cause });
}

/** Whether SQLite can read all of the file. Slow for a large file. `integrity_check` also compares the indexes. */
export function isIntact(
  connection: Connection,
  check: 'quick_check' | 'integrity_check' = 'quick_check',
): boolean {
  const [answer] = connection.prepare(`PRAGMA ${check}(1)`).raw(true).all() as [string][];
  return answer?.[0] === 'ok';
}

export function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(NOTADB|CORRUPT)/.test(String(error.code));
}

/** Says what happened to which file, and what to do about it. */
export function explain(file: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const advice = adviceFor(code, error.message);
  if (advice === undefined) return error;
  return new StoreUnavailable(`${file}: ${advice}`, {
    code: code === '' ? 'SQLITE_CANTOPEN' : code,
    cause: error,
  });
}

function adviceFor(code: string, message: string): string | undefined {
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return 'another process has locked the database; try again when it is done';
  }
  if (code.startsWith('SQLITE_FULL')) return 'the disk is full; nothing was written, free some space';
  if (code.startsWith('SQLITE_READONLY')) {
    return 'the database or its folder is read-only; give the service’s user write permission';
  }
  if (code.startsWith('SQLITE_CANTOPEN') || message.includes('Unable to open connection')) {
    return 'cannot open the database; check the folder, its owner and its permissions';
  }
  if (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT')) return DAMAGED;
  if (code.startsWith('SQLITE_IOERR')) return 'the disk reports errors; check the system log';
  return undefined;
}
