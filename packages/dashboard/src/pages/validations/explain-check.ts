import { type Action, CHECK_METADATA, type CheckName, type CheckResult } from '@postern/contract';
import { type Outcome, outcomeOf } from '../../components/check-outcome.ts';

export interface Explanation {
  readonly outcome: Outcome;
  /** Why, and what it did to the recommendation. */
  readonly why: string;
  readonly facts: readonly {
    readonly name: string;
    readonly value: string;
    readonly meaning: string | undefined;
  }[];
}

const EFFECTS: Readonly<Record<Action, string>> = {
  allow: 'The action is “allow”, so this did not count.',
  flag: 'The action is “flag”.',
  block: 'The action is “block”.',
};

/** A check’s result in words: passed, failed or could not tell, and what it rests on. */
export function explainCheck(name: CheckName, result: CheckResult, action: Action | undefined): Explanation {
  const { status: _, reason, ...metadata } = result.metadata ?? {};
  const outcome = outcomeOf(result);
  return { outcome, why: whyOf(outcome, result, reason, action), facts: factsOf(name, metadata) };
}

function whyOf(outcome: Outcome, result: CheckResult, reason: unknown, action: Action | undefined): string {
  if (outcome === 'passed') return 'Nothing against it.';
  if (outcome === 'unknown') {
    const told = typeof reason === 'string' && reason !== '' ? reason : 'no reason given';
    return `Could not tell (${told}), and nobody is refused for that.`;
  }
  const effect = action === undefined ? '' : ` ${EFFECTS[action]}`;
  return `${sentence(result.error ?? 'It failed')}${effect}`;
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
