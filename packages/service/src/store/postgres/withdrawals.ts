import { randomBytes } from 'node:crypto';
import type { Connections } from './connections.ts';

const RETRY_MS = 500;
/** After this long the batch is left as it is; the sweep forgets batches after an hour. */
const GIVE_UP_MS = 30 * 60_000;

export interface Withdrawals {
  /** An ID that no other batch has. */
  nextBatch(): string;
  /** Sees to it, for as long as it takes, that a batch whose answer was lost counts for nothing. */
  withdraw(project: string, batch: string, month: string, now: number): void;
  /** One more try for what is left; then it is given up. */
  close(): Promise<void>;
}

/**
 * When the connection breaks after a batch was sent, nobody knows whether it was counted. Its callers get a 503
 * and the batch is never sent again, so nothing counts twice. So that nothing is lost either, it is withdrawn.
 */
export function withdrawals(connections: Connections): Withdrawals {
  const origin = randomBytes(9).toString('base64url');
  const left = new Map<string, () => Promise<void>>();
  let counter = 0;
  let closed = false;

  const attempt = async (batch: string, work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      left.delete(batch);
      return true;
    } catch {
      return false;
    }
  };

  async function insist(batch: string, work: () => Promise<void>): Promise<void> {
    const since = performance.now();
    while (!closed && performance.now() - since < GIVE_UP_MS) {
      if (await attempt(batch, work)) return;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    }
  }

  return {
    nextBatch() {
      counter += 1;
      return `${origin}${counter.toString(36)}`;
    },
    withdraw(project, batch, month, now) {
      const work = async () => {
        await connections.hot('SELECT postern_withdraw_1($1, $2, $3, $4)', [project, batch, month, now]);
      };
      left.set(batch, work);
      void insist(batch, work);
    },
    async close() {
      closed = true;
      await Promise.all([...left].map(([batch, work]) => attempt(batch, work)));
    },
  };
}
