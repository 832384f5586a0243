import { DAY_MS } from '@postern/contract';
import { integer, text, textOrNull } from '../columns.ts';
import type { Database } from '../database.ts';
import { type DeadlineTimer, withDeadline } from '../deadline.ts';
import { tableOf } from '../table-of.ts';

export const IDEMPOTENT_ANSWER = tableOf('idempotent_answer', {
  projectId: text,
  keyHash: text,
  requestHash: text,
  logRow: text,
  createdAt: integer,
  answer: textOrNull,
});

/** A counted request with an `Idempotency-Key`. */
export interface CountedRequest {
  readonly requestHash: string;
  /** The ID of its log row. */
  readonly logRow: string;
  readonly createdAt: number;
  /** Encrypted. `null` until its caller is answered, and for good if the process ended before that. */
  readonly answer: string | null;
}

/** How long an answer is kept for repeats of its request. */
export const ANSWERS_KEPT_MS = DAY_MS;

export type AnswerStore = ReturnType<typeof answerStore>;

/**
 * Answers that are kept for 24 hours, so that a repeated request gets the first answer and is not counted again.
 * `settle` writes the row in the transaction that counts the request.
 */
export function answerStore(database: Database, startTimer: DeadlineTimer) {
  return {
    async find(
      projectId: string,
      keyHash: string,
      now: number,
      timeoutMs?: number,
    ): Promise<CountedRequest | undefined> {
      const reading = IDEMPOTENT_ANSWER.find(database.read, { projectId, keyHash });
      const counted = await withDeadline(startTimer, timeoutMs, reading);
      return counted && counted.createdAt > now - ANSWERS_KEPT_MS ? counted : undefined;
    },
    /** Keeps the answer, unless the log row is another request’s by now. */
    async keep(projectId: string, keyHash: string, logRow: string, answer: string): Promise<void> {
      await database.write([IDEMPOTENT_ANSWER.update({ projectId, keyHash, logRow }, { answer })]);
    },
    /**
     * A repeat is handled like a new request: this one’s quota was given back, or a test address simulated a limit.
     */
    async drop(projectId: string, keyHash: string, logRow: string): Promise<void> {
      await database.write([IDEMPOTENT_ANSWER.remove({ projectId, keyHash, logRow })]);
    },
  };
}
