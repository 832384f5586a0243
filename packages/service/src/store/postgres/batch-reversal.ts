import { randomBytes } from 'node:crypto';
import { type Database, statement } from '../database.ts';
import type { RetryQueue } from '../retry-queue.ts';
import { type LateSettlements, lateSettlements, reverseLogged } from '../reverse-settlement.ts';
import type { SubmissionMessage } from '../submission-message.ts';

export interface BatchReversal extends LateSettlements {
  /** An ID that no other batch has. */
  nextBatch(): string;
  /** Makes sure that a batch whose answer was lost counts for nothing. Retried for up to 30 minutes. */
  withdraw(project: string, batch: string, messages: readonly SubmissionMessage[]): void;
}

/**
 * If the connection breaks after a batch was sent, it is unknown whether it was counted. Its callers get a 503 and the
 * batch is never sent again, so nothing counts twice. Reversing it makes sure that it does not count at all: if it was
 * not settled, it never will be; if it was, each of its requests is undone. Requests that only counted against the rate
 * stay counted, because they have no log row to find them by.
 */
export function createBatchReversal(database: Database, retries: RetryQueue): BatchReversal {
  const origin = randomBytes(9).toString('base64url');
  let counter = 0;

  return {
    ...lateSettlements(database, retries),
    nextBatch() {
      counter += 1;
      return `${origin}${counter.toString(36)}`;
    },
    withdraw(project, batch, messages) {
      const [first] = messages;
      if (!first) return;
      retries.add(async () => {
        // Keeps the batch from being settled late. Waits while it is being settled.
        await database.write([
          statement(
            'INSERT INTO settled_batch (project_id, batch, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
            project,
            batch,
            first.now,
          ),
        ]);
        for (const message of messages) await reverseLogged(database, message);
      });
    },
  };
}
