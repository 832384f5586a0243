import type { LogRow } from './log-row.ts';

/** Validations that were answered `flag` and wait for a member’s decision. */
export interface ReviewStore {
  count(projectId: string): Promise<number>;
  /** Oldest first, after the row with the ID `after`. */
  open(projectId: string, after: string | null, limit: number): Promise<LogRow[]>;
  /** Notes that a member is looking at a row; answers who else is. */
  look(projectId: string, logId: string, memberId: string, now: number, until: number): Promise<string[]>;
  /** Who looks at which rows now. */
  looks(projectId: string, now: number): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * Takes the row out of the queue, with the person’s outcome and the event, in one transaction. `false`: somebody
   * else has decided it already, and nothing was changed.
   */
  decide(decision: ReviewDecision): Promise<boolean>;
  /** What was decided about a row; `undefined` while it waits or when it never did. */
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
