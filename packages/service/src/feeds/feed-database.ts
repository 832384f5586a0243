import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import Libsql from 'libsql';
import {
  type Connection,
  inTransaction,
  isDamage,
  isIntact,
  openConnection,
  readPragma,
} from '../store/sqlite/connection.ts';

/** The limits of the columns also hold for a file from another machine: `integrity_check` tests them. */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS source (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 40 AND name NOT GLOB '*[^a-z0-9-]*'),
  content_at INTEGER CHECK (content_at BETWEEN 0 AND 9007199254740991),
  facts TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS entry (
  source INTEGER NOT NULL REFERENCES source (id),
  position INTEGER NOT NULL,
  text TEXT NOT NULL CHECK (length(text) BETWEEN 1 AND 65536),
  first_seen INTEGER NOT NULL CHECK (first_seen BETWEEN 0 AND 9007199254740991),
  last_seen INTEGER NOT NULL CHECK (last_seen BETWEEN 0 AND 9007199254740991),
  PRIMARY KEY (source, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS state (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
PRAGMA user_version = 1;`;

/** The files that SQLite keeps for a database. */
const ENDINGS = ['', '-wal', '-shm'];

export function openFeedDatabase(file: string): Connection {
  // SQLite would create it readable for everybody.
  writeFileSync(file, '', { mode: 0o600, flag: 'a' });
  const database = openConnection(file, 'write');
  try {
    // 1 MiB: a refresh has little memory, and reads everything once.
    database.exec('PRAGMA cache_size = -1024');
    if (readPragma(database, 'user_version') === 0) inTransaction(database, () => database.exec(SCHEMA));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export function withFeedDatabase<T>(file: string, work: (database: Connection) => T): T {
  const database = openFeedDatabase(file);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Whether SQLite can read all of it and it has these tables and nothing else, such as triggers. */
export function isFeedDatabase(database: Connection): boolean {
  const empty = new Libsql(':memory:');
  try {
    empty.exec(SCHEMA);
    return tablesOf(database) === tablesOf(empty) && isIntact(database, 'integrity_check');
  } finally {
    empty.close();
  }
}

function tablesOf(database: Connection): string {
  return JSON.stringify(
    database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').raw(true).all(),
  );
}

export function removeFeedDatabase(file: string): void {
  for (const ending of ENDINGS) rmSync(`${file}${ending}`, { force: true });
}

/** Replaces a damaged file by its copy or by none. Returns what happened, for people. */
export function mendFeedDatabase(file: string, copy: string): string | undefined {
  if (!existsSync(file) || isWhole(file)) return undefined;
  removeFeedDatabase(file);
  const damaged = `${file} is damaged.`;
  if (!existsSync(copy) || !isWhole(copy))
    return `${damaged} All sources are fetched again; entries that were only kept from earlier are lost.`;
  renameSync(copy, file);
  // The compiled lists are newer than the copy.
  withFeedDatabase(file, (database) => database.exec('DELETE FROM state'));
  return `${damaged} The copy before it is used instead.`;
}

function isWhole(file: string): boolean {
  try {
    return withFeedDatabase(file, isFeedDatabase);
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

/** Returns what releases the lock, or `undefined` if another process has it. The system releases that of a dead process. */
export function takeFeedLock(file: string): (() => void) | undefined {
  writeFileSync(file, '', { mode: 0o600, flag: 'a' });
  const lock = new Libsql(file, { timeout: 0 });
  try {
    lock.exec('BEGIN IMMEDIATE');
  } catch (error) {
    lock.close();
    if ((error as { readonly code?: unknown }).code === 'SQLITE_BUSY') return undefined;
    throw error;
  }
  return () => {
    lock.exec('ROLLBACK');
    lock.close();
  };
}
