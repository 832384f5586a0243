import type { PosternError } from 'postern~sdk/core';
import type {
  CheckName,
  ClaimResponse,
  LanguageTag,
  Recommendation,
  Signal,
  StepUpKind,
} from '@postern/contract';
import type { VerdictRefusal } from './verify-verdict.ts';

/** What is known about a sign-up, whether it was accepted or refused. */
export interface SignUpFacts {
  /** What the person typed, without white space around it. To be shown, not to be compared. */
  readonly typed: string;
  /**
   * The inbox that the address reaches: `jane@gmail.com` for `Jane+x@googlemail.com`. Keep it unique if one inbox may open
   * one account. `null` if the alias check did not run, or a verdict decided: it is readable and holds no address.
   */
  readonly canonical: string | null;
  /** The address with its domain corrected, if the domain looks misspelled. To be offered, never to be used at once. */
  readonly suggestion: string | null;
  readonly signals: readonly Signal[];
  /** The checks that ran. */
  readonly checks: readonly CheckName[];
  /** The first failed check, by rank; it decided the message. `null` if none failed, or a list or rule decided. */
  readonly failedCheck: CheckName | null;
  /** Checks of the project’s policy that had no input, such as `device` for a form without a fingerprint. */
  readonly without: readonly CheckName[];
  /** What a flagged person did on your page to be allowed after all, such as typing a mailed code. */
  readonly steppedUp: StepUpKind | null;
  /** The validation’s `X-Request-Id`: store it with the user to find the row in the log. `null`: the service gave no answer. */
  readonly requestId: string | null;
  /** Why the form’s verdict was not used; `null` if it was, or if there was none. */
  readonly verdictRefusal: VerdictRefusal | null;
  /** Why the service could not be asked; `kind` distinguishes an outage, a misconfiguration and an exhausted limit. */
  readonly failure: PosternError | null;
}

/**
 * `verdict`: decided by the form’s verdict. `service`: decided by asking the service. `offline`: the service could not be
 * asked, so the list of disposable domains decided. `failOpen`: nothing was checked.
 */
type Source = 'verdict' | 'service' | 'offline' | 'failOpen';

export interface AcceptedSignUp extends SignUpFacts {
  readonly accepted: true;
  /**
   * The address to store, as the service spells it: lower case, with an A-label domain. Two ways to type the same
   * address give the same text here, so it can be kept unique.
   */
  readonly email: string;
  readonly recommendation: Exclude<Recommendation, 'block'>;
  readonly source: Source;
  /** With the option `claim`: whether the person could have it. `null` if the service was not asked or did not answer in time. */
  readonly claim: ClaimResponse | null;
  /** With the option `dryRun`: the refusal that would have been. */
  readonly wouldRefuse: RefusedSignUp | null;
}

export interface RefusedSignUp extends SignUpFacts {
  readonly accepted: false;
  /** As for an accepted sign-up; `null` if it is not an address. */
  readonly email: string | null;
  /** `untrusted`: the verdict is forged, used, for another address, or lacks a check that you require. */
  readonly reason: 'blocked' | 'malformed' | 'untrusted' | 'unavailable';
  /** `null` if there was no recommendation. */
  readonly recommendation: Recommendation | null;
  /** `null` if it was refused without asking anybody. */
  readonly source: Source | null;
  readonly status: 422 | 503;
  /** For the person at the form. */
  readonly message: string;
  /** The language of `message`. */
  readonly language: LanguageTag;
}

export type EvaluatedSignUp = AcceptedSignUp | RefusedSignUp;

export const NO_FACTS: Omit<SignUpFacts, 'typed'> = {
  canonical: null,
  suggestion: null,
  signals: [],
  checks: [],
  failedCheck: null,
  without: [],
  steppedUp: null,
  requestId: null,
  verdictRefusal: null,
  failure: null,
};
