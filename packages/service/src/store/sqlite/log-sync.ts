import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { StoreUnavailable } from '../store.ts';
import type { Connection } from './connection.ts';

export interface LogSync {
  /** To be called after each commit, before anybody hears of it. */
  readonly sync: () => void;
  readonly close: () => void;
}

/**
 * From now on the connection leaves it to the caller to sync its commits. The driver’s SQLite syncs inside the commit and with
 * `fsync`, which also writes the file’s times. This way other processes can already write while this one waits for the
 * disk, and a file system with a journal need not write that too. What others read meanwhile may not be on the disk yet, but
 * their own sync covers it, because all commits are in one file.
 *
 * If a sync fails, requests are refused that have been counted. The disk is broken then.
 */
export function syncCommits(connection: Connection, file: string): LogSync {
  const log = openSync(`${file}-wal`, 'r');
  connection.exec('PRAGMA synchronous = NORMAL');
  return {
    sync() {
      try {
        fdatasyncSync(log);
      } catch (error) {
        throw new StoreUnavailable(`${file}: the disk reports errors; check the system log`, {
          code: 'log-not-synced',
          cause: error,
        });
      }
    },
    close: () => closeSync(log),
  };
}
