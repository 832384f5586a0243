import type { Recommendation } from '../checks.ts';
import type { ListEntry } from '../project-fields.ts';
import type { Rule } from '../rules.ts';
import type { ValidationRow } from './validations.ts';

/** POST /projects/:id/rules */
export interface NewRuleRequest {
  name: string;
  when: string;
  then: Rule['then'];
  /** Made from the name if absent. */
  id?: string;
  /** `live` if absent. */
  mode?: Rule['mode'];
  note?: string;
  message?: string;
  expiresAt?: number;
  /** The rule that it is asked before; the last one if absent. */
  before?: string;
  /** Why, for the audit log and the history of the policy. Those of the others too. */
  reason?: string;
}

/** PATCH /projects/:id/rules/:rule: `null` takes a note, a message or an end away. */
export interface RuleChangeRequest {
  name?: string;
  when?: string;
  then?: Rule['then'];
  mode?: Rule['mode'];
  note?: string | null;
  message?: string | null;
  expiresAt?: number | null;
  reason?: string;
}

/** POST /projects/:id/rules/:rule/move: `null` makes it the last one. */
export interface RuleMoveRequest {
  before: string | null;
  reason?: string;
}

/** POST /projects/:id/rules/test: what the condition would have matched. */
export interface RuleTestRequest {
  when: string;
  /** 1 to 365; 30 if absent. */
  days?: number;
}
export interface RuleTest {
  /** Validations of the time span. */
  considered: number;
  /** How many of them match; `matchesLow` to `matchesHigh` with a certainty of 95% if only a sample was looked at. */
  matches: number;
  matchesLow: number;
  matchesHigh: number;
  /** People among the matches whose outcome is known, and how many of them are bad and good. */
  known: number;
  bad: number;
  good: number;
  /** What the matches were answered. */
  answered: Record<Recommendation, number>;
  /** The newest matches. */
  examples: ValidationRow[];
  /** Rows whose evaluation failed. They do not match. */
  failed: number;
  from: number;
  to: number;
  /** A sample of the log was looked at, and numbers of validations are estimates. */
  partial: boolean;
}

/** GET /projects/:id/rule-failures: a rule whose evaluation failed. It did not match then. */
export interface RuleFailures {
  id: string;
  /** Validations in which it failed. */
  count: number;
  /** The end of the half hour in which it failed last. */
  lastAt: number | null;
}

/** POST /projects/:id/named-lists */
export interface NewNamedListRequest {
  name: string;
}
/** POST /projects/:id/named-lists/:name */
export interface NamedListChangeRequest {
  add?: ListEntry[];
  remove?: string[];
}
export interface NamedListView {
  name: string;
  entries: ListEntry[];
}
