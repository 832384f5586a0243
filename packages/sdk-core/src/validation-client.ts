import type { CheckActions, ValidateRequest } from '@postern/contract';
import { type Deadline, startDeadline } from './deadline.ts';
import type { DeviceHash } from './device-hash.ts';
import { errorAnswer } from './error-answer.ts';
import { type Fetch, readAnswer } from './http-answer.ts';
import { isOutage, isPosternError, type PosternError, posternError } from './postern-error.ts';
import { retryDelayMs } from './retry-delay.ts';
import { SDK_VERSION } from './sdk-version.ts';
import { systemTiming, type Timing } from './timing.ts';
import { fallbackValidation, type Validation, validationOf } from './validation.ts';

export type WhenUnavailable = 'open' | 'closed' | 'throw';

export interface ClientOptions {
  /** Where the service answers, for example `https://postern.example.com`. */
  baseUrl: string;
  projectId: string;
  /** A client key in pages and apps, a server key in backends. */
  apiKey: string;
  /**
   * What `validate()` gives when the service cannot be reached: `open` (default) an `allow`, `closed` a
   * `block`, both with `source` and `failure` saying so; `throw` the error itself.
   */
  whenUnavailable?: WhenUnavailable;
  /** The time that one `validate()` may take, retries included. 5,000 unless told. */
  timeoutMs?: number;
  /** At most this many retries, never more than 3. */
  maxRetries?: number;
  /** Instead of the platform’s own `fetch`. */
  fetch?: Fetch;
}

export interface ValidateOptions {
  fingerprintHash?: string | undefined;
  /** Which checks run, and the action of each, instead of the project’s policy. */
  validations?: CheckActions | undefined;
  /** Server keys only. */
  ip?: string | undefined;
  /** Server keys only. */
  userAgent?: string | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

export interface ValidationClient {
  readonly whenUnavailable: WhenUnavailable;
  /** Rejects with a `PosternError` when the service refuses the request. */
  validate(email: string, options?: ValidateOptions): Promise<Validation>;
}

/** What a platform’s SDK adds to the options of its user. */
export interface Platform {
  /** Sent as `sdkVersion`, followed by the version. */
  readonly name: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `fingerprintHash` unless the call brings one of its own. */
  readonly deviceHash?: DeviceHash;
  readonly timing?: Timing;
}

interface Settings {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly sdkVersion: string;
  readonly whenUnavailable: WhenUnavailable;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly fetch: Fetch;
  readonly deviceHash: DeviceHash;
  readonly timing: Timing;
}

export function createValidationClient(
  options: ClientOptions,
  platform: Platform = { name: 'core' },
): ValidationClient {
  const settings = readSettings(options, platform);
  return {
    whenUnavailable: settings.whenUnavailable,
    validate: (email, request = {}) => validate(settings, email, request),
  };
}

/** A slip here must be heard of at once: later it would only look like a service out of reach, and pass everybody. */
function insist(holds: boolean, need: string): void {
  if (!holds) throw new TypeError(`Postern needs ${need}`);
}

function readSettings(options: ClientOptions, platform: Platform): Settings {
  // Both travel as headers.
  for (const name of ['projectId', 'apiKey'] as const) {
    const value = options[name];
    const printable = typeof value === 'string' && /^[\x21-\x7e]+$/.test(value.trim());
    insist(printable, `${name}, a non-empty string without spaces`);
  }
  const { whenUnavailable = 'open', timeoutMs = 5_000, maxRetries = 3 } = options;
  const baseUrl = String(options.baseUrl).trim();
  // A page may also name a path of its own site.
  insist(/^(https?:\/)?\//i.test(baseUrl), 'baseUrl, for example https://postern.example.com');
  insist(
    ['open', 'closed', 'throw'].includes(whenUnavailable),
    'whenUnavailable to be open, closed or throw',
  );
  insist(timeoutMs > 0, 'timeoutMs, a number above 0');
  insist(maxRetries >= 0, 'maxRetries, a number from 0 to 3');
  return {
    url: `${baseUrl.replace(/\/+$/, '')}/validate`,
    headers: {
      ...platform.headers,
      Authorization: `Bearer ${options.apiKey.trim()}`,
      'X-Project-Id': options.projectId.trim(),
      'Content-Type': 'application/json',
    },
    sdkVersion: `${platform.name}/${SDK_VERSION}`,
    whenUnavailable,
    timeoutMs,
    maxRetries,
    // Looked up at the call and called without a receiver, which browsers insist on.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    deviceHash: platform.deviceHash ?? (() => Promise.resolve(null)),
    timing: platform.timing ?? systemTiming,
  };
}

async function validate(settings: Settings, email: string, request: ValidateOptions): Promise<Validation> {
  const { timing, whenUnavailable } = settings;
  const startedMs = timing.now();
  const timeoutMs = request.timeoutMs ?? settings.timeoutMs;
  const deadline = startDeadline(timeoutMs, request.signal);
  let { fingerprintHash } = request;
  try {
    fingerprintHash ??= (await settings.deviceHash(deadline.signal)) ?? undefined;
    const body = requestBody(settings, email, { ...request, fingerprintHash });
    return await askWithRetries(settings, email, body, deadline, startedMs + timeoutMs);
  } catch (error) {
    if (!isPosternError(error) || whenUnavailable === 'throw' || !isOutage(error)) throw error;
    return fallbackValidation(
      whenUnavailable === 'open' ? 'failOpen' : 'failClosed',
      error,
      fingerprintHash ?? null,
      timing.now() - startedMs,
    );
  } finally {
    deadline.end();
  }
}

async function askWithRetries(
  settings: Settings,
  email: string,
  body: string,
  deadline: Deadline,
  endsAtMs: number,
): Promise<Validation> {
  const { timing, maxRetries } = settings;
  for (let retries = 0; ; retries += 1) {
    const answer = await ask(settings, email, body, deadline);
    if (!isPosternError(answer)) return answer;
    const waitMs = retryDelayMs(answer, retries, maxRetries, timing.random);
    // A wait that outlasts the call would only turn a clear error into a timeout.
    if (waitMs === null || timing.now() + waitMs >= endsAtMs) throw answer;
    await timing.sleep(waitMs, deadline.signal);
    const stopped = stoppedError(deadline, answer);
    if (stopped !== null) throw stopped;
  }
}

/** One request and its answer. Errors are values here, because most of them are looked at for a retry. */
async function ask(
  settings: Settings,
  email: string,
  body: string,
  deadline: Deadline,
): Promise<Validation | PosternError> {
  const stopped = stoppedError(deadline);
  if (stopped !== null) return stopped;
  try {
    const { url, headers } = settings;
    const { signal } = deadline;
    const response = await settings.fetch(url, {
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
  const { fingerprintHash, validations, ip, userAgent } = request;
  // Undefined members vanish in JSON.
  const fields = { email, fingerprintHash, sdkVersion: settings.sdkVersion, ip, userAgent, validations };
  return JSON.stringify(fields satisfies { [K in keyof ValidateRequest]: ValidateRequest[K] | undefined });
}
