import { MESSAGES, type MessageTone, type Recommendation, type Signal } from '@postern/contract';
import { checkLocally, isPosternError, type PosternError, type ValidationClient } from '@postern/sdk-core';
import { type Caller, type CallerOptions, type ContextLike, getCaller, type RequestLike } from './caller.ts';
import { signUpMessage } from './sign-up-message.ts';
import type { VerdictRefusal, VerdictVerifier } from './verify-verdict.ts';

/** What the form sent, before anybody believes it. */
export interface SignUp {
  email: unknown;
  /** The form’s hidden field `postern-verdict`. */
  verdict?: unknown;
  /** Whose IP and user agent are sent along when the service is asked. */
  request?: RequestLike | ContextLike;
}

export interface AcceptedSignUp {
  readonly accepted: true;
  /** Without the white space that may have been around it. */
  readonly email: string;
  readonly recommendation: Exclude<Recommendation, 'block'>;
  readonly signals: readonly Signal[];
  /** `verdict`: the page’s token held. `service`: the service was asked. `failOpen`: nobody could be asked. */
  readonly source: 'verdict' | 'service' | 'failOpen';
  /** Why nobody could be asked. */
  readonly failure: PosternError | null;
}

export interface RefusedSignUp {
  readonly accepted: false;
  /** `untrusted`: the token is no true answer of the service to this address. */
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
];

export async function evaluateSignUp(
  client: ValidationClient,
  verifier: VerdictVerifier,
  signUp: SignUp,
  options: EvaluateOptions,
): Promise<EvaluatedSignUp> {
  const tone = options.tone ?? 'plain';
  const { verdict } = signUp;
  const email = typeof signUp.email === 'string' ? signUp.email.trim() : '';
  // Before anybody is asked: what is no address must not pass because the service could not be asked about it.
  if (!checkLocally(email).wellFormed) return refused('malformed', MESSAGES[tone].syntax);

  let refusal: VerdictRefusal | null = null;
  if (typeof verdict === 'string' && verdict !== '') {
    const result = await verifier.verifyVerdict(verdict, { email });
    if (result.ok) {
      const { recommendation, signals } = result.claims;
      if (recommendation === 'block') return refused('blocked', signUpMessage(signals, tone));
      return { accepted: true, email, recommendation, signals, source: 'verdict', failure: null };
    }
    refusal = result.reason;
    if (!PROVES_NOTHING.includes(refusal)) return refused('untrusted', AGAIN, refusal);
  }
  if (options.withoutVerdict === 'refuse') return refused('untrusted', AGAIN, refusal);
  const caller = signUp.request === undefined ? {} : getCaller(signUp.request, options);
  return askService(client, email, caller, tone);
}

async function askService(
  client: ValidationClient,
  email: string,
  caller: Caller,
  tone: MessageTone,
): Promise<EvaluatedSignUp> {
  try {
    const { recommendation, signals, message, source, failure } = await client.validate(email, caller);
    if (source === 'failClosed') return refused('unavailable', LATER);
    if (recommendation === 'block') return refused('blocked', message ?? signUpMessage(signals, tone));
    return { accepted: true, email, recommendation, signals, source, failure };
  } catch (error) {
    if (!isPosternError(error)) throw error;
    if (error.label === 'INVALID_EMAIL') return refused('malformed', MESSAGES[tone].syntax);
    // A spent quota or a wrong key is the site’s trouble, not the person’s.
    if (client.whenUnavailable !== 'open') return refused('unavailable', LATER);
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
