import { type Batcher, createBatcher, MAX_BATCH } from '../batcher.ts';
import type { DeadlineTimer } from '../deadline.ts';
import { bucketAt } from '../rate-rules.ts';
import type { SettlementMessage, SubmissionMessage } from '../submission-message.ts';
import type { BatchReversal } from './batch-reversal.ts';
import { AnswerLost } from './explain-failure.ts';
import type { SettleCall } from './settle-call.ts';

export interface SettleProjects {
  settle(message: SubmissionMessage, timeoutMs?: number): Promise<SettlementMessage>;
  /** Resolves when nothing is in flight any more. */
  idle(): Promise<void>;
}

/**
 * A project’s batches take turns at its row in the database. A second batch is sent only so that the database need not
 * wait for this process: when it is large enough to be worth its fixed cost, and when the last one was answered soon.
 * If not, batches of other processes wait for the row too, and more of them would only be smaller. Batches of different
 * projects run in parallel.
 */
export function createSettleProjects(
  call: SettleCall,
  reversal: BatchReversal,
  startTimer: DeadlineTimer,
  batchSettled: (project: string, requests: number) => void,
): SettleProjects {
  /** An idle batcher stays in the map, for the reason in `createDeadlineTimer`. */
  const projects = new Map<string, Batcher<SubmissionMessage, SettlementMessage>>();

  const batcherOf = (project: string) => {
    let batcher = projects.get(project);
    if (!batcher) {
      batcher = createBatcher<SubmissionMessage, SettlementMessage>({
        send: (messages) => send(project, messages),
        startTimer,
        maxSize: MAX_BATCH,
        maxUnderWay: 2,
        another: { minWaiting: 16, maxLastMs: 20 },
        startBatch: canShareBatch,
        onLate: reversal.undo,
      });
      projects.set(project, batcher);
    }
    return batcher;
  };

  const send = async (project: string, messages: readonly SubmissionMessage[]) => {
    const id = reversal.nextBatch();
    try {
      const settlements = await call(project, id, messages);
      batchSettled(project, messages.length);
      return settlements;
    } catch (error) {
      if (error instanceof AnswerLost) reversal.withdraw(project, id, messages);
      else reversal.endClaims(messages);
      throw error;
    }
  };

  return {
    settle: (message, timeoutMs) => batcherOf(message.project).call(message, timeoutMs),
    async idle() {
      await Promise.all([...projects.values()].map((batcher) => batcher.idle()));
    },
  };
}

/**
 * The database uses one time, month and retention for a batch and one rate for each lane, so all requests of a batch
 * must have the same.
 */
function canShareBatch(): (message: SubmissionMessage) => boolean {
  const rates = new Map<string, number>();
  let first: SubmissionMessage | undefined;
  let retentionMs: number | undefined;
  return (message) => {
    first ??= message;
    const retention = message.validation?.retentionMs ?? retentionMs;
    const together =
      bucketAt(message.now) === bucketAt(first.now) &&
      message.month === first.month &&
      (rates.get(message.lane) ?? message.rateLimit) === message.rateLimit &&
      message.visitors.every(([lane, limit]) => (rates.get(lane) ?? limit) === limit) &&
      (retentionMs ?? retention) === retention;
    if (!together) return false;
    rates.set(message.lane, message.rateLimit);
    for (const [lane, limit] of message.visitors) rates.set(lane, limit);
    retentionMs = retention;
    return true;
  };
}
