import type { CheckName, Recommendation, Signal } from '@postern/contract';

/** What follows for a request from its findings, its history, and the project’s lists, rules and policy. */
export interface Judgement {
  readonly recommendation: Recommendation;
  /** The check that decided, for the message; `null` if nothing failed, or if a list or a rule decided. */
  readonly check: CheckName | null;
  /** The ID of the rule that decided. */
  readonly rule: string | null;
  readonly failed: readonly CheckName[];
  /** Of the checks, then of the project’s lists and rules. */
  readonly signals: readonly Signal[];
  /** IDs of the live rules that matched, of the shadow rules that matched, and of the rules that could not be evaluated. */
  readonly rules: readonly string[];
  readonly shadowRules: readonly string[];
  readonly faultyRules: readonly string[];
}
