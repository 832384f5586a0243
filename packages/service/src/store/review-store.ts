import type { LogRow } from './log-row.ts';

/** The queue looks different to each member: it leaves out what that member passed on. */
export interface QueueReader {
  readonly projectId: string;
  readonly memberId: string;
  readonly now: number;
}

/**
 * Validations that were answered `flag` and wait for a member’s decision. A row also leaves the queue when a `good` or
 * `bad` that is newer than it is reported about the person.
 */
export interface ReviewStore {
  /** How many wait, counted up to `limit`. */
  count(reader: QueueReader, limit: number): Promise<number>;
  /** Oldest first, after the row with the ID `after`. */
  open(reader: QueueReader, after: string | null, limit: number): Promise<LogRow[]>;
  /** Records that a member is viewing a row. Returns who else is. */
  look(projectId: string, logId: string, memberId: string, now: number, until: number): Promise<string[]>;
  /** Which members are viewing which rows. */
  looks(projectId: string, now: number): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * Takes the row out of the queue, with the person’s outcome and the event, in one transaction. `false` if somebody
   * else has already decided it; then nothing is changed.
   */
  decide(decision: ReviewDecision): Promise<boolean>;
  /**
   * Leaves the row to the other members: this member does not see it until then. `false` if somebody has already
   * decided it.
   */
  pass(projectId: string, logId: string, memberId: string, until: number): Promise<boolean>;
  /** The decision about a row. `undefined` if there is none. */
  decisionOn(projectId: string, logId: string): Promise<ReviewNote | undefined>;
}

export interface ReviewNote {
  readonly decision: 'good' | 'bad';
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
