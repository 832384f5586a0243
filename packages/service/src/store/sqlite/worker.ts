import { existsSync, statSync } from 'node:fs';
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { StoreUnavailable } from '../store.ts';
import { type Connection, explain, explained, openConnection, waitBriefly } from './connection.ts';
import { migrateSqlite } from './migrate-sqlite.ts';
import { sqliteLines } from './migrations/sqlite-lines.ts';
import type { Answer, Call, Failure, Opening, WorkerSettings } from './worker-call.ts';
import { createWorkerHandler } from './worker-handler.ts';

/** A transaction this long keeps the write lock from others for some tens of milliseconds at most. */
const TAKEN_TOGETHER = 512;

/**
 * The thread that alone waits for the disk. All messages that arrived while it was busy are taken together, so
 * that the settles among them share one transaction and one sync.
 */
function serve(port: MessagePort, settings: WorkerSettings): void {
  let connection: Connection;
  try {
    // The driver would make an empty one; whoever opens the store has made it.
    if (!existsSync(settings.file)) {
      throw new StoreUnavailable(`${settings.file}: the database is gone; put it back or restore a backup`);
    }
    connection = openConnection(settings.file, settings.access);
    if (settings.migrate) {
      explained(settings.file, () => {
        for (const line of sqliteLines) migrateSqlite(connection, line);
      });
    }
    if (settings.access === 'write') waitBriefly(connection);
  } catch (error) {
    port.postMessage({ opened: false, failure: toFailure(error) } satisfies Opening);
    return;
  }
  const answer = createWorkerHandler(connection, settings.access);
  const isInPlace = watchPlace(settings.file);
  port.on('message', (first: Call) => {
    const calls = [first];
    for (let taken = weightOf(first); taken < TAKEN_TOGETHER; ) {
      const more = receiveMessageOnPort(port) as { message: Call } | undefined;
      if (!more) break;
      calls.push(more.message);
      taken += weightOf(more.message);
    }
    let answers: Answer[] = answer(calls, (error) => toFailure(explain(settings.file, error)));
    const closing = calls.find(([, name]) => name === 'close');
    if (!closing && !isInPlace()) answers = answers.map(([id]) => [id, null, displaced(settings.file)]);
    // One string crosses faster than the arrays that it stands for.
    port.postMessage(JSON.stringify(answers));
    if (closing) port.close();
  });
  port.postMessage({ opened: true } satisfies Opening);
}

/**
 * A file that was removed or replaced can still be written to, and all of it would be lost. So nothing is
 * answered that is not in the files of these names; what was answered last is in the write-ahead log.
 */
function watchPlace(file: string): () => boolean {
  const places = [file, `${file}-wal`].map((path) => ({ path, opened: statSync(path) }));
  return () =>
    places.every(({ path, opened }) => {
      const there = statSync(path, { throwIfNoEntry: false });
      return there?.ino === opened.ino && there.dev === opened.dev;
    });
}

function weightOf(call: Call): number {
  return call[1] === 'settle' ? call[2].count : 1;
}

function displaced(file: string): Failure {
  return {
    unavailable: true,
    message: `${file}: the database or its write-ahead log was moved, removed or replaced while in use; put it back, or restart the service to go on with what is there`,
  };
}

function toFailure(error: unknown): Failure {
  return {
    unavailable: error instanceof StoreUnavailable,
    message: error instanceof Error ? error.message : String(error),
  };
}

if (parentPort) serve(parentPort, workerData as WorkerSettings);
