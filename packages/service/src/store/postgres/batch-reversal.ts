import { randomBytes } from 'node:crypto';
import { createRetryQueue } from '../retry-queue.ts';
import type { Connections } from './connections.ts';

export interface BatchReversal {
  /** An ID that no other batch has. */
  nextBatch(): string;
  /** Sees to it, for as long as it takes, that a batch whose answer was lost counts for nothing. */
  withdraw(project: string, batch: string, month: string, now: number): void;
  /** Gives back, once and for as long as it takes, what was counted for callers who had given up. */
  giveBack(project: string, month: string, requests: number, now: number): void;
  /** One more try for what is left; then it is given up. */
  close(): Promise<void>;
}

/** Noted like a batch, so that a try whose answer was lost is not repeated. */
const GIVE_BACK = `WITH noted AS (
    INSERT INTO settled_batch (project_id, batch, at, month, consumed) VALUES ($1, $2, $3, $4, 0)
    ON CONFLICT (project_id, batch) DO NOTHING RETURNING 1
  )
  UPDATE quota SET used = greatest(0, used - $5::BIGINT)
  WHERE project_id = $1 AND month = $4 AND EXISTS (SELECT 1 FROM noted)`;

/**
 * When the connection breaks after a batch was sent, nobody knows whether it was counted. Its callers get a 503
 * and the batch is never sent again, so nothing counts twice. So that nothing is lost either, it is withdrawn.
 */
export function createBatchReversal(connections: Connections): BatchReversal {
  const origin = randomBytes(9).toString('base64url');
  const { insist, close } = createRetryQueue();
  let counter = 0;
  const nextBatch = () => {
    counter += 1;
    return `${origin}${counter.toString(36)}`;
  };
  const insistOn = (sql: string, values: readonly unknown[]) =>
    insist(async () => {
      await connections.hot(sql, values);
    });

  return {
    nextBatch,
    withdraw: (project, batch, month, now) =>
      insistOn('SELECT postern_withdraw_1($1, $2, $3, $4)', [project, batch, month, now]),
    giveBack: (project, month, requests, now) =>
      insistOn(GIVE_BACK, [project, nextBatch(), now, month, requests]),
    close,
  };
}
