import Libsql from 'libsql';
import { StoreUnavailable } from '../store.ts';

/**
 * On the request’s path values are bound as one array: given one by one, the driver flattens them first, which
 * takes a third of the time of a statement.
 */
export type Connection = Libsql.Database;

/** To open and to migrate one waits for whoever does so at the same time. */
const OPENING_PATIENCE_MS = 10_000;

/**
 * Opens the file as every part of Postern must: WAL, so that readers and the one writer do not wait for each
 * other, and a full sync with every commit, so that what was answered survives a power cut.
 */
export function openConnection(file: string, access: 'read' | 'write'): Connection {
  return explained(file, () => {
    const connection = new Libsql(file, { timeout: OPENING_PATIENCE_MS });
    connection.exec(`PRAGMA busy_timeout = ${OPENING_PATIENCE_MS}`);
    const [mode] = connection.prepare('PRAGMA journal_mode = WAL').raw(true).all() as [string][];
    if (mode?.[0] !== 'wal') {
      throw new StoreUnavailable(
        `${file}: this disk cannot hold the database; use one of this machine’s own`,
      );
    }
    connection.exec('PRAGMA synchronous = FULL');
    connection.exec('PRAGMA case_sensitive_like = ON');
    connection.exec('PRAGMA temp_store = MEMORY');
    // 8 MiB: a commit that split a page looks through all of the cache, and what is not in it the system has.
    connection.exec('PRAGMA cache_size = -8192');
    // The reader’s thread copies the log back long before; from 32 MiB on each commit does, until it can begin anew.
    connection.exec('PRAGMA wal_autocheckpoint = 8000');
    // While somebody reads for long it cannot, and grows; SQLite would leave the file as large as it ever was. 64 MiB.
    connection.exec('PRAGMA journal_size_limit = 67108864');
    if (access === 'read') connection.exec('PRAGMA query_only = ON');
    return connection;
  });
}

/** From here on the connection serves requests and takes its turns by itself. */
export function waitBriefly(connection: Connection): void {
  connection.exec('PRAGMA busy_timeout = 0');
}

/** For those who may take their time; requests are settled by fair-write-lock.ts. */
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

export function explained<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explain(file, error);
  }
}

const DAMAGED = 'the file is damaged or is no Postern database; nothing was changed, restore a backup';

export function damagedStore(file: string, cause: unknown): StoreUnavailable {
  return new StoreUnavailable(`${file}: ${DAMAGED}`, { cause });
}

/** Whether SQLite can read all of the file. Takes a while where it is large. */
export function isSound(connection: Connection): boolean {
  const [verdict] = connection.prepare('PRAGMA quick_check(1)').raw(true).all() as [string][];
  return verdict?.[0] === 'ok';
}

export function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(NOTADB|CORRUPT)/.test(String(error.code));
}

/** Turns SQLite’s words into what happened to which file and what to do about it. */
export function explain(file: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const advice = adviceFor(code, error.message);
  return advice === undefined ? error : new StoreUnavailable(`${file}: ${advice}`, { cause: error });
}

function adviceFor(code: string, message: string): string | undefined {
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return 'another process holds the database; try again when it is done';
  }
  if (code.startsWith('SQLITE_FULL')) return 'the disk is full; nothing was written, make room and go on';
  if (code.startsWith('SQLITE_READONLY')) {
    return 'the database or its folder cannot be written to; give the service’s user the right to write';
  }
  if (code.startsWith('SQLITE_CANTOPEN') || message.includes('Unable to open connection')) {
    return 'the database cannot be opened; look at the folder, its owner and its rights';
  }
  if (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT')) return DAMAGED;
  if (code.startsWith('SQLITE_IOERR'))
    return 'the disk does not answer as it should; look at the system’s log';
  return undefined;
}
