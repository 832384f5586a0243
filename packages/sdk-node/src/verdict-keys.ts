import type { Fetch } from 'postern~sdk/core';
import type { VerdictKeySet } from '@postern/contract';
import { importEd25519, type VerifySignature } from './ed25519.ts';
import { readBounded } from './read-bounded.ts';
import { serviceUrl } from './service-url.ts';

export interface VerdictKeys {
  /** The key with that ID; `null` if the service does not publish it. Rejects if no keys could be fetched. */
  find(kid: string): Promise<VerifySignature | null>;
}

interface VerdictKeysOptions {
  readonly url: string;
  readonly projectId?: string | undefined;
  readonly fetch: Fetch;
  readonly now: () => number;
}

/** Enough for about a hundred keys. The service publishes one or two. */
const MAX_KEY_SET_BYTES = 64 * 1024;
/** The shortest time between fetches, so that tokens with invented key IDs do not cause a flood of requests. */
const MIN_REFETCH_MS = 30_000;
/** The same until the first fetch succeeds, so that not every sign-up waits for a service that hangs. */
const MIN_FIRST_RETRY_MS = 10_000;
/** Keys that the service withdrew are accepted for at most this long. */
const MAX_AGE_MS = 600_000;
const FETCH_TIMEOUT_MS = 3_000;

export interface KeySourceOptions {
  baseUrl: string;
  /** Tells the service whose verdicts are verified, for the checklist in its dashboard. */
  projectId?: string | undefined;
  /** Pinned keys, for a backend that must not fetch anything. */
  keys?: VerdictKeySet | undefined;
  fetch?: Fetch | undefined;
  now?: (() => number) | undefined;
}

export function openVerdictKeys(options: KeySourceOptions): VerdictKeys {
  if (options.keys !== undefined) {
    const pinned = importKeys(options.keys);
    // The first verdict reports the error. Until then it must not end the process.
    pinned.catch(() => {});
    return { find: async (kid) => (await pinned).get(kid) ?? null };
  }
  if (!URL.canParse(options.baseUrl)) {
    throw new TypeError('Postern needs baseUrl, for example https://postern.example.com');
  }
  return createVerdictKeys({
    url: serviceUrl(options.baseUrl, '/.well-known/jwks.json'),
    projectId: options.projectId,
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    now: options.now ?? Date.now,
  });
}

/** The published keys. They are fetched once, and again when an unknown ID shows that they were rotated. */
function createVerdictKeys(options: VerdictKeysOptions): VerdictKeys {
  let keys: ReadonlyMap<string, VerifySignature> | null = null;
  let fetchedAtMs = 0;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let inFlight: Promise<void> | null = null;

  const refresh = (): Promise<void> => {
    triedAtMs = options.now();
    inFlight ??= fetchKeys(options)
      .then((fetched) => {
        keys = fetched;
        fetchedAtMs = options.now();
      })
      .finally(() => {
        inFlight = null;
      });
    return inFlight;
  };

  return {
    find: async (kid) => {
      const stale = options.now() - fetchedAtMs > MAX_AGE_MS;
      const cached = keys?.get(kid);
      if (cached !== undefined && !stale) return cached;
      const waitMs = keys === null ? MIN_FIRST_RETRY_MS : MIN_REFETCH_MS;
      const mayFetch = inFlight !== null || options.now() - triedAtMs >= waitMs;
      if (mayFetch) {
        try {
          await refresh();
        } catch (error) {
          // A service that is down cannot withdraw a key, so the ones we have stay valid.
          if (cached === undefined) throw error;
          return cached;
        }
      }
      if (keys === null) throw new Error('No verdict keys fetched yet');
      return keys.get(kid) ?? null;
    },
  };
}

async function fetchKeys({
  fetch,
  url,
  projectId,
}: VerdictKeysOptions): Promise<ReadonlyMap<string, VerifySignature>> {
  const response = await fetch(url, {
    method: 'GET',
    headers: {
      Accept: 'application/json',
      ...(projectId !== undefined && { 'X-Project-Id': projectId }),
    },
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    credentials: 'omit',
  });
  if (response.status !== 200) throw new Error(`Verdict keys: status ${response.status}`);
  const bytes = await readBounded(response, MAX_KEY_SET_BYTES, 'Verdict keys');
  return importKeys(JSON.parse(new TextDecoder().decode(bytes)) as VerdictKeySet);
}

/**
 * Keys of kinds that we do not know are skipped: the set may grow (RFC 7517 section 5). A set without a known key is an
 * error.
 */
async function importKeys(set: VerdictKeySet): Promise<ReadonlyMap<string, VerifySignature>> {
  const keys = new Map<string, VerifySignature>();
  for (const { kty, crv, kid, x } of set.keys) {
    if (kty !== 'OKP' || crv !== 'Ed25519' || typeof kid !== 'string' || typeof x !== 'string') continue;
    keys.set(kid, await importEd25519(x));
  }
  if (keys.size === 0) throw new Error('No verdict key in the set');
  return keys;
}
