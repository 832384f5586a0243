import type { Outcome, Recommendation } from '@postern/contract';

/** The outcomes of the people that a project validated. */
export interface OutcomeStore {
  /** The inboxes among these that the project knows, with the time each was last seen. */
  knownInboxes(projectId: string, inboxes: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * Records all of them or none. The latest of `good` and `bad` counts. Reporting the same outcome twice changes
   * nothing.
   */
  record(projectId: string, outcomes: readonly RecordedOutcome[]): Promise<void>;
  /**
   * Gives people their earlier verdicts back, all in one transaction. Somebody about whom something else was recorded
   * since keeps that. Returns for how many it was done.
   */
  takeBack(projectId: string, verdicts: readonly VerdictTakenBack[]): Promise<number>;
  find(projectId: string, inbox: string): Promise<PersonOutcome | undefined>;
  /** The outcomes of these people, by inbox. */
  findMany(projectId: string, inboxes: readonly string[]): Promise<ReadonlyMap<string, PersonOutcome>>;
  /** The people with a verdict who were seen last, at most `limit`, by inbox. */
  latestJudged(projectId: string, limit: number): Promise<ReadonlyMap<string, PersonOutcome>>;
  /** The live validations of a time span, newest first, in portions. */
  validations(projectId: string, from: number, to: number): AsyncIterable<readonly ValidationMarks[]>;
  /**
   * When these people were validated, as far as the project remembers without its log: the first and the last time,
   * the last time with another spelling, and the time that the outcome is about.
   */
  moments(projectId: string, inboxes: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>>;
  /** The live validations of these milliseconds, of anybody. */
  validationsAt(projectId: string, moments: readonly number[]): Promise<ValidationMarks[]>;
}

export interface RecordedOutcome {
  readonly inbox: string;
  readonly outcome: Outcome;
  readonly reason: string | null;
  readonly at: number;
  /** When the person was last validated. */
  readonly seenAt: number;
}

export interface Verdict {
  readonly verdict: 'good' | 'bad';
  readonly reason: string | null;
  readonly decidedAt: number;
}

export interface VerdictTakenBack {
  readonly inbox: string;
  /** The verdict to take back, as it was recorded. */
  readonly recorded: Pick<Verdict, 'verdict' | 'decidedAt'>;
  readonly previous: Verdict | null;
}

export interface PersonOutcome {
  readonly acceptedAt: number | null;
  /** `null` if the person signed up and nothing more is known. */
  readonly verdict: 'good' | 'bad' | null;
  readonly reason: string | null;
  readonly decidedAt: number | null;
}

/** One validation as the report sees it. */
export interface ValidationMarks {
  readonly at: number;
  readonly inbox: string;
  readonly recommendation: Recommendation;
  readonly checks: readonly string[];
  readonly signals: readonly string[];
}
