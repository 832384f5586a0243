import {
  type CheckName,
  chooseLanguage,
  LANGUAGES,
  type Language,
  type LanguageTag,
  MAX_FINGERPRINT_LENGTH,
  MESSAGES,
  type MessageTone,
  type Recommendation,
  type Signal,
  VERDICT_TYPE,
} from '@postern/contract';
import {
  checkLocally,
  isPosternError,
  type PosternError,
  type ValidateOptions,
  type ValidationClient,
} from '@postern/sdk-core';
import {
  acceptLanguageOf,
  type CallerOptions,
  type ContextLike,
  getCaller,
  type RequestLike,
} from './caller.ts';
import { normalizeEmail } from './email-hash.ts';
import { signUpMessage } from './sign-up-message.ts';
import { readJws } from './verdict-token.ts';
import type { VerdictRefusal, VerdictResult, VerdictVerifier } from './verify-verdict.ts';

/** What the form sent. None of it is trusted. */
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
  /**
   * The address to store, as the service spells it: lower case, with an A-label domain. Two ways to type the same
   * address give the same text here, so it can be kept unique.
   */
  readonly email: string;
  /** What the person typed, without white space around it. To be shown, not to be compared. */
  readonly typed: string;
  readonly recommendation: Exclude<Recommendation, 'block'>;
  readonly signals: readonly Signal[];
  /** The validation’s `X-Request-Id`: store it with the user to find the row in the log. `null`: the service gave no answer. */
  readonly requestId: string | null;
  /**
   * `verdict`: decided by the form’s verdict. `service`: decided by asking the service. `offline`: the service could
   * not be asked, and the domain is not on the list of disposable domains. `failOpen`: nothing was checked.
   */
  readonly source: 'verdict' | 'service' | 'offline' | 'failOpen';
  /** Why the service could not be asked; `kind` distinguishes an outage, a misconfiguration and an exhausted limit. */
  readonly failure: PosternError | null;
}

export interface RefusedSignUp {
  readonly accepted: false;
  /** `untrusted`: the verdict is forged, used, for another address, or lacks a check that you require. */
  readonly reason: 'blocked' | 'malformed' | 'untrusted' | 'unavailable';
  readonly status: 422 | 503;
  /** For the person at the form. */
  readonly message: string;
  /** The language of `message`. */
  readonly language: LanguageTag;
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
  /**
   * Whether a sign-up may leave out the input of a check that the project’s policy blocks on, such as the fingerprint
   * of `device`. Default: `false`, because anybody could get around the check by leaving it out.
   */
  allowWeakened?: boolean;
  /** How long the whole decision may take, fetching keys included. Default: 5,000. */
  timeoutMs?: number;
  tone?: MessageTone;
  /**
   * The language of the messages: a tag such as `de`, or `request` for the languages that the visitor’s browser asks for.
   * Default: English.
   */
  locale?: string;
}

/** What a refused person is told. */
interface Wording {
  readonly language: Language;
  readonly messages: Readonly<Record<CheckName, string>>;
}

/**
 * A token that could not be checked, does not match our clock or lacks a claim proves nothing, neither good nor bad
 * faith. An unknown key may be one that the service has just created.
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
/** The part of the time limit for fetching keys. The rest is for asking the service instead. */
const KEYS_SHARE = 0.4;

export async function evaluateSignUp(
  client: ValidationClient,
  verifier: VerdictVerifier,
  signUp: SignUp,
  options: EvaluateOptions,
): Promise<EvaluatedSignUp> {
  const locale = localeOf(signUp, options);
  const language = LANGUAGES[chooseLanguage(locale)];
  const tone = options.tone ?? 'plain';
  // English stands in for what is not translated.
  const wording: Wording = { language, messages: { ...MESSAGES[tone], ...language.messages[tone] } };
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const startedMs = Date.now();
  const typed = typeof signUp.email === 'string' ? signUp.email.trim() : '';
  // First, because something that is not an address must not pass when the service cannot be asked.
  const email = checkLocally(typed).wellFormed ? await normalizeEmail(typed) : undefined;
  if (email === undefined) return refused(wording, 'malformed', wording.messages.syntax);
  const address = { email, typed };

  const { verdict } = signUp;
  let refusal: VerdictRefusal | null = null;
  if (typeof verdict === 'string' && verdict !== '') {
    const expected = { email: typed, requireChecks: options.requireChecks };
    const result = await within(timeoutMs * KEYS_SHARE, verifier.verifyVerdict(verdict, expected));
    if (result.ok) {
      const { recommendation, signals, requestId } = result.claims;
      if (recommendation === 'block')
        return refused(wording, 'blocked', signUpMessage(signals, wording.messages));
      return {
        accepted: true,
        ...address,
        recommendation,
        signals,
        requestId,
        source: 'verdict',
        failure: null,
      };
    }
    refusal = result.reason;
    if (!PROVES_NOTHING.includes(refusal)) return refused(wording, 'untrusted', language.again, refusal);
  }
  if (options.withoutVerdict === 'refuse') return refused(wording, 'untrusted', language.again, refusal);
  return askService(client, address, options, wording, {
    ...(signUp.request !== undefined && getCaller(signUp.request, options)),
    ...fingerprintOf(signUp),
    ...(locale !== '' && { locale }),
    timeoutMs: Math.max(1, timeoutMs - (Date.now() - startedMs)),
  });
}

/** Only fetching the keys takes time. It continues in the background, for the next sign-up. */
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

/** Leaves out a fingerprint that the service would refuse, because with a refused request nothing is checked. */
function fingerprintOf({ fingerprintHash, fingerprint }: SignUp): Pick<ValidateOptions, 'fingerprintHash'> {
  const value = fingerprintHash ?? fingerprint;
  const usable = typeof value === 'string' && value !== '' && value.length <= MAX_FINGERPRINT_LENGTH;
  return usable ? { fingerprintHash: value } : {};
}

async function askService(
  client: ValidationClient,
  address: Pick<AcceptedSignUp, 'email' | 'typed'>,
  { requireChecks = [], allowWeakened = false }: EvaluateOptions,
  wording: Wording,
  request: ValidateOptions,
): Promise<EvaluatedSignUp> {
  const unavailable = () => refused(wording, 'unavailable', wording.language.form.unavailable);
  try {
    // The service says in a signal when a domain is typed with look-alike characters.
    const validation = await client.validate(address.typed, request);
    const { recommendation, signals, requestId, message, source, failure } = validation;
    if (source === 'failClosed') return unavailable();
    if (recommendation === 'block') {
      // The project may have texts of its own, which only the service knows.
      const own = source === 'service' ? message : null;
      return refused(wording, 'blocked', own ?? signUpMessage(signals, wording.messages));
    }
    if (source === 'service' && requireChecks.some((check) => validation.checks[check] === undefined)) {
      return refused(wording, 'untrusted', wording.language.again, 'missing_checks');
    }
    if (source === 'service' && !allowWeakened && isWeakened(validation.verdict)) {
      return refused(wording, 'untrusted', wording.language.again, 'weakened');
    }
    return { accepted: true, ...address, recommendation, signals, requestId, source, failure };
  } catch (error) {
    if (!isPosternError(error)) throw error;
    // Only what the form sent can make a request invalid.
    if (error.kind === 'request') return refused(wording, 'malformed', wording.messages.syntax);
    // The client has reported it. A wrong key is the site’s problem, not the person’s.
    if (client.whenUnavailable === 'closed' || client.whenUnavailable === 'throw') return unavailable();
    return {
      accepted: true,
      ...address,
      recommendation: 'allow',
      signals: [],
      requestId: null,
      source: 'failOpen',
      failure: error,
    };
  }
}

/**
 * Whether a check that the policy blocks on had no input. The answer comes from the service itself, so its token needs
 * no verification here.
 */
function isWeakened(verdict: string | null): boolean {
  const token = readJws(verdict, VERDICT_TYPE);
  return typeof token !== 'string' && token.claims.weakened === true;
}

/** Empty when no language is asked for. */
function localeOf({ request }: SignUp, { locale = '' }: EvaluateOptions): string {
  if (locale !== 'request') return locale;
  return request === undefined ? '' : acceptLanguageOf(request);
}

function refused(
  { language }: Wording,
  reason: RefusedSignUp['reason'],
  message: string,
  verdictRefusal: VerdictRefusal | null = null,
): RefusedSignUp {
  const status = reason === 'unavailable' ? 503 : 422;
  return { accepted: false, reason, status, message, language: language.tag, verdictRefusal };
}
