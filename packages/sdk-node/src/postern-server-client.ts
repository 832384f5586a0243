import {
  createValidationClient,
  isPosternError,
  type OfflineCheck,
  type PosternError,
  posternError,
  type ValidateOptions,
  type Validation,
  type ValidationClient,
} from 'postern~sdk/core';
import { MESSAGES } from '@postern/contract';
import { createAcceptedQueue } from './accepted-queue.ts';
import { type ContextLike, getCaller, type RequestLike } from './caller.ts';
import { type Claim, createClaim, createReleaseClaim, foreseeClaim, type ReleaseClaim } from './claim.ts';
import { completeOptions, missingOptions, timeoutFromEnvironment } from './connection.ts';
import { describeSignUp } from './describe-sign-up.ts';
import { domainOf } from './email-hash.ts';
import { checkGuardOptions, type EvaluateOptions } from './evaluate-options.ts';
import { DEFAULT_TIMEOUT_MS, evaluateSignUp, fingerprintOf, type SignUp } from './evaluate-sign-up.ts';
import { createOfflineList } from './offline-list.ts';
import { createReportOutcome, type ReportOutcome } from './report-outcome.ts';
import {
  type CompleteOptions,
  checkServerOptions,
  type PosternServerClientOptions,
} from './server-options.ts';
import type { EvaluatedSignUp } from './sign-up-result.ts';
import { openVerdictKeys, type VerdictKeys } from './verdict-keys.ts';
import { createVerdictVerifier, type VerdictVerifier } from './verify-verdict.ts';

export interface ServerValidateOptions extends ValidateOptions {
  /** Where `ip` and `userAgent` come from, unless they are given. */
  request?: RequestLike | ContextLike | undefined;
}

export interface PingResult {
  readonly ok: boolean;
  /** What is wrong, one sentence each. */
  readonly problems: readonly string[];
}

export interface PosternServerClient extends ValidationClient, VerdictVerifier {
  validate(email: string, options?: ServerValidateOptions): Promise<Validation>;
  /** Decides about a sign-up: by the form’s verdict if it is valid, otherwise by asking the service. */
  evaluateSignUp(signUp: SignUp, options?: EvaluateOptions): Promise<EvaluatedSignUp>;
  /** Reports whether people turned out good or bad, so that the dashboard can show which signals were right. */
  reportOutcome: ReportOutcome;
  /** Something that each person gets once: `postern.claim('trial', { email, traces })`. */
  claim: Claim;
  /** Gives a claim back. */
  releaseClaim: ReleaseClaim;
  /** Sends the accepted sign-ups that are waiting, if `reportAccepted` is on. */
  flushOutcomes(): Promise<void>;
  /** Says whether URL, key, project and verdict keys work. Uses no quota; call it when your backend starts. */
  ping(): Promise<PingResult>;
}

const CONNECTION = ['baseUrl', 'projectId', 'apiKey'] as const;

/**
 * For backends. `apiKey` is a server key: keep it out of pages. What is not given comes from the environment:
 * `POSTERN_URL`, `POSTERN_PROJECT_ID` and `POSTERN_SERVER_KEY`, and is tried once at the start: what is missing or wrong
 * is logged. Sign-ups then pass unchecked, whether a value is missing or wrong; builds import this without secrets.
 */
export function createPosternServerClient(options: PosternServerClientOptions = {}): PosternServerClient {
  checkServerOptions(options);
  const complete = completeOptions(options, CONNECTION);
  const client = complete === null ? openLater(options) : openClient(complete);
  if (options.baseUrl === undefined) tryAtStart(client);
  return client;
}

/** The person at the form does not notice a missing variable or a wrong key, so that the log has to say it. */
function tryAtStart(client: PosternServerClient): void {
  const tryOnce = async () => {
    const { ok, problems } = await client.ping();
    if (!ok) console.error(`Postern checks nobody: ${problems.join(' ')}`);
  };
  try {
    const timer: unknown = setTimeout(() => void tryOnce(), 0);
    // The process may end before.
    (timer as { unref?: () => void }).unref?.();
  } catch {
    // Workers have no timers outside of a request. The first sign-up logs it there.
  }
}

function openLater(options: PosternServerClientOptions): PosternServerClient {
  let opened: PosternServerClient | null = null;
  let wasSaid = false;
  const open = (): PosternServerClient => {
    const later = completeOptions(options, CONNECTION);
    if (later === null) throw missingOptions(options, CONNECTION);
    opened ??= openClient(later);
    return opened;
  };
  return {
    whenUnavailable: options.whenUnavailable ?? 'open',
    validate: async (...args) => open().validate(...args),
    verifyVerdict: async (...args) => open().verifyVerdict(...args),
    evaluateSignUp: async (signUp, evaluateOptions = {}) => {
      if (opened !== null || completeOptions(options, CONNECTION) !== null)
        return open().evaluateSignUp(signUp, evaluateOptions);
      checkGuardOptions(evaluateOptions);
      const missing = missingOptions(options, CONNECTION).message;
      if (!wasSaid) console.error(`Postern checks nobody: ${missing}`);
      wasSaid = true;
      const validate = () => Promise.reject(posternError(missing, { label: 'UNAUTHORIZED', status: 401 }));
      const asking = { whenUnavailable: options.whenUnavailable ?? 'open', validate };
      const verifyVerdict = async () => ({ ok: false, reason: 'keys_unreachable' }) as const;
      return evaluateSignUp(asking, { verifyVerdict }, signUp, { ...options, ...evaluateOptions });
    },
    reportOutcome: async (...args) => open().reportOutcome(...args),
    claim: async (...args) => open().claim(...args),
    releaseClaim: async (...args) => open().releaseClaim(...args),
    flushOutcomes: async () => opened?.flushOutcomes(),
    ping: async () => {
      try {
        return await open().ping();
      } catch (error) {
        return { ok: false, problems: [error instanceof Error ? error.message : String(error)] };
      }
    },
  };
}

function openClient(given: CompleteOptions): PosternServerClient {
  const options = { ...given, timeoutMs: given.timeoutMs ?? timeoutFromEnvironment() };
  const keys = openVerdictKeys(options);
  const list = createOfflineList({
    baseUrl: options.baseUrl,
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    keys,
    store: options.offlineListStore,
    now: options.now ?? Date.now,
  });
  const checkOffline: OfflineCheck = async (email, signal) => {
    const listed = (await list.get(signal)).includes(await domainOf(email));
    return listed
      ? { recommendation: 'block', message: MESSAGES.disposable, signals: ['disposable_email'] }
      : { recommendation: 'allow', message: null, signals: [] };
  };
  const client = createValidationClient(options, {
    // The verdict says which checks of the policy ran, which a guard may require.
    headers: { Prefer: 'verdict, no-challenge' },
    name: 'node',
    keyType: 'server',
    idempotent: options.maxRetries !== 0,
    checkOffline,
  });
  const usesList = [options.whenUnavailable ?? 'open', options.whenExhausted ?? 'offline'].includes(
    'offline',
  );
  const verifier = createVerdictVerifier(options, keys);
  const reportOutcome = createReportOutcome(options);
  const accepted = createAcceptedQueue(reportOutcome, options.onProblem, options.now ?? Date.now);

  const validate: PosternServerClient['validate'] = (email, { request, ...rest } = {}) => {
    // Once the list is needed it is too late to fetch it.
    if (usesList) list.prepare();
    const caller = request === undefined ? {} : getCaller(request, options);
    return client.validate(email, { ...caller, ...rest });
  };
  return {
    whenUnavailable: client.whenUnavailable,
    validate,
    verifyVerdict: verifier.verifyVerdict,
    evaluateSignUp: async (signUp, evaluateOptions = {}) => {
      checkGuardOptions(evaluateOptions);
      if (usesList) list.prepare();
      const asking = { ...client, validate };
      const startedMs = Date.now();
      const result = await evaluateSignUp(asking, verifier, signUp, { ...options, ...evaluateOptions });
      if (options.debug === true) console.info(describeSignUp(result));
      // Without an answer, the service does not know the person.
      const checked = result.accepted && (result.source === 'verdict' || result.source === 'service');
      if (checked && options.reportAccepted === true) accepted.add(result.email, result.requestId);
      if (!checked || evaluateOptions.claim === undefined) return result;
      const limitMs = evaluateOptions.timeoutMs ?? DEFAULT_TIMEOUT_MS;
      const timeoutMs = Math.max(1, limitMs - (Date.now() - startedMs));
      const person = { email: result.email, ...fingerprintOf(signUp) };
      return {
        ...result,
        claim: await foreseeClaim({ ...options, timeoutMs }, evaluateOptions.claim, person),
      };
    },
    reportOutcome,
    claim: createClaim(options),
    releaseClaim: createReleaseClaim(options),
    flushOutcomes: accepted.flush,
    ping: () => ping(client, keys),
  };
}

async function ping(client: ValidationClient, keys: VerdictKeys): Promise<PingResult> {
  const problems = [await askProblem(client), await keysProblem(keys)].filter((problem) => problem !== null);
  return { ok: problems.length === 0, problems };
}

/** An empty address is refused after key and project were accepted and before any quota is used. */
async function askProblem(client: ValidationClient): Promise<string | null> {
  try {
    const { failure } = await client.validate('');
    return failure === null ? null : sentence(failure);
  } catch (error) {
    if (!isPosternError(error)) throw error;
    return error.label === 'INVALID_EMAIL' ? null : sentence(error);
  }
}

async function keysProblem(keys: VerdictKeys): Promise<string | null> {
  try {
    await keys.find('ping');
    return null;
  } catch (error) {
    return `The verdict keys could not be fetched: ${error instanceof Error ? error.message : String(error)}`;
  }
}

const ADVICE: Readonly<Partial<Record<PosternError['label'], string>>> = {
  UNAUTHORIZED: 'Check apiKey: it may be mistyped, revoked or expired.',
  PROJECT_NOT_FOUND: 'Check projectId: the key belongs to another project.',
  INVALID_KEY_TYPE: 'The request looked like a browser’s. Is a proxy adding an Origin header?',
  NOT_FOUND: 'Check baseUrl: there is no Postern at that address.',
  UNEXPECTED_ANSWER: 'Check baseUrl: something else answers there.',
  UNREACHABLE: 'Check baseUrl, and that the service runs.',
  TIMEOUT: 'Check baseUrl, and that the service runs.',
};

function sentence({ label, message }: PosternError): string {
  return [`${message} (${label}).`, ADVICE[label]].filter((part) => part !== undefined).join(' ');
}
