import type { Action, StepUp } from '@postern/contract';
import type { NewRuleRequest, RuleChangeRequest, RuleView } from '@postern/contract/dashboard';
import type { Rule, RuleMode } from '@postern/contract/rules';

/** A rule while it is being written. */
export interface RuleDraft {
  readonly name: string;
  readonly when: string;
  readonly then: Action;
  readonly mode: RuleMode;
  /** What a flag asks for; empty for what the policy says. */
  readonly stepUp: StepUp | '';
  readonly note: string;
  readonly message: string;
  /** As a field for local time has it: `2026-11-17T09:30`, or empty. */
  readonly ends: string;
}

export const EMPTY_DRAFT: RuleDraft = {
  name: '',
  when: '',
  then: 'flag',
  mode: 'shadow',
  stepUp: '',
  note: '',
  message: '',
  ends: '',
};

export function draftOf(rule: RuleView): RuleDraft {
  const { name, when, then, mode, stepUp = '', note = '', message = '', expiresAt } = rule;
  const ends = expiresAt === undefined ? '' : localTime(expiresAt);
  return { name, when, then, mode, stepUp, note, message, ends };
}

/** The moment in the form of a field for local time. */
export function localTime(at: number): string {
  const shifted = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}

const momentOf = (ends: string) => new Date(ends).getTime();

export function newRule({ name, when, then, mode, stepUp, note, message, ends }: RuleDraft): NewRuleRequest {
  return {
    name: name.trim(),
    when,
    then,
    mode,
    ...(then === 'flag' && stepUp !== '' && { stepUp }),
    ...(note.trim() !== '' && { note: note.trim() }),
    ...(message.trim() !== '' && { message: message.trim() }),
    ...(ends !== '' && { expiresAt: momentOf(ends) }),
  };
}

/** Only what is different, so that two members who change different things do not undo each other’s work. */
export function ruleChange(before: RuleDraft, after: RuleDraft): RuleChangeRequest {
  const differs = (name: keyof RuleDraft) => before[name] !== after[name];
  return {
    ...(differs('name') && { name: after.name.trim() }),
    ...(differs('when') && { when: after.when }),
    ...(differs('then') && { then: after.then }),
    ...(differs('mode') && { mode: after.mode }),
    ...(differs('stepUp') && { stepUp: after.stepUp || null }),
    ...(differs('note') && { note: after.note.trim() || null }),
    ...(differs('message') && { message: after.message.trim() || null }),
    ...(differs('ends') && { expiresAt: after.ends === '' ? null : momentOf(after.ends) }),
  };
}

/** An ID for a draft that is not a rule yet, which none of the rules has. */
export function draftId(rules: readonly Pick<Rule, 'id'>[]): string {
  const taken = new Set(rules.map(({ id }) => id));
  let number = 1;
  while (taken.has(`draft_${number}`)) number += 1;
  return `draft_${number}`;
}

/** All rules with the draft among them: in the place of the rule with its ID, or at the end. */
export function rulesWith(rules: readonly Rule[], draft: RuleDraft, id: string): Rule[] {
  const written = { ...newRule(draft), id, mode: draft.mode } as Rule;
  const known = rules.some((rule) => rule.id === id);
  return known ? rules.map((rule) => (rule.id === id ? written : rule)) : [...rules, written];
}
