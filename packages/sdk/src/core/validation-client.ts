import {
  CHALLENGES_PATH,
  type ChallengeRequest,
  type CheckActions,
  type RequestEvent,
  type ValidateRequest,
} from '@postern/contract';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';
import { type ClientOptions, checkOptions, type ServerFallback } from './client-options.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import type { DeviceHash } from './device-hash.ts';
import { errorAnswer } from './error-answer.ts';
import { type Fetch, type HttpAnswer, readAnswer } from './http-answer.ts';
import { isPosternError, type PosternError, posternError } from './postern-error.ts';
import { createProblemReporter } from './problem-reporter.ts';
import { retryDelayMs } from './retry-delay.ts';
import { SDK_VERSION } from './sdk-version.ts';
import { watchForLife } from './signs-of-life.ts';
import { systemTiming, type Timing } from './timing.ts';
import { type FallbackSource, fallbackValidation, type Validation, validationOf } from './validation.ts';

export interface ValidateOptions {
  fingerprintHash?: string | undefined;
  /** The checks to run and the action of each, instead of the project’s policy. */
  validations?: CheckActions | undefined;
  /** Server keys only. */
  ip?: string | undefined;
  /** Server keys only. */
  userAgent?: string | undefined;
  /**
   * The language of `message`, such as `de`. Without it the browser’s language counts in pages, and English in backends.
   */
  locale?: string | undefined;
  /** What the person is doing, such as `email_change` or `trial`. Default: `sign_up`. */
  event?: RequestEvent | (string & {}) | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

export interface ValidationClient {
  readonly whenUnavailable: ServerFallback;
  /** Rejects with a `PosternError` when the request is refused, for example because the key is wrong. */
  validate(email: string, options?: ValidateOptions): Promise<Validation>;
  /** Sends a proof of what a flag asked for. Without it, flagged people are not asked. */
  answerChallenge?(id: string, request: ChallengeRequest): Promise<HttpAnswer>;
}

/** Decides about an address without asking the service; `null` if that is not possible. */
export type OfflineCheck = (
  email: string,
  signal: AbortSignal,
) => Promise<Pick<Validation, 'recommendation' | 'message' | 'signals'> | null>;

/** What a platform’s SDK adds to the user’s options. */
export interface Platform {
  /** Sent as `sdkVersion`, followed by the version. */
  readonly name: string;
  /** The key type for this platform. The other type is refused. */
  readonly keyType?: 'client' | 'server';
  /**
   * Sends an `Idempotency-Key` with each call that may be repeated, so that a repeat is counted once. The first request
   * needs it too: its answer is the one that gets lost. It costs the service a transaction more, so pages do not.
   */
  readonly idempotent?: boolean;
  /** The options are checked with the first call instead of at once: where pages are rendered, they may be missing. */
  readonly checkLater?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `fingerprintHash` unless the call has its own. */
  readonly deviceHash?: DeviceHash;
  /** For the fallback `offline`. */
  readonly checkOffline?: OfflineCheck;
  readonly timing?: Timing;
}

/** Half of it for a service that hangs, once in the page and once in the backend. */
const DEFAULT_TIMEOUT_MS = 2_000;

type Settings = ReturnType<typeof readSettings>;

/** A mail may take a while to be handed over. */
const CHALLENGE_TIMEOUT_MS = 10_000;

export function createValidationClient(
  options: ClientOptions<ServerFallback>,
  platform: Platform = { name: 'core' },
): ValidationClient {
  let settings: Settings | null = platform.checkLater ? null : readSettings(options, platform);
  return {
    whenUnavailable: options?.whenUnavailable ?? 'open',
    validate: async (email, request = {}) => {
      settings ??= readSettings(options, platform);
      return validate(settings, email, request);
    },
    answerChallenge: async (id, request) => {
      settings ??= readSettings(options, platform);
      const { fetch, headers, url } = settings;
      const deadline = startDeadline(CHALLENGE_TIMEOUT_MS, undefined);
      try {
        const path = `${url.slice(0, -'/validate'.length)}${CHALLENGES_PATH}/${encodeURIComponent(id)}`;
        const body = JSON.stringify(request);
        const { signal } = deadline;
        return await readAnswer(
          await fetch(path, { method: 'POST', headers, body, signal, credentials: 'omit' }),
        );
      } finally {
        deadline.end();
      }
    },
  };
}

function readSettings(options: ClientOptions<ServerFallback>, platform: Platform) {
  checkOptions(options, platform.keyType);
  const timing = platform.timing ?? systemTiming;
  const baseUrl = options.baseUrl.trim().replace(/\/+$/, '');
  return {
    url: `${baseUrl}/validate`,
    lifeUrl: `${baseUrl}/.well-known/jwks.json`,
    breaker: createCircuitBreaker(timing.now),
    idempotent: platform.idempotent === true && options.maxRetries !== 0,
    headers: {
      ...platform.headers,
      Authorization: `Bearer ${options.apiKey.trim()}`,
      'X-Project-Id': options.projectId.trim(),
      'Content-Type': 'application/json',
    },
    sdkVersion: `${platform.name}/${SDK_VERSION}`,
    whenUnavailable: options.whenUnavailable ?? 'open',
    whenExhausted: options.whenExhausted ?? (platform.checkOffline === undefined ? 'open' : 'offline'),
    report: createProblemReporter(options.onProblem, timing.now),
    checkOffline: platform.checkOffline ?? (async () => null),
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxRetries: options.maxRetries ?? 3,
    // Looked up at each call, so that a later polyfill is used.
    fetch: options.fetch ?? ((...args: Parameters<Fetch>) => globalThis.fetch(...args)),
    deviceHash: platform.deviceHash ?? (async () => null),
    timing,
  };
}

async function validate(settings: Settings, email: string, request: ValidateOptions): Promise<Validation> {
  const { timing } = settings;
  const startedMs = timing.now();
  const timeoutMs = request.timeoutMs ?? settings.timeoutMs;
  const deadline = startDeadline(timeoutMs, request.signal);
  let endWatch = () => {};
  let { fingerprintHash } = request;
  try {
    refuseInPause(settings.breaker);
    endWatch = watchForLife(deadline, { url: settings.lifeUrl, fetch: settings.fetch, timeoutMs });
    fingerprintHash ??= (await settings.deviceHash(deadline.signal)) ?? undefined;
    const body = requestBody(settings, email, { ...request, fingerprintHash });
    const headers = settings.idempotent
      ? { ...settings.headers, 'Idempotency-Key': globalThis.crypto.randomUUID() }
      : settings.headers;
    const sent = { url: settings.url, headers, body };
    const validation = await askWithRetries(settings, email, sent, deadline, startedMs + timeoutMs);
    settings.breaker.succeeded();
    return validation;
  } catch (error) {
    if (!isPosternError(error)) throw error;
    noteFailure(settings.breaker, error);
    const fallback = fallbackFor(settings, error);
    if (error.kind === 'misconfiguration' || fallback !== 'throw') settings.report(error);
    if (fallback === 'throw') throw error;
    const offline = fallback === 'offline' ? await askOffline(settings, email, deadline) : null;
    const validation = fallbackValidation(
      sourceOf(fallback, offline !== null),
      error,
      fingerprintHash ?? null,
      timing.now() - startedMs,
    );
    return { ...validation, ...offline };
  } finally {
    endWatch();
    deadline.end();
  }
}

function refuseInPause(breaker: CircuitBreaker): void {
  const retryAfter = breaker.pauseSeconds();
  if (retryAfter === null) return;
  const message = `Postern did not answer the last calls and is asked again in ${retryAfter} seconds`;
  throw posternError(message, { label: 'SUSPENDED', status: 0, retryAfter });
}

function noteFailure(breaker: CircuitBreaker, { kind, label }: PosternError): void {
  if (label === 'SUSPENDED' || label === 'ABORTED') return;
  if (kind === 'outage') breaker.failed();
  else breaker.succeeded();
}

/** A wrong key or origin always rejects, because a mistake of the developer must not look like an answer. */
function fallbackFor(settings: Settings, { kind }: PosternError): ServerFallback {
  if (kind === 'outage') return settings.whenUnavailable;
  return kind === 'exhaustion' ? settings.whenExhausted : 'throw';
}

function sourceOf(fallback: Exclude<ServerFallback, 'throw'>, listRead: boolean): FallbackSource {
  if (fallback === 'closed') return 'failClosed';
  return listRead ? 'offline' : 'failOpen';
}

/** Without the list everybody passes. */
async function askOffline(
  { checkOffline }: Settings,
  email: string,
  { signal }: Deadline,
): ReturnType<OfflineCheck> {
  try {
    return await checkOffline(email, signal);
  } catch {
    return null;
  }
}

interface SentRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

async function askWithRetries(
  settings: Settings,
  email: string,
  sent: SentRequest,
  deadline: Deadline,
  endsAtMs: number,
): Promise<Validation> {
  const { timing, maxRetries } = settings;
  for (let retries = 0; ; retries += 1) {
    const answer = await ask(settings, email, sent, deadline);
    if (!isPosternError(answer)) return answer;
    const waitMs = retryDelayMs(answer, retries, maxRetries, timing.random);
    // Waiting longer than the call may take would only turn a clear error into a timeout.
    if (waitMs === null || timing.now() + waitMs >= endsAtMs) throw answer;
    await timing.sleep(waitMs, deadline.signal);
    const stopped = stoppedError(deadline, answer);
    if (stopped !== null) throw stopped;
  }
}

/** One request and its answer. Errors are returned, because most of them may be retried. */
async function ask(
  settings: Settings,
  email: string,
  { url, headers, body }: SentRequest,
  deadline: Deadline,
): Promise<Validation | PosternError> {
  const stopped = stoppedError(deadline);
  if (stopped !== null) return stopped;
  try {
    // Browsers refuse `settings.fetch(…)`: their `fetch` must not be called as a method of another object.
    const { fetch } = settings;
    const { signal } = deadline;
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      signal,
      credentials: 'omit',
    });
    const answer = await readAnswer(response);
    return validationOf(answer, email) ?? errorAnswer(answer);
  } catch (cause) {
    const failure = { label: 'UNREACHABLE', status: 0 } as const;
    return stoppedError(deadline, cause) ?? posternError('Postern could not be reached', failure, { cause });
  }
}

function stoppedError(deadline: Deadline, cause?: unknown): PosternError | null {
  const label = deadline.stopped();
  if (label === null) return null;
  const message = label === 'TIMEOUT' ? 'Postern did not answer in time' : 'The validation was aborted';
  return posternError(message, { label, status: 0 }, { cause });
}

function requestBody(settings: Settings, email: string, request: ValidateOptions): string {
  const { fingerprintHash, validations, ip, userAgent, locale, event } = request;
  // JSON leaves out undefined members.
  const fields = {
    email,
    fingerprintHash,
    sdkVersion: settings.sdkVersion,
    ip,
    userAgent,
    locale,
    event,
    validations,
  };
  return JSON.stringify(fields satisfies { [K in keyof ValidateRequest]: ValidateRequest[K] | undefined });
}
