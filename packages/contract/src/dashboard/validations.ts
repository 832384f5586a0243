import type { CheckActions, CheckName, Recommendation } from '../checks.ts';
import type { KeyType } from '../keys.ts';
import type { CheckResult } from '../validate-response.ts';

export interface ValidationPage {
  rows: ValidationRow[];
  next: string | null;
}
export interface ValidationRow {
  id: string;
  at: number;
  requestId: string;
  keyType: KeyType;
  mode: 'live' | 'test';
  maskedAddress: string;
  domain: string;
  maskedIp: string | null;
  sdkVersion: string | null;
  device: string | null;
  inbox: string;
  recommendation: Recommendation;
  failed: CheckName[];
  signals: string[];
  /** IDs of the live rules that matched, and of the shadow rules, which only count. */
  rules: string[];
  shadowRules: string[];
  /** The list that decided with the kind of its entry, such as `block:domain`. */
  lists: string[];
  /** Until the last check ended. Counting and logging come later and are not included. */
  latencyMs: number;
}
export interface ValidationDetail extends ValidationRow {
  actions: CheckActions;
  checks: Partial<Record<CheckName, CheckResult>>;
  /** The latest `good` or `bad` about the person. */
  judgement: PersonJudgement | null;
  history: {
    previousSignups: number;
    otherAddresses: number;
    networks: number;
    inboxReused: boolean;
  };
}

export interface PersonJudgement {
  outcome: 'good' | 'bad';
  reason: string | null;
  at: number;
}

/**
 * Reports that these answers were wrong: a person who was flagged or blocked gets the outcome `good`, one who was allowed
 * gets `bad`. If several validations are of one person, the newest counts.
 */
export interface WrongAnswers {
  /** IDs of 1 to 100 validations of live keys. */
  validations: string[];
}
export interface WrongAnswersMarked {
  /** How many people are now known to be good, and how many bad. */
  good: number;
  bad: number;
  /** Send this to take the report back. It changes nobody about whom something newer was reported. */
  undo: JudgementUndo[];
}
export interface JudgementUndo {
  inbox: string;
  judgement: PersonJudgement;
  previous: PersonJudgement | null;
}
export interface WrongAnswersUndo {
  undo: JudgementUndo[];
}
export interface WrongAnswersUndone {
  /** For how many people it was taken back. */
  undone: number;
}
