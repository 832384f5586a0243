import { type Patience, tooLong } from '../deadline.ts';
import type { Settlement } from '../store.ts';
import { type SettlementMessage, type SubmissionMessage, toSettlement } from '../submission-message.ts';
import { type PackedSubmissions, packSubmissions } from './packed-submissions.ts';

/** A transaction of this many keeps the write lock from others for some tens of milliseconds at most. */
const SENT_TOGETHER = 512;

export interface SettleLaneOptions {
  readonly settle: (submissions: PackedSubmissions) => Promise<readonly SettlementMessage[]>;
  readonly patient: Patience;
  /** Gets the answers that came when those who asked had given up. */
  readonly late: (submission: SubmissionMessage, answer: SettlementMessage) => void;
}

interface Waiting {
  readonly submission: SubmissionMessage;
  /** Ends the watch over how long it takes. */
  readonly done: () => void;
  readonly resolve: (settlement: Settlement) => void;
  readonly reject: (error: unknown) => void;
  /** Told that it takes too long. */
  gaveUp: boolean;
}

/**
 * All submissions of one turn of the event loop travel together: to the thread and back. What is done once for all
 * of them costs each next to nothing.
 */
export function settleLane({ settle, patient, late }: SettleLaneOptions) {
  let gathered: Waiting[] = [];

  const send = (waiting: readonly Waiting[]) => {
    settle(packSubmissions(waiting.map(({ submission }) => submission))).then(
      (answers) => {
        for (const [index, { submission, done, resolve, gaveUp }] of waiting.entries()) {
          const answer = answers[index] ?? null;
          done();
          if (gaveUp) late(submission, answer);
          else resolve(toSettlement(answer, submission));
        }
      },
      (error: unknown) => {
        for (const { done, reject } of waiting) {
          done();
          reject(error);
        }
      },
    );
  };

  const sendAll = () => {
    const all = gathered;
    gathered = [];
    for (let at = 0; at < all.length; at += SENT_TOGETHER) send(all.slice(at, at + SENT_TOGETHER));
  };

  return (submission: SubmissionMessage, patienceMs?: number): Promise<Settlement> =>
    new Promise((resolve, reject) => {
      const done = patient(() => {
        waiting.gaveUp = true;
        reject(tooLong());
      }, patienceMs);
      const waiting: Waiting = { submission, done, resolve, reject, gaveUp: false };
      if (gathered.length === 0) setImmediate(sendAll);
      gathered.push(waiting);
    });
}
