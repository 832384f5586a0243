import { checkOptionNames } from 'postern~sdk/core';
import type { CheckName, RequestEvent } from '@postern/contract';
import { CALLER_OPTIONS, type CallerOptions } from './caller.ts';
import type { RefusedSignUp } from './sign-up-result.ts';

export interface EvaluateOptions extends CallerOptions {
  /**
   * What happens to a form without a usable token (no script, form open for too long): `ask` the service
   * (default) or `refuse`.
   */
  withoutVerdict?: 'ask' | 'refuse' | undefined;
  /** Checks that must have run, for example `['device']`: a form that leaves their input out is refused. */
  requireChecks?: readonly CheckName[] | undefined;
  /**
   * Whether a sign-up may leave out the input of a check that the project’s policy blocks on, such as the fingerprint
   * of `device`. Default: `false`, because anybody could get around the check by leaving it out.
   */
  allowWeakened?: boolean | undefined;
  /** Refuses no sign-up: one that would be refused passes, with the refusal as `wouldRefuse`. Default: `false`. */
  dryRun?: boolean | undefined;
  /**
   * A claim, such as `trial`: the result’s `claim` then says whether the person could have it. Take it with
   * `postern.claim` once the account exists.
   */
  claim?: string | undefined;
  /** How long the whole decision may take, fetching keys included. Default: 2,000. */
  timeoutMs?: number | undefined;
  /**
   * The language of the messages: a tag such as `de`, or `request` for the languages that the visitor’s browser asks for.
   * Default: English.
   */
  locale?: string | undefined;
  /**
   * What the person is doing, such as `email_change`, `invitation` or `trial`, when the service is asked. Default:
   * `sign_up`, or what the adapter knows.
   */
  event?: RequestEvent | (string & {}) | undefined;
}

/** The option of every guard that reports refusals. */
export interface RefusalOptions {
  /** Called for each sign-up that was not accepted, for your log; with `dryRun` for each that would not be. */
  onRefused?: ((refusal: RefusedSignUp) => void) | undefined;
}

export interface GuardOptions extends EvaluateOptions, RefusalOptions {
  /** The form’s field names. Dots separate nested fields, as in `user.email`. */
  emailField?: string | undefined;
  verdictField?: string | undefined;
  fingerprintField?: string | undefined;
}

const KNOWN: Readonly<Record<keyof GuardOptions, true>> = {
  ...CALLER_OPTIONS,
  withoutVerdict: true,
  requireChecks: true,
  allowWeakened: true,
  dryRun: true,
  claim: true,
  timeoutMs: true,
  locale: true,
  event: true,
  onRefused: true,
  emailField: true,
  verdictField: true,
  fingerprintField: true,
};

/** Throws for an option that does not exist. */
export function checkGuardOptions(options: GuardOptions): void {
  checkOptionNames(options, KNOWN);
}

/** The same for adapters with options of their own. */
export function checkAdapterOptions(options: object, own: Readonly<Record<string, true>>): void {
  checkOptionNames(options, { ...KNOWN, ...own });
}

export function reportRefusal({ onRefused }: RefusalOptions, refusal: RefusedSignUp): void {
  try {
    onRefused?.(refusal);
  } catch (error) {
    // A log that fails must not turn a refused sign-up into a server error.
    console.error(error);
  }
}
