import {
  type CheckName,
  MAX_FINGERPRINT_LENGTH,
  MESSAGES,
  type MessageTone,
  type Recommendation,
  type Signal,
} from '@postern/contract';
import {
  checkLocally,
  isPosternError,
  type PosternError,
  type ValidateOptions,
  type ValidationClient,
} from '@postern/sdk-core';
import { type CallerOptions, type ContextLike, getCaller, type RequestLike } from './caller.ts';
import { signUpMessage } from './sign-up-message.ts';
import type { VerdictRefusal, VerdictResult, VerdictVerifier } from './verify-verdict.ts';

/** What the form sent, as it came: nothing of it is trusted. */
export interface SignUp {
  email: unknown;
  /** The form’s hidden field `postern-verdict`. */
  verdict?: unknown;
  /** The device’s fingerprint, if the form sent one. Used when the service is asked. */
  fingerprintHash?: unknown;
  /** Another name for `fingerprintHash`. */
  fingerprint?: unknown;
  /** Whose IP and user agent are sent along when the service is asked. */
  request?: RequestLike | ContextLike;
}

export interface AcceptedSignUp {
  readonly accepted: true;
  /** Without the white space that may have been around it. */
  readonly email: string;
  readonly recommendation: Exclude<Recommendation, 'block'>;
  readonly signals: readonly Signal[];
  /**
   * `verdict`: by the form’s verdict. `service`: the service was asked. `offline`: it could not be asked, and the domain
   * is not on the list of throwaway domains. `failOpen`: nothing was checked.
   */
  readonly source: 'verdict' | 'service' | 'offline' | 'failOpen';
  /** Why the service could not be asked; `kind` tells an outage from a misconfiguration and a spent limit. */
  readonly failure: PosternError | null;
}

export interface RefusedSignUp {
  readonly accepted: false;
  /** `untrusted`: the verdict is forged, used, for another address, or lacks a check that you require. */
  readonly reason: 'blocked' | 'malformed' | 'untrusted' | 'unavailable';
  readonly status: 422 | 503;
  /** For the person at the form. */
  readonly message: string;
  readonly verdictRefusal: VerdictRefusal | null;
}

export type EvaluatedSignUp = AcceptedSignUp | RefusedSignUp;

export interface EvaluateOptions extends CallerOptions {
  /**
   * What happens to a form without a usable token (no script, form open for too long): `ask` the service
   * (default) or `refuse`.
   */
  withoutVerdict?: 'ask' | 'refuse';
  /** Checks that must have run, for example `['device']`: a form that leaves their input out is refused. */
  requireChecks?: readonly CheckName[];
  /** How long the whole decision may take, fetching keys included. Default: 5,000. */
  timeoutMs?: number;
  tone?: MessageTone;
}

const AGAIN = 'Please check your email address and send the form again.';
const LATER = 'We could not check this address right now. Please try again.';

/**
 * A token that could not be checked, does not fit our clock or says too little proves nothing: neither good nor bad
 * faith. An unknown key may be one that the service took a moment ago.
 */
const PROVES_NOTHING: readonly VerdictRefusal[] = [
  'expired',
  'not_yet_valid',
  'unknown_key',
  'keys_unreachable',
  'replays_unreachable',
  'test_mode',
  'weakened',
  'missing_checks',
];

const DEFAULT_TIMEOUT_MS = 5_000;
/** The part of the time that may go into fetching keys; the rest is for asking the service instead. */
const KEYS_SHARE = 0.4;

export async function evaluateSignUp(
  client: ValidationClient,
  verifier: VerdictVerifier,
  signUp: SignUp,
  options: EvaluateOptions,
): Promise<EvaluatedSignUp> {
  const tone = options.tone ?? 'plain';
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const startedMs = Date.now();
  const email = typeof signUp.email === 'string' ? signUp.email.trim() : '';
  // First, because what is no address must not pass when the service cannot be asked about it.
  if (!checkLocally(email).wellFormed) return refused('malformed', MESSAGES[tone].syntax);

  const { verdict } = signUp;
  let refusal: VerdictRefusal | null = null;
  if (typeof verdict === 'string' && verdict !== '') {
    const expected = { email, requireChecks: options.requireChecks };
    const result = await within(timeoutMs * KEYS_SHARE, verifier.verifyVerdict(verdict, expected));
    if (result.ok) {
      const { recommendation, signals } = result.claims;
      if (recommendation === 'block') return refused('blocked', signUpMessage(signals, tone));
      return { accepted: true, email, recommendation, signals, source: 'verdict', failure: null };
    }
    refusal = result.reason;
    if (!PROVES_NOTHING.includes(refusal)) return refused('untrusted', AGAIN, refusal);
  }
  if (options.withoutVerdict === 'refuse') return refused('untrusted', AGAIN, refusal);
  return askService(client, email, options, {
    ...(signUp.request !== undefined && getCaller(signUp.request, options)),
    ...fingerprintOf(signUp),
    timeoutMs: Math.max(1, timeoutMs - (Date.now() - startedMs)),
  });
}

/** Only the fetch of keys takes time; it goes on in the background, for the next sign-up. */
async function within(timeoutMs: number, result: Promise<VerdictResult>): Promise<VerdictResult> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<VerdictResult>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, reason: 'keys_unreachable' }), timeoutMs);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A fingerprint that the service would refuse must not become a request that is refused: that would check nobody. */
function fingerprintOf({ fingerprintHash, fingerprint }: SignUp): Pick<ValidateOptions, 'fingerprintHash'> {
  const value = fingerprintHash ?? fingerprint;
  const usable = typeof value === 'string' && value !== '' && value.length <= MAX_FINGERPRINT_LENGTH;
  return usable ? { fingerprintHash: value } : {};
}

async function askService(
  client: ValidationClient,
  email: string,
  { tone = 'plain', requireChecks = [] }: EvaluateOptions,
  request: ValidateOptions,
): Promise<EvaluatedSignUp> {
  try {
    const validation = await client.validate(email, request);
    const { recommendation, signals, message, source, failure } = validation;
    if (source === 'failClosed') return refused('unavailable', LATER);
    if (recommendation === 'block') return refused('blocked', message ?? signUpMessage(signals, tone));
    if (source === 'service' && requireChecks.some((check) => validation.checks[check] === undefined)) {
      return refused('untrusted', AGAIN, 'missing_checks');
    }
    return { accepted: true, email, recommendation, signals, source, failure };
  } catch (error) {
    if (!isPosternError(error)) throw error;
    // Only what the form sent can make a request invalid.
    if (error.kind === 'request') return refused('malformed', MESSAGES[tone].syntax);
    // The client has reported it. A wrong key is the site’s trouble, not the person’s.
    if (client.whenUnavailable === 'closed' || client.whenUnavailable === 'throw') {
      return refused('unavailable', LATER);
    }
    return {
      accepted: true,
      email,
      recommendation: 'allow',
      signals: [],
      source: 'failOpen',
      failure: error,
    };
  }
}

function refused(
  reason: RefusedSignUp['reason'],
  message: string,
  verdictRefusal: VerdictRefusal | null = null,
): RefusedSignUp {
  return { accepted: false, reason, status: reason === 'unavailable' ? 503 : 422, message, verdictRefusal };
}
