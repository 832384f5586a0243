import type { CheckName, FormTexts } from '@postern/contract';
import { MALFORMED_MESSAGE } from './check-locally.ts';
import { UNAVAILABLE_MESSAGE, type Validation } from './validation.ts';

/** Why a field holds an address: the failed check, or that the address could not be checked. */
export type ProblemKey = CheckName | 'unavailable';

export interface FieldProblem {
  /** `null` when no check is known to have failed. */
  readonly key: ProblemKey | null;
  /** What is shown unless `messages` has something else. */
  readonly message: string | null;
  /** `null` when the service did not answer. */
  readonly validation: Validation | null;
}

/** Own messages, by check or as a function. What it leaves out keeps its usual text. */
export type FieldMessages =
  | Readonly<Partial<Record<ProblemKey, string>>>
  | ((problem: FieldProblem) => string | null | undefined);

export interface EmailFieldTexts {
  malformed: string;
  unavailable: string;
}

export const MALFORMED: FieldProblem = { key: 'syntax', message: MALFORMED_MESSAGE, validation: null };
export const UNAVAILABLE: FieldProblem = {
  key: 'unavailable',
  message: UNAVAILABLE_MESSAGE,
  validation: null,
};

/** `null` unless the validation holds the person up. A flagged person passes and is told nothing. */
export function problemOf(validation: Validation): FieldProblem | null {
  const { recommendation, message, checks, source } = validation;
  if (recommendation !== 'block') return null;
  if (source === 'failClosed') return { ...UNAVAILABLE, validation };
  // The service lists checks by rank: of several that failed, the first one’s message is shown.
  const names = Object.keys(checks) as CheckName[];
  return { key: names.find((name) => !checks[name]?.pass) ?? null, message, validation };
}

/** The site’s own words first, then those of the form’s language. The service answers in that language already. */
export function messageOf(
  problem: FieldProblem | null,
  messages: FieldMessages | undefined,
  texts: Partial<EmailFieldTexts>,
  formTexts: FormTexts | null,
): string | null {
  if (problem === null) return null;
  const { key } = problem;
  const { unavailable, malformed } = { ...formTexts, ...texts };
  const message =
    (key === 'unavailable' ? unavailable : problem === MALFORMED && malformed) || problem.message;
  const given = typeof messages === 'function' ? messages({ ...problem, message }) : key && messages?.[key];
  return given ?? message;
}
