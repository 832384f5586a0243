import { MINUTE_MS } from './durations.ts';
import { refusedField } from './errors.ts';
import type { LanguageTag } from './languages/language-tags.ts';
import type { ChallengeTexts } from './languages/step-up-texts.ts';
import { type Read, readBody } from './validate-request.ts';

export const CHALLENGES_PATH = '/v1/challenges';

/** What a flag can ask of the person. */
export const STEP_UPS = ['none', 'code', 'work', 'vendor'] as const;
export type StepUp = (typeof STEP_UPS)[number];
export type StepUpKind = Exclude<StepUp, 'none'>;
export const STEP_UP_KINDS: readonly StepUpKind[] = ['code', 'work', 'vendor'];

/** Whose CAPTCHA a site can use for `vendor`, with its own account. */
export const CAPTCHA_VENDORS = ['turnstile', 'hcaptcha', 'recaptcha', 'friendly'] as const;
export type CaptchaVendor = (typeof CAPTCHA_VENDORS)[number];

export const CHALLENGE_LIFETIME_MS: number = 10 * MINUTE_MS;
/** How many proofs of one challenge are looked at. */
export const CHALLENGE_TRIES = 5;
export const CODE_DIGITS = 6;
/** How long a form waits before it offers to send the code again. */
export const RESEND_AFTER_SECONDS = 30;
/** The code of every challenge of a test key, which sends no mail. */
export const TEST_CODE = '000000';

/** What is to be found: a counter whose derived key has this prefix. The names are those of ALTCHA. */
export interface WorkParameters {
  algorithm: string;
  nonce: string;
  salt: string;
  cost: number;
  keyLength: number;
  keyPrefix: string;
  /** No counter above this needs to be tried. */
  maxCounter: number;
}

/** `challenge` in the answer to a flagged validation. */
export interface Challenge {
  id: string;
  kind: StepUpKind;
  /** ISO 8601. */
  expiresAt: string;
  /** Only of `work`. */
  work?: WorkParameters;
  /** Only of `vendor`: what the vendor’s widget needs. */
  vendor?: { name: CaptchaVendor; siteKey: string };
  /** The language of the texts, which is that of the validation’s message. */
  language: LanguageTag;
  /** What a form says to the person. */
  texts: ChallengeTexts;
}

/** The body of `POST /v1/challenges/<id>`: a proof, or for `code` a request to mail the code again. */
export interface ChallengeRequest {
  /** `code`: the six digits. `work`: `<counter>:<derived key in hex>`. `vendor`: the widget’s token. */
  proof?: string;
  resend?: true;
  /** With `resend`: the address of the validation, which is not stored. */
  email?: string;
  /** With `resend`: the language of the mail, as in a validation. */
  locale?: string;
}

export type ChallengeResponse =
  | { passed: true; recommendation: 'allow' }
  | { passed: false; triesLeft: number }
  /** `false`: the hour’s codes for this address or visitor are used up, or the mail server refused. */
  | { sent: boolean };

const MAX_PROOF_LENGTH = 4_096;

type ReadChallenge =
  | { readonly proof: string }
  | { readonly email: string; readonly locale: string | undefined };

export function readChallengeRequest(text: string): Read<ReadChallenge> {
  const body = readBody(text);
  if (!body.ok) return body;
  const own = (name: string): unknown => (Object.hasOwn(body.value, name) ? body.value[name] : undefined);
  if (own('resend') === true) {
    const email = own('email');
    const locale = own('locale') ?? undefined;
    if (typeof email !== 'string' || email.trim() === '')
      return refusedField('email', 'is required with resend');
    if (locale !== undefined && typeof locale !== 'string') return refusedField('locale', 'must be a string');
    return { ok: true, value: { email: email.trim(), locale } };
  }
  const proof = own('proof');
  if (typeof proof !== 'string' || proof.trim() === '' || proof.length > MAX_PROOF_LENGTH)
    return refusedField('proof', `must be a string of 1 to ${MAX_PROOF_LENGTH} characters`);
  return { ok: true, value: { proof: proof.trim() } };
}
