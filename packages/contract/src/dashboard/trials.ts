import type { CheckName, Recommendation } from '../checks.ts';
import type { ValidateResponse } from '../validate-response.ts';
import type { OutcomeEffect } from './outcomes.ts';
import type { ValidationRow } from './validations.ts';

export interface PlaygroundAnswer {
  status: number;
  body: ValidateResponse | { error: string };
}

/**
 * What the stored history would have been under an edited policy or edited rules, compared with what the policy and the
 * rules of today would answer. Actions, unknownMx, unknownIp, deviceThreshold,
 * crowd, relays and rules are replayed; the lists and clientOverrides are not.
 * Test keys’ rows are left out.
 */
export interface TimeMachineReport {
  /** Validations that were replayed. */
  considered: number;
  /** The oldest and the newest moment of what was looked at; the log may not go back as far as was asked. */
  from: number;
  to: number;
  /**
   * How many validations a sample stands for. `null`: all of them were replayed. The rows of a sample are chosen one by
   * one by a hash of their time, about 20,000 of them, as many as possible of each answer.
   */
  sampledFrom: number | null;
  /** `outcomes` counts only the people who were seen last, because too many are known. */
  knownPartial: boolean;
  /** What the policy and the rules of today would answer, and what the edited ones would. */
  before: Record<Recommendation, Estimate>;
  after: Record<Recommendation, Estimate>;
  /**
   * Validations that the policy and the rules of today would answer differently than they were answered: because
   * something was changed since, or because the request brought `validations` of its own.
   */
  otherThen: Estimate;
  /** Those that begin or end blocking first, then the largest. */
  changes: ({ from: Recommendation; to: Recommendation; examples: ValidationRow[] } & Estimate)[];
  /** The changes added up by what they mean. */
  newlyBlocked: Estimate;
  noLongerBlocked: Estimate;
  /** From allow to flag, and back. */
  newlyFlagged: Estimate;
  noLongerFlagged: Estimate;
  /** Checks that the policy adds but that did not run then: they cannot be replayed, and count as passed. */
  unknown: CheckName[];
  /** What each rule would have done, in their order. */
  rules: RuleEffect[];
  /** What today’s answers and the edited ones would do to people whose outcome is known. */
  outcomes: { before: OutcomeEffect; after: OutcomeEffect };
}

/** A number of validations. From a sample, with the interval of 95%; all three are the same if all rows were read. */
export interface Estimate {
  count: number;
  low: number;
  high: number;
}

/** What a rule would have matched. */
export interface RuleEffect {
  id: string;
  matches: Estimate;
  /** Validations that this rule would decide, and that the policy and the rules of today would answer differently. */
  changed: Estimate;
  /** People among the matches whose outcome is known. */
  bad: number;
  good: number;
  examples: ValidationRow[];
}
