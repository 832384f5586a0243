import { randomBytes } from 'node:crypto';
import type { RetryQueue } from '../retry-queue.ts';
import { type LateSettlements, lateSettlements, reverseLogged } from '../reverse-settlement.ts';
import type { SubmissionMessage } from '../submission-message.ts';
import type { Connections } from './connections.ts';

export interface BatchReversal extends LateSettlements {
  /** An ID that no other batch has. */
  nextBatch(): string;
  /** Makes sure that a batch whose answer was lost counts for nothing. Retried for up to 30 minutes. */
  withdraw(project: string, batch: string, messages: readonly SubmissionMessage[]): void;
}

/**
 * If the connection breaks after a batch was sent, it is unknown whether it was counted. Its callers get a 503 and the
 * batch is never sent again, so nothing counts twice. Reversing it makes sure that it does not count at all: if it was
 * not settled, it never will be; if it was, its counts are undone. Requests that only counted against the rate stay
 * counted, because they have no log row to find them by.
 */
export function createBatchReversal({ hot, database }: Connections, retries: RetryQueue): BatchReversal {
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
        await hot('SELECT postern_withdraw_1($1, $2, $3, $4)', [project, batch, first.month, first.now]);
        await reverseLogged(database, messages);
      });
    },
  };
}
