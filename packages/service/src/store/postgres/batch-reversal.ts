import { randomBytes } from 'node:crypto';
import type { RetryQueue } from '../retry-queue.ts';
import { endClaims, reverseLogged, reverseSettlement } from '../reverse-settlement.ts';
import type { SettlementMessage, SubmissionMessage } from '../submission-message.ts';
import type { Connections } from './connections.ts';

export interface BatchReversal {
  /** An ID that no other batch has. */
  nextBatch(): string;
  /** Makes sure that a batch whose answer was lost counts for nothing; retried until it succeeds. */
  withdraw(project: string, batch: string, messages: readonly SubmissionMessage[]): void;
  /** Undoes what was counted for a caller who had been refused; retried until it succeeds. */
  reverse(message: SubmissionMessage, settlement: NonNullable<SettlementMessage>): void;
  /** Ends the claims of requests that were not counted. */
  endClaims(messages: readonly SubmissionMessage[]): void;
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
    reverse: (message, settlement) => retries.add(() => reverseSettlement(database, message, settlement)),
    endClaims(messages) {
      if (messages.some(({ claim }) => claim !== null)) retries.add(() => endClaims(database, messages));
    },
  };
}
