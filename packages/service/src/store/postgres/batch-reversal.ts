import { randomBytes } from 'node:crypto';
import type { RetryQueue } from '../retry-queue.ts';
import { type LateSettlements, lateSettlements, reverseLogged } from '../reverse-settlement.ts';
import type { SubmissionMessage } from '../submission-message.ts';
import type { Connections } from './connections.ts';

export interface BatchReversal extends LateSettlements {
  /** An ID that no other batch has. */
  nextBatch(): string;
  /** Makes sure that a batch whose answer was lost counts for nothing; retried until it succeeds. */
  withdraw(project: string, batch: string, messages: readonly SubmissionMessage[]): void;
}

/**
 * If the connection breaks after a batch was sent, it is unknown whether it was counted. Its callers get a 503 and the
 * batch is never sent again, so nothing counts twice. It is withdrawn, so that nothing is lost either: a batch that was
 * not settled is kept from being settled late, and what a settled one counted is undone. Only requests that were
 * counted against the rate alone stay counted, because they left nothing to find them by.
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
