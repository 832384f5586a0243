import type { Recommendation } from '../checks.ts';
import type { ListEntry } from '../project-fields.ts';
import type { Rule } from '../rules.ts';
import type { OutcomeRowView } from './outcomes.ts';
import type { PolicyVersionView } from './policy-history.ts';
import type { ValidationRow } from './validations.ts';

/** A rule as the dashboard shows it. */
export interface RuleView extends Rule {
  /** The name of the member who changed it last. `null`: a member whose account is gone. */
  changedByName: string | null;
  /** The named lists that it asks. */
  lists: string[];
}

/** How a rule did. `matches` and `lastAt` come from the statistics, the rest from people whose outcome is known. */
export interface RuleFigures extends Omit<OutcomeRowView, 'kind' | 'name'> {
  id: string;
  /** Validations of live keys. */
  matches: number;
  /** When the newest of them was, to the half hour if its log row is gone. */
  lastAt: number | null;
}
/** GET /projects/:id/rule-figures */
export interface RuleFiguresView {
  days: number;
  /** The share of bad people among all known ones. */
  baseRate: number | null;
  /** In the order of the rules. */
  rules: RuleFigures[];
}

/** GET /projects/:id/rules/:rule: the rule, and how often it matched over time. */
export interface RuleDetail {
  rule: RuleView;
  /** Its place in the order, from 1. */
  place: number;
  baseRate: number | null;
  figures: RuleFigures;
  from: number;
  to: number;
  timeZone: string;
  bucketMs: number;
  /** Matches while it was live, and while it was in shadow. */
  series: { at: number; until: number; partial: boolean; live: number; shadow: number }[];
}

/** GET /projects/:id/rules/:rule/versions: the rule as it was saved, newest first. */
export interface RuleVersionView extends Omit<PolicyVersionView, 'changes'> {
  rule: Rule;
}

/** A place in a condition, counted from 1, and what to write there. */
export interface RuleFault {
  line: number;
  column: number;
  message: string;
}

export interface RuleCheck {
  fault: RuleFault | null;
  /** Values that a fact never has, such as the country `uk`. Such a rule can be saved. */
  warnings: RuleFault[];
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
  /** The beginning of the half hour in which it failed last. */
  lastAt: number | null;
}

export interface NamedListView {
  name: string;
  entries: ListEntry[];
  /** IDs of the rules that ask it. */
  usedBy: string[];
}
