import type { StepUpKind } from '../challenges.ts';
import type { JudgementUndo, ValidationRow } from './validations.ts';

/** How well each signal and check tells bad people from good ones. */
export interface OutcomeReportView {
  projectId: string;
  days: number;
  from: number;
  to: number;
  /** Not everybody with a known outcome is counted, only those who were seen last. */
  partial: boolean;
  people: number;
  /** `people` here and in the rows are estimates, because the log is long. */
  estimated: boolean;
  /** People with the outcome `good` or `bad`. */
  known: number;
  bad: number;
  /** The share of bad people among all known ones. */
  baseRate: number | null;
  rows: OutcomeRowView[];
  policy: OutcomeEffect;
  /** Live rules that flag or block, and hit fewer bad people than average. Of the last 90 days. */
  rulesGoneBad: RuleGoneBadView[];
  /** What flags asked people for, as far as the log goes back. Kinds that were never asked for are left out. */
  stepUps: StepUpView[];
}
/** One kind of step-up: who held, and whom it lost. */
export interface StepUpView {
  kind: StepUpKind;
  asked: number;
  passed: number;
  /** Ran out of time. Who is still at it is neither. */
  gaveUp: number;
  /** Half of those who passed took at most so long. */
  medianMs: number | null;
  ofPassed: StepUpOutcomes;
  ofGaveUp: StepUpOutcomes;
}
export interface StepUpOutcomes {
  good: number;
  bad: number;
  unknown: number;
  /** The share of bad people among the known ones, and its 95% interval. */
  share: number | null;
  low: number | null;
  high: number | null;
}
export interface RuleGoneBadView {
  id: string;
  name: string;
  then: 'flag' | 'block';
  /** Of the people it hit since it was last changed. */
  known: number;
  bad: number;
  baseRate: number;
}
/** How many known bad people the answers stopped, and how many known good people they hit. */
export interface OutcomeEffect {
  bad: number;
  badBlocked: number;
  badFlagged: number;
  good: number;
  goodBlocked: number;
  goodFlagged: number;
}
export interface OutcomeRowView {
  kind: 'signal' | 'check' | 'rule';
  name: string;
  people: number;
  known: number;
  bad: number;
  /** The share of bad people among the known ones, and its 95% interval. */
  share: number | null;
  low: number | null;
  high: number | null;
  /** `share` divided by `baseRate`. */
  lift: number | null;
}
export interface OutcomesImported {
  recorded: number;
  /** The lines that match no validation of the project. */
  unknownLines: number[];
}
/**
 * The queue is counted up to this number, because counting reads every row, in a large store from the disk. Counting a
 * hundred thousand takes seconds and helps no reader.
 */
export const REVIEW_MAX_COUNTED = 1_000;

export interface ReviewView {
  /** At most `REVIEW_MAX_COUNTED`. */
  open: number;
  /** How many of the oldest rows are sorted by risk; `null` if that is all of them. */
  sorted: number | null;
  rows: ReviewRow[];
  /** Pass it as `after` for the next page; `null` at the end. Sorted by risk there is only one page. */
  next: string | null;
}
export interface ReviewRow extends ValidationRow {
  /** The highest share of bad people among its signals; `null` while too little is known. */
  risk: number | null;
}
export interface ReviewDecided {
  decided: boolean;
  /** Takes the decision back, see `JudgementsUndo`. */
  undo: JudgementUndo[];
}
export interface ReviewsDecided {
  decided: number;
  /** Another member decided these before, or they are gone. */
  skipped: number;
  undo: JudgementUndo[];
}
