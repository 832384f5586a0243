import type { CheckActions, CheckName } from '@postern/contract';
import type { FactsForRules } from '../model/facts-for-rules.ts';
import type { StatisticsFacts } from './statistics/statistics-words.ts';

/** What the log keeps of a validation: nothing that names a person. */
export interface LogRecord {
  readonly requestId: string;
  readonly maskedAddress: string;
  readonly domain: string;
  readonly maskedIp: string | null;
  /** The shape of the address’s name, such as `a99`; see `localPartShape`. */
  readonly shape?: string | undefined;
  readonly sdkVersion: string | null;
  readonly actions: CheckActions;
  /** The checks that failed on the request alone, before history. */
  readonly failed: readonly CheckName[];
  readonly signals: readonly string[];
  /** The checks’ results as JSON, see `readLoggedChecks`. Personal fields are left out. */
  readonly checksJson: string;
  /**
   * The recommendation for each `historyState`, so that the transaction that reads the history can log and count it.
   * One digit for each state: the recommendation’s index in `ACTIONS`.
   */
  readonly recommendations: string;
  /** What matched of the project’s rules: one entry for each `historyState`, or a single one if history changes nothing. */
  readonly rules: readonly MatchedRules[];
  /** The entries of the project’s lists that decided, in the same form. */
  readonly lists: MatchedLists;
  /** What rules look at besides the rest of this. */
  readonly facts: FactsForRules;
  /** What each of `HISTORY_FACTS` adds to `failed` and `signals` if it is true. */
  readonly effects: readonly HistoryEffect[];
  readonly latencyMs: number;
  /** What is counted besides what the log shows. */
  readonly statistics: StatisticsFacts;
}

/** IDs of the rules that matched: those that decide, and those that are only counted; and of those that failed. */
export interface MatchedRules {
  readonly live: readonly string[];
  readonly shadow: readonly string[];
  readonly failed?: readonly string[];
}

export type MatchedLists = readonly (readonly string[])[];

/** `<N>` in a signal stands for the device’s `previousSignups`. */
export interface HistoryEffect {
  readonly failed: readonly CheckName[];
  readonly signals: readonly string[];
}
