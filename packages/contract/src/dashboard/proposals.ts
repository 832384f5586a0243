/** GET /projects/:id/rule-proposals: rules that the outcomes support, found on older people and confirmed on newer ones. */
export interface RuleProposalsView {
  /** People whose outcome is known and whose log rows are still there. */
  known: number;
  bad: number;
  good: number;
  /** The share of bad people among the newer ones. `null` if there are none. */
  baseRate: number | null;
  /** There are more known people than those that were looked at, who were seen last. */
  partial: boolean;
  /** The most certain first. */
  proposals: RuleProposalView[];
}
export interface RuleProposalView {
  /** The condition of the rule. */
  when: string;
  /** The one or two facts that it asks for. */
  conditions: string[];
  /** People whom it singles out among the older 70%, where it was found. */
  older: { people: number; bad: number };
  /** The same among the newer 30%. The share of bad people there is at least `low`. */
  newer: { people: number; bad: number; low: number };
  /** Among all known people: bad ones, those of them that were not blocked, and good ones. */
  bad: number;
  badLetIn: number;
  good: number;
}
