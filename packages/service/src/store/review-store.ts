import type { LogRow } from './log-row.ts';

/** Validations that were answered `flag` and wait for a member’s decision. */
export interface ReviewStore {
  count(projectId: string): Promise<number>;
  /** Oldest first, after the row with the ID `after`. */
  open(projectId: string, after: string | null, limit: number): Promise<LogRow[]>;
  /** Records that a member is viewing a row. Returns who else is. */
  look(projectId: string, logId: string, memberId: string, now: number, until: number): Promise<string[]>;
  /** Which members are viewing which rows. */
  looks(projectId: string, now: number): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * Takes the row out of the queue, with the person’s outcome and the event, in one transaction. `false` if somebody
   * else has already decided it; then nothing is changed.
   */
  decide(decision: ReviewDecision): Promise<boolean>;
  /** The decision about a row. `undefined` if there is none. */
  decisionOn(projectId: string, logId: string): Promise<ReviewNote | undefined>;
}

export interface ReviewNote {
  readonly decision: 'good' | 'bad' | 'passed';
  readonly by: string;
  readonly at: number;
}

export interface ReviewDecision extends ReviewNote {
  readonly projectId: string;
  readonly logId: string;
  readonly inbox: string;
  readonly seenAt: number;
  readonly reason: string | null;
  /** The data of the `review.decided` event. */
  readonly eventData: Readonly<Record<string, unknown>>;
}
