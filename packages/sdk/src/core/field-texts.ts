import { type CheckName, ENGLISH_FORM, type FormTexts } from '@postern/contract';
import type { Validation } from './validation.ts';

/** Why an address is refused: the failed check, or that it could not be checked. */
export type ProblemKey = CheckName | 'unavailable';

export interface FieldProblem {
  /** `null` when no check is known to have failed. */
  readonly key: ProblemKey | null;
  /** The text that is shown unless `messages` has another one. */
  readonly message: string | null;
  /** `null` when the service did not answer. */
  readonly validation: Validation | null;
}

/** Own messages, by check or as a function. Where it has none, the default text is used. */
export type FieldMessages =
  | Readonly<Partial<Record<ProblemKey, string>>>
  | ((problem: FieldProblem) => string | null | undefined);

export interface EmailFieldTexts {
  malformed: string;
  unavailable: string;
  /** While the service takes its time. */
  checking: string;
}

export const MALFORMED: FieldProblem = { key: 'syntax', message: ENGLISH_FORM.malformed, validation: null };
export const UNAVAILABLE: FieldProblem = {
  key: 'unavailable',
  message: ENGLISH_FORM.unavailable,
  validation: null,
};

/** No problem: it only takes a while. */
export const CHECKING: FieldProblem = { key: null, message: ENGLISH_FORM.checking, validation: null };

/** `null` unless the address is refused. A flagged person passes and sees no message. */
export function problemOf(validation: Validation): FieldProblem | null {
  const { recommendation, message, checks, source } = validation;
  if (recommendation !== 'block') return null;
  if (source === 'failClosed') return { ...UNAVAILABLE, validation };
  // The service lists checks by rank. If several failed, the message of the first one is shown.
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
  const { unavailable, malformed, checking } = { ...formTexts, ...texts };
  if (problem === CHECKING) return checking || problem.message;
  const message =
    (key === 'unavailable' ? unavailable : problem === MALFORMED && malformed) || problem.message;
  const given = typeof messages === 'function' ? messages({ ...problem, message }) : key && messages?.[key];
  return given ?? message;
}
