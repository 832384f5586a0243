import { closeSync, existsSync, fdatasyncSync, openSync, statSync } from 'node:fs';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { MAX_BATCH } from '../batcher.ts';
import { SchemaMismatch } from '../migration.ts';
import { sqliteMigrations } from '../schemas.ts';
import { StoreUnavailable } from '../store.ts';
import {
  type Connection,
  disableBusyTimeout,
  explain,
  openConnection,
  withExplainedErrors,
} from './connection.ts';
import { migrateSqlite } from './migrate-sqlite.ts';
import type { Settling } from './settle-batch.ts';
import { createWorkerHandler } from './worker-handler.ts';
import type { Answer, Call, Failure, Opening, WorkerSettings } from './worker-messages.ts';

/**
 * The only thread that waits for the disk. It takes all messages that arrived while it was busy together, so that the
 * requests among them share one transaction and one sync.
 */
export function serveSqlite(port: MessagePort, settings: WorkerSettings, settling?: Settling): void {
  let connection: Connection;
  let log: LogSync | undefined;
  try {
    // The driver would create an empty file; the store has created it before.
    if (!existsSync(settings.file))
      throw new StoreUnavailable(
        `${settings.file}: the database file is missing; put it back or restore a backup`,
        { code: 'file-missing' },
      );
    connection = openConnection(settings.file, settings.access);
    if (settings.migrate)
      withExplainedErrors(settings.file, () => migrateSqlite(connection, sqliteMigrations));
    if (settings.access === 'write') {
      disableBusyTimeout(connection);
      log = syncCommits(connection, settings.file);
    }
  } catch (error) {
    port.postMessage({ opened: false, failure: toFailure(error) } satisfies Opening);
    return;
  }
  const answer = createWorkerHandler(connection, { ...settings, settling, sync: () => log?.sync() });
  const filesAreInPlace = watchFiles(settings.file);
  port.on('message', (first: Call) => {
    const calls = [first];
    for (let taken = weightOf(first); taken < MAX_BATCH; ) {
      const more = receiveMessageOnPort(port) as { message: Call } | undefined;
      if (!more) break;
      calls.push(more.message);
      taken += weightOf(more.message);
    }
    let answers: Answer[] = answer(calls, (error) => toFailure(explain(settings.file, error)));
    const closing = calls.find(([, name]) => name === 'close');
    if (!closing && !filesAreInPlace())
      answers = answers.map(([id]) => [id, null, filesReplaced(settings.file)]);
    // One string is transferred to the other thread faster than the arrays in it.
    port.postMessage(JSON.stringify(answers));
    if (closing) {
      log?.close();
      port.close();
    }
  });
  port.postMessage({ opened: true } satisfies Opening);
}

/**
 * A file that was removed or replaced can still be written to, but everything written would be lost. So calls fail
 * unless the files of these names are the ones that were opened.
 */
function watchFiles(file: string): () => boolean {
  const files = [file, `${file}-wal`].map((path) => ({ path, opened: statSync(path) }));
  return () =>
    files.every(({ path, opened }) => {
      const there = statSync(path, { throwIfNoEntry: false });
      return there?.ino === opened.ino && there.dev === opened.dev;
    });
}

function weightOf(call: Call): number {
  return call[1] === 'settle' ? call[2].count : 1;
}

function filesReplaced(file: string): Failure {
  return {
    unavailable: true,
    code: 'file-replaced',
    message: `${file}: the database or its write-ahead log was moved, removed or replaced while in use; put it back, or restart the service to use what is there now`,
  };
}

function toFailure(error: unknown): Failure {
  return {
    unavailable: error instanceof StoreUnavailable,
    message: error instanceof Error ? error.message : String(error),
    ...(error instanceof SchemaMismatch && { mismatch: true }),
    ...(error instanceof StoreUnavailable && { code: error.code }),
  };
}

interface LogSync {
  /** To be called after each commit, before anybody hears of it. */
  readonly sync: () => void;
  readonly close: () => void;
}

/**
 * From now on the connection leaves it to the caller to sync its commits. The driver’s SQLite syncs inside the commit and with
 * `fsync`, which also writes the file’s times. This way other processes can already write while this one waits for the
 * disk, and a file system with a journal need not write that too. What others read meanwhile may not be on the disk yet, but
 * their own sync covers it, because all commits are in one file. If it fails, counted requests are refused: the disk is broken.
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
