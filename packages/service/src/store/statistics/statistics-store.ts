import type { Counts } from './counts.ts';

/**
 * What a project’s requests add up to, half hour by half hour, for 400 days. `settle` writes it with the request, and
 * only live keys count. It names no person.
 */
export interface StatisticsStore {
  /** The half hours of a time span in which anything was counted, in order, in portions. */
  read(projectId: string, from: number, to: number): AsyncIterable<readonly Slot[]>;
  /** Adds pending changes to their half hours’ rows. Returns how many, 0 when there are none. */
  merge(projectId: string): Promise<number>;
}

/** One half hour. */
export interface Slot {
  /** When it begins, milliseconds since 1970. */
  readonly at: number;
  readonly counts: Counts;
}

/** What each back end does in its own way. */
export interface StatisticsSteps {
  merge(projectId: string): Promise<number>;
  /** Takes the domain out of every half hour; the validations stay counted. */
  forgetDomain(projectId: string, domain: string): Promise<void>;
}

export const STATISTICS_KEPT_DAYS = 400;
