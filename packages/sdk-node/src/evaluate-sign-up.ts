import {
  checkLocally,
  isPosternError,
  type PosternError,
  type ValidateOptions,
  type Validation,
  type ValidationClient,
} from 'postern~sdk/core';
import {
  type CheckName,
  chooseLanguage,
  LANGUAGES,
  type Language,
  MAX_FINGERPRINT_LENGTH,
  MESSAGES,
  NEUTRAL_MESSAGE,
  VERDICT_TYPE,
  type VerdictClaims,
} from '@postern/contract';
import { acceptLanguageOf, type ContextLike, getCaller, type RequestLike } from './caller.ts';
import { normalizeEmail } from './email-hash.ts';
import type { EvaluateOptions } from './evaluate-options.ts';
import { failedCheckOf, signUpMessage } from './sign-up-message.ts';
import {
  type AcceptedSignUp,
  type EvaluatedSignUp,
  NO_FACTS,
  type RefusedSignUp,
  type SignUpFacts,
} from './sign-up-result.ts';
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

/** What a refused person is told. */
interface Wording {
  readonly language: Language;
  readonly messages: Readonly<Record<CheckName, string>>;
  /** For a sign-up whose verdict is missing or cannot be trusted. */
  readonly untrusted: string;
}

/** An address that the form sent, and what is known about it without asking anybody. */
interface Known {
  readonly email: string;
  readonly facts: SignUpFacts;
  readonly wording: Wording;
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

export const DEFAULT_TIMEOUT_MS = 2_000;
/** The part of the time limit for fetching keys. The rest is for asking the service instead. */
const KEYS_SHARE = 0.4;

export async function evaluateSignUp(
  client: ValidationClient,
  verifier: VerdictVerifier,
  signUp: SignUp,
  options: EvaluateOptions,
): Promise<EvaluatedSignUp> {
  const result = await decide(client, verifier, signUp, options);
  if (result.accepted || options.dryRun !== true) return result;
  const { reason: _reason, status: _status, message: _message, language: _language, ...facts } = result;
  return {
    ...facts,
    accepted: true,
    email: result.email ?? result.typed,
    recommendation: result.recommendation === 'allow' ? 'allow' : 'flag',
    source: result.source ?? 'failOpen',
    claim: null,
    wouldRefuse: result,
  };
}

async function decide(
  client: ValidationClient,
  verifier: VerdictVerifier,
  signUp: SignUp,
  options: EvaluateOptions,
): Promise<EvaluatedSignUp> {
  const locale = localeOf(signUp, options);
  const { verdict } = signUp;
  const hasVerdict = typeof verdict === 'string' && verdict !== '';
  const wording = wordingOf(locale, hasVerdict);
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const startedMs = Date.now();
  const typed = typeof signUp.email === 'string' ? signUp.email.trim() : '';
  // First, because something that is not an address must not pass when the service cannot be asked.
  const local = checkLocally(typed);
  const email = local.wellFormed ? await normalizeEmail(typed) : undefined;
  const facts: SignUpFacts = { ...NO_FACTS, typed, suggestion: local.suggestion };
  if (email === undefined) return refused({ email: null, facts, wording }, 'malformed');
  let known: Known = { email, facts, wording };

  if (hasVerdict) {
    const expected = { email: typed, requireChecks: options.requireChecks };
    const result = await within(timeoutMs * KEYS_SHARE, verifier.verifyVerdict(verdict, expected));
    if (result.ok) return byVerdict(known, result.claims);
    known = { ...known, facts: { ...facts, verdictRefusal: result.reason } };
    if (!PROVES_NOTHING.includes(result.reason)) return refused(known, 'untrusted');
  }
  if (options.withoutVerdict === 'refuse') return refused(known, 'untrusted');
  return askService(client, known, options, {
    ...(signUp.request !== undefined && getCaller(signUp.request, options)),
    ...fingerprintOf(signUp),
    ...(locale !== '' && { locale }),
    ...(options.event !== undefined && { event: options.event }),
    timeoutMs: Math.max(1, timeoutMs - (Date.now() - startedMs)),
  });
}

function byVerdict({ email, facts, wording }: Known, claims: VerdictClaims): EvaluatedSignUp {
  const { recommendation, signals, requestId, checks, without = [], steppedUp = null } = claims;
  const failedCheck = claims.quiet === true ? null : failedCheckOf(signals, recommendation);
  // A verdict holds no address.
  const found = { ...facts, canonical: null, signals, checks, failedCheck, without, steppedUp, requestId };
  if (recommendation === 'block') {
    const blocked = { email, facts: found, wording, recommendation, source: 'verdict' } as const;
    return refused(blocked, 'blocked', wording.messages[failedCheck ?? NEUTRAL_MESSAGE]);
  }
  return accepted(email, found, recommendation, 'verdict');
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
export function fingerprintOf({ fingerprintHash, fingerprint }: SignUp): { fingerprintHash?: string } {
  const value = fingerprintHash ?? fingerprint;
  const usable = typeof value === 'string' && value !== '' && value.length <= MAX_FINGERPRINT_LENGTH;
  return usable ? { fingerprintHash: value } : {};
}

async function askService(
  client: ValidationClient,
  known: Known,
  { requireChecks = [], allowWeakened = false }: EvaluateOptions,
  request: ValidateOptions,
): Promise<EvaluatedSignUp> {
  const { email, wording } = known;
  try {
    // The service says in a signal when a domain is typed with look-alike characters.
    const validation = await client.validate(known.facts.typed, request);
    const { recommendation, signals, message, source } = validation;
    const claims = claimsIn(validation.verdict);
    const facts = factsOf(known, validation, claims);
    const asked = { email, facts, wording, recommendation };
    if (source === 'failClosed') return refused({ ...known, facts }, 'unavailable');
    if (recommendation === 'block') {
      // The project may have texts of its own, which only the service knows.
      const own = source === 'service' ? message : null;
      return refused({ ...asked, source }, 'blocked', own ?? signUpMessage(signals, wording.messages));
    }
    if (source !== 'service') return passUnchecked(asked, recommendation, source);
    const lacking =
      (requireChecks.some((check) => validation.checks[check] === undefined) && 'missing_checks') ||
      (!allowWeakened && claims?.weakened === true && 'weakened');
    if (lacking) {
      return refused({ ...asked, facts: { ...facts, verdictRefusal: lacking }, source }, 'untrusted');
    }
    return accepted(email, facts, recommendation, source);
  } catch (error) {
    if (!isPosternError(error)) throw error;
    return withoutAnswer(client, known, error);
  }
}

function withoutAnswer(client: ValidationClient, known: Known, error: PosternError): EvaluatedSignUp {
  const facts = { ...known.facts, failure: error, requestId: error.requestId };
  // Only what the form sent can make a request invalid.
  if (error.kind === 'request') return refused({ ...known, facts }, 'malformed');
  // The client has reported it. A wrong key is the site’s problem, not the person’s.
  if (client.whenUnavailable === 'closed' || client.whenUnavailable === 'throw') {
    return refused({ ...known, facts }, 'unavailable');
  }
  return passUnchecked({ ...known, facts }, 'allow', 'failOpen');
}

/**
 * The service refuses quoted local parts, which no person signs up with and which can hold a script: `"<script>…"@x`. So
 * they must not pass because it could not be asked.
 */
function passUnchecked(
  known: Known,
  recommendation: AcceptedSignUp['recommendation'],
  source: 'offline' | 'failOpen',
): EvaluatedSignUp {
  if (known.email.startsWith('"')) return refused(known, 'malformed');
  return accepted(known.email, known.facts, recommendation, source);
}

function factsOf({ email, facts }: Known, validation: Validation, claims: VerdictClaims | null): SignUpFacts {
  const { checks, signals, suggestion, requestId, failure, recommendation } = validation;
  const names = Object.keys(checks) as CheckName[];
  const canonical = checks.alias?.metadata?.canonical;
  const failed = names.find((name) => checks[name]?.pass === false);
  return {
    ...facts,
    canonical: typeof canonical === 'string' ? canonical : checks.alias === undefined ? null : email,
    suggestion: suggestion ?? facts.suggestion,
    signals,
    checks: names,
    failedCheck: failed ?? (failure === null ? null : failedCheckOf(signals, recommendation)),
    without: claims?.without ?? [],
    requestId,
    failure,
  };
}

/** The answer comes from the service itself, so its token needs no verification here. */
function claimsIn(verdict: string | null): VerdictClaims | null {
  const token = readJws(verdict, VERDICT_TYPE);
  return typeof token === 'string' ? null : (token.claims as unknown as VerdictClaims);
}

function wordingOf(locale: string, hasVerdict: boolean): Wording {
  const language = LANGUAGES[chooseLanguage(locale)];
  // English stands in for what is not translated.
  return {
    language,
    messages: { ...MESSAGES, ...language.messages },
    // Without its script a form never has a verdict or a fingerprint, however often it is sent.
    untrusted: hasVerdict ? language.again : language.withScript,
  };
}

/** Empty when no language is asked for. */
function localeOf({ request }: SignUp, { locale = '' }: EvaluateOptions): string {
  if (locale !== 'request') return locale;
  return request === undefined ? '' : acceptLanguageOf(request);
}

function accepted(
  email: string,
  facts: SignUpFacts,
  recommendation: AcceptedSignUp['recommendation'],
  source: AcceptedSignUp['source'],
): AcceptedSignUp {
  return { accepted: true, email, ...facts, recommendation, source, claim: null, wouldRefuse: null };
}

type Refusable = Pick<RefusedSignUp, 'email'> &
  Partial<Pick<RefusedSignUp, 'recommendation' | 'source'>> & {
    readonly facts: SignUpFacts;
    readonly wording: Wording;
  };

function refused(
  { email, facts, wording, recommendation = null, source = null }: Refusable,
  reason: RefusedSignUp['reason'],
  message: string = {
    malformed: wording.messages.syntax,
    untrusted: wording.untrusted,
    unavailable: wording.language.form.unavailable,
    blocked: wording.messages.syntax,
  }[reason],
): RefusedSignUp {
  const status = reason === 'unavailable' ? 503 : 422;
  const failedCheck = reason === 'malformed' ? 'syntax' : facts.failedCheck;
  const { tag } = wording.language;
  return {
    accepted: false,
    email,
    ...facts,
    failedCheck,
    reason,
    recommendation,
    source,
    status,
    message,
    language: tag,
  };
}
