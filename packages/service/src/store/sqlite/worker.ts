import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { StoreUnavailable } from '../store.ts';
import { answerCalls } from './answer-calls.ts';
import { type Connection, explain, explained, openConnection, waitBriefly } from './connection.ts';
import { migrateSqlite } from './migrate-sqlite.ts';
import { sqliteLines } from './migrations/sqlite-lines.ts';
import type { Answer, Call, Failure, Opening, WorkerSettings } from './worker-call.ts';

/** A transaction this long keeps the write lock from others for some tens of milliseconds at most. */
const CALLS_AT_ONCE = 1_024;

/**
 * The thread that alone waits for the disk. All messages that arrived while it was busy are taken together, so
 * that the settles among them share one transaction and one sync.
 */
function serve(port: MessagePort, settings: WorkerSettings): void {
  let connection: Connection;
  try {
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
  const answer = answerCalls(connection, settings.access);
  port.on('message', (first: Call[]) => {
    const calls = [...first];
    while (calls.length < CALLS_AT_ONCE) {
      const more = receiveMessageOnPort(port) as { message: Call[] } | undefined;
      if (!more) break;
      calls.push(...more.message);
    }
    const answers: Answer[] = answer(calls, (error) => toFailure(explain(settings.file, error)));
    // One string crosses faster than the arrays that it stands for.
    port.postMessage(JSON.stringify(answers));
    if (calls.some(([, name]) => name === 'close')) port.close();
  });
  port.postMessage({ opened: true } satisfies Opening);
}

function toFailure(error: unknown): Failure {
  return {
    unavailable: error instanceof StoreUnavailable,
    message: error instanceof Error ? error.message : String(error),
  };
}

if (parentPort) serve(parentPort, workerData as WorkerSettings);
