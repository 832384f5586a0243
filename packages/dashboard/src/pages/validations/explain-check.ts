import { type Action, CHECK_METADATA, type CheckName, type CheckResult } from '@postern/contract';
import { type Outcome, outcomeOf } from '../../components/check-outcome.ts';

export interface Explanation {
  readonly outcome: Outcome;
  /** Why, and what it did to the recommendation. */
  readonly why: string;
  /** The technical fields. */
  readonly facts: readonly {
    readonly name: string;
    readonly value: string;
    readonly meaning: string | undefined;
  }[];
}

const EFFECTS: Readonly<Record<Action, string>> = {
  allow: 'The policy allows this, so it did not count.',
  flag: 'The policy flags such sign-ups.',
  block: 'The policy blocks such sign-ups.',
};

/** A check’s result in sentences, and the technical fields behind it. */
export function explainCheck(name: CheckName, result: CheckResult, action: Action | undefined): Explanation {
  const { status: _, reason, ...metadata } = result.metadata ?? {};
  const outcome = outcomeOf(result);
  return { outcome, why: whyOf(outcome, result, reason, action), facts: factsOf(name, metadata) };
}

/** Failed checks first, then those that could not tell, then the rest. */
const RANK: Readonly<Record<Outcome, number>> = { failed: 0, unknown: 1, passed: 2 };

export function byImportance(one: CheckResult, other: CheckResult): number {
  return RANK[outcomeOf(one)] - RANK[outcomeOf(other)];
}

function whyOf(outcome: Outcome, result: CheckResult, reason: unknown, action: Action | undefined): string {
  if (outcome === 'passed') return 'No problems found.';
  if (outcome === 'unknown') {
    const told = typeof reason === 'string' && reason !== '' ? reason : 'no reason given';
    return `The check could not tell (${told}). It counts as passed.`;
  }
  const effect = action === undefined ? '' : ` ${EFFECTS[action]}`;
  return `${sentence(result.error ?? 'The check failed')}${effect}`;
}

function factsOf(name: CheckName, metadata: Readonly<Record<string, unknown>>): Explanation['facts'] {
  const known: Readonly<Record<string, { meaning: string }>> = CHECK_METADATA[name];
  return Object.entries(metadata)
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([field, value]) => ({ name: field, value: textOf(value), meaning: known[field]?.meaning }));
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value === 'object' && value !== null) {
    if ('count' in value && 'of' in value) return `${textOf(value.count)} of ${textOf(value.of)}`;
    if ('exchange' in value && 'priority' in value)
      return `${textOf(value.exchange)} (${textOf(value.priority)})`;
    return Object.entries(value)
      .map(([key, each]) => `${key} ${textOf(each)}`)
      .join(', ');
  }
  return String(value);
}
