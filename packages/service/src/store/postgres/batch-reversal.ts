import { randomBytes } from 'node:crypto';
import { createRetryQueue } from '../retry-queue.ts';
import type { Connections } from './connections.ts';

export interface BatchReversal {
  /** An ID that no other batch has. */
  nextBatch(): string;
  /** Makes sure that a batch whose answer was lost counts for nothing; retried until it succeeds. */
  withdraw(project: string, batch: string, month: string, now: number): void;
  /** Gives back, exactly once, what was counted for callers who had been refused; retried until it succeeds. */
  giveBack(project: string, month: string, requests: number, now: number): void;
  /** Tries what is left once more, then drops it. */
  close(): Promise<void>;
}

/** Recorded like a batch, so that a try whose answer was lost is not repeated. */
const GIVE_BACK = `WITH noted AS (
    INSERT INTO settled_batch (project_id, batch, at, month, consumed) VALUES ($1, $2, $3, $4, 0)
    ON CONFLICT (project_id, batch) DO NOTHING RETURNING 1
  )
  UPDATE quota SET used = greatest(0, used - $5::BIGINT)
  WHERE project_id = $1 AND month = $4 AND EXISTS (SELECT 1 FROM noted)`;

/**
 * When the connection breaks after a batch was sent, nobody knows whether it was counted. Its callers get a 503 and
 * the batch is never sent again, so nothing counts twice. It is withdrawn, so that nothing is lost either.
 */
export function createBatchReversal(connections: Connections): BatchReversal {
  const origin = randomBytes(9).toString('base64url');
  const retries = createRetryQueue();
  let counter = 0;
  const nextBatch = () => {
    counter += 1;
    return `${origin}${counter.toString(36)}`;
  };
  const retry = (sql: string, values: readonly unknown[]) =>
    retries.add(async () => {
      await connections.hot(sql, values);
    });

  return {
    nextBatch,
    withdraw: (project, batch, month, now) =>
      retry('SELECT postern_withdraw_1($1, $2, $3, $4)', [project, batch, month, now]),
    giveBack: (project, month, requests, now) =>
      retry(GIVE_BACK, [project, nextBatch(), now, month, requests]),
    close: retries.close,
  };
}
