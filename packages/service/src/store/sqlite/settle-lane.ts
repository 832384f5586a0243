import type { Patience } from '../patience.ts';
import { type Settlement, StoreUnavailable } from '../store.ts';
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
  readonly resolve: (settlement: Settlement) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * All submissions of one turn of the event loop travel together: to the thread and back, and in one watch for
 * answers that take too long. What is done once for all of them costs each next to nothing.
 */
export function settleLane({ settle, patient, late }: SettleLaneOptions) {
  let gathered: Waiting[] = [];

  const send = (waiting: readonly Waiting[]) => {
    let gaveUp = false;
    const done = patient(() => {
      gaveUp = true;
      const refusal = new StoreUnavailable('The database takes too long');
      for (const { reject } of waiting) reject(refusal);
    });
    settle(packSubmissions(waiting.map(({ submission }) => submission))).then(
      (answers) => {
        done();
        for (const [index, { submission, resolve }] of waiting.entries()) {
          const answer = answers[index] ?? null;
          if (gaveUp) late(submission, answer);
          else resolve(toSettlement(answer, submission));
        }
      },
      (error: unknown) => {
        done();
        for (const { reject } of waiting) reject(error);
      },
    );
  };

  const sendAll = () => {
    const all = gathered;
    gathered = [];
    for (let at = 0; at < all.length; at += SENT_TOGETHER) send(all.slice(at, at + SENT_TOGETHER));
  };

  return (submission: SubmissionMessage): Promise<Settlement> =>
    new Promise((resolve, reject) => {
      if (gathered.length === 0) setImmediate(sendAll);
      gathered.push({ submission, resolve, reject });
    });
}
