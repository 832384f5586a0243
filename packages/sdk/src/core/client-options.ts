import { KEY_PREFIXES, KEY_TYPES, type KeyType } from '@postern/contract';
import type { Fetch } from './http-answer.ts';
import type { PosternError } from './postern-error.ts';

/** What to do if the service did not answer: let the address pass, refuse it, or reject with the error. */
export type Fallback = 'open' | 'closed' | 'throw';
/** `offline` refuses disposable domains by a list that was fetched earlier, and lets all others pass. Backends only. */
export type ServerFallback = Fallback | 'offline';

export interface ClientOptions<F extends ServerFallback = Fallback> {
  /** Where the service runs, for example `https://postern.example.com`. */
  baseUrl: string;
  projectId: string;
  /** A client key in pages and apps, a server key in backends. */
  apiKey: string;
  /** For an outage: no connection, no answer in time, or a 5xx. Default: `open`. */
  whenUnavailable?: F | undefined;
  /** For a spent quota or rate limit (402, 429). Default: `offline` in backends, `open` elsewhere. */
  whenExhausted?: F | undefined;
  /**
   * Called each time an address could not be checked; `problem.kind` says why. Without it a warning is logged, at most
   * once a minute for each kind. A misconfiguration is logged either way.
   */
  onProblem?: ((problem: PosternError) => void) | undefined;
  /** How long one call may take, retries included; half of it if the service answers nothing at all. Default: 2,000. */
  timeoutMs?: number | undefined;
  /** From 0 to 3. Default: 3. */
  maxRetries?: number | undefined;
  /** Used instead of the platform’s own `fetch`. */
  fetch?: Fetch | undefined;
}

export const CLIENT_OPTIONS: Readonly<Record<keyof ClientOptions, true>> = {
  baseUrl: true,
  projectId: true,
  apiKey: true,
  whenUnavailable: true,
  whenExhausted: true,
  onProblem: true,
  timeoutMs: true,
  maxRetries: true,
  fetch: true,
};

/**
 * Throws for an option that does not exist. A misspelled `whenUnavailable` would be noticed in the next outage. `known`
 * has every option’s name as a key, so that the compiler asks for new ones.
 */
export function checkOptionNames(options: object, known: Readonly<Record<string, true>>): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const near = Object.keys(known).find((name) => isNear(name.toLowerCase(), unknown.toLowerCase()));
  throw new TypeError(
    `Postern does not know the option “${unknown}”${near === undefined ? '' : `. Do you mean “${near}”?`}`,
  );
}

/** Whether the two have the same beginning and end, apart from a few letters. */
function isNear(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < one.length - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return start + end >= Math.max(one.length, other.length) - 3 && start + end > 2;
}

/** Throws for mistakes. At run time they would look like an outage, and every address would pass. */
export function checkOptions(
  options: ClientOptions<ServerFallback>,
  keyType: 'client' | 'server' | undefined,
): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('Postern needs options: { baseUrl, projectId, apiKey }');
  }
  checkBaseUrl(options.baseUrl);
  // Both are sent as headers.
  for (const name of ['projectId', 'apiKey'] as const) {
    const value: unknown = options[name];
    if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value.trim())) {
      throw new TypeError(
        `Postern needs ${name}, a string without spaces, but got ${describe(value)}. Is the variable set?`,
      );
    }
    if (/^(YOUR_|<|\$\{|undefined$|null$|changeme$)/i.test(value.trim())) {
      throw new TypeError(
        `Postern’s ${name} is still the placeholder ${value.trim()}. Put your own in its place.`,
      );
    }
  }
  checkKeyType(options.apiKey.trim(), keyType);
  checkFallback('whenUnavailable', options.whenUnavailable);
  checkFallback('whenExhausted', options.whenExhausted);
  const { timeoutMs = 1, maxRetries = 0 } = options;
  if (!(timeoutMs > 0)) throw new TypeError('Postern needs timeoutMs to be a number above 0');
  if (!(maxRetries >= 0)) throw new TypeError('Postern needs maxRetries to be a number from 0 to 3');
}

function checkBaseUrl(baseUrl: unknown): void {
  const url = typeof baseUrl === 'string' ? baseUrl.trim() : '';
  // A page may also use a path of its own site.
  if (!/^(https?:\/)?\//i.test(url)) {
    throw new TypeError(
      `Postern needs baseUrl, for example https://postern.example.com, but got ${describe(baseUrl)}`,
    );
  }
  if (/^https?:\/\/postern\.example\.com\b/i.test(url)) {
    throw new TypeError(`Postern’s baseUrl is still the placeholder ${url}. Put your own in its place.`);
  }
  if (/\/(v1|validate|dashboard)\/*$|[?#]/i.test(url)) {
    throw new TypeError(`Postern needs baseUrl without /validate or a query, but got ${url}`);
  }
}

/** A key’s prefix shows its type, so a key in the wrong place is noticed before it is sent anywhere. */
function checkKeyType(apiKey: string, keyType: KeyType | undefined): void {
  const found = KEY_TYPES.find((type) => apiKey.startsWith(KEY_PREFIXES[type]));
  if (keyType === undefined || found === undefined || found === keyType) return;
  throw new TypeError(
    keyType === 'client'
      ? 'Postern got a server key in a page or app, where everybody can read it. Use a client key, and replace the server key if it was published.'
      : 'Postern got a client key in a backend. Use a server key here.',
  );
}

function checkFallback(name: string, value: string | undefined): void {
  if (value !== undefined && !['open', 'closed', 'offline', 'throw'].includes(value)) {
    throw new TypeError(
      `Postern needs ${name} to be open, closed, offline or throw, but got ${describe(value)}`,
    );
  }
}

function describe(value: unknown): string {
  return typeof value === 'string' ? `“${value}”` : String(value);
}
