import {
  type Action,
  CHECK_METADATA,
  type CheckName,
  type CheckResult,
  explainCheck,
  type ResultKind,
  resultKindOf,
} from '@postern/contract';

export interface CheckTexts {
  readonly kind: ResultKind;
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
export function checkTexts(name: CheckName, result: CheckResult, action: Action | undefined): CheckTexts {
  const { status: _status, reason: _reason, ...metadata } = result.metadata ?? {};
  const kind = resultKindOf(result);
  return { kind, why: whyOf(kind, name, result, action), facts: factsOf(name, metadata) };
}

/** Failed checks first, then those that could not tell, then the rest. */
const RANK: Readonly<Record<ResultKind, number>> = { failed: 0, unknown: 1, passed: 2 };

export function byImportance(one: CheckResult, other: CheckResult): number {
  return RANK[resultKindOf(one)] - RANK[resultKindOf(other)];
}

function whyOf(kind: ResultKind, name: CheckName, result: CheckResult, action: Action | undefined): string {
  const clauses = new Set([
    ...(result.error === undefined ? [] : [result.error]),
    ...explainCheck(name, result),
  ]);
  const found = [...clauses].map(sentence).join(' ');
  if (kind === 'passed') return found === '' ? 'No problems found.' : found;
  if (kind === 'unknown') return `The check could not tell and counts as passed. ${found}`.trim();
  const effect = action === undefined ? '' : ` ${EFFECTS[action]}`;
  return `${found === '' ? 'The check failed.' : found}${effect}`;
}

function factsOf(name: CheckName, metadata: Readonly<Record<string, unknown>>): CheckTexts['facts'] {
  const fields: Readonly<Record<string, { meaning: string }>> = CHECK_METADATA[name];
  return Object.entries(metadata)
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([field, value]) => ({ name: field, value: textOf(value), meaning: fields[field]?.meaning }));
}

function sentence(text: string): string {
  const capitalised = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(text) ? capitalised : `${capitalised}.`;
}

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
