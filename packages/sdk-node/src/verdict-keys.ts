import { createPublicKey, type KeyObject } from 'node:crypto';
import type { VerdictKeySet } from '@postern/contract';
import type { Fetch } from '@postern/sdk-core';
import { readBounded } from './read-bounded.ts';

export interface VerdictKeys {
  /** The key of that ID; `null` when the service does not publish it; rejects when nobody can tell. */
  find(kid: string): Promise<KeyObject | null>;
}

export interface VerdictKeysOptions {
  readonly url: string;
  readonly fetch: Fetch;
  readonly now: () => number;
  /** Tokens with invented key IDs must not turn into a storm of requests. */
  readonly refetchFloorMs: number;
  /** Keys that the service withdrew stop counting after this time. */
  readonly maxAgeMs: number;
  readonly timeoutMs: number;
}

/** Some hundred keys; the service publishes one or two. */
const MAX_KEY_SET_BYTES = 64 * 1024;
/** Without any key nothing can be believed, so the first fetch is tried again soon. */
const FIRST_FETCH_FLOOR_MS = 1_000;

/** The published keys: fetched once, again when an unknown ID shows that they were rotated. */
export function createVerdictKeys(options: VerdictKeysOptions): VerdictKeys {
  let keys: ReadonlyMap<string, KeyObject> | null = null;
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
      const stale = options.now() - fetchedAtMs > options.maxAgeMs;
      const known = keys?.get(kid);
      if (known !== undefined && !stale) return known;
      const floorMs = keys === null ? FIRST_FETCH_FLOOR_MS : options.refetchFloorMs;
      const mayTry = inFlight !== null || options.now() - triedAtMs >= floorMs;
      if (mayTry) {
        try {
          await refresh();
        } catch (error) {
          // A service that is down takes no key back: the ones we have go on counting.
          if (known === undefined) throw error;
          return known;
        }
      }
      const found = keys?.get(kid);
      if (found === undefined && keys === null) throw new Error('No verdict keys fetched yet');
      return found ?? null;
    },
  };
}

async function fetchKeys(options: VerdictKeysOptions): Promise<ReadonlyMap<string, KeyObject>> {
  const response = await options.fetch(options.url, {
    method: 'GET',
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(options.timeoutMs),
    credentials: 'omit',
  });
  if (response.status !== 200) throw new Error(`Verdict keys: status ${response.status}`);
  const text = await readBounded(response, MAX_KEY_SET_BYTES, 'Verdict keys');
  return importKeys(JSON.parse(text) as VerdictKeySet);
}

/** Keys of kinds that we do not know are skipped: the set may grow (RFC 7517 section 5). A set without any is none. */
export function importKeys(set: VerdictKeySet): ReadonlyMap<string, KeyObject> {
  const keys = new Map<string, KeyObject>();
  for (const { kty, crv, kid, x } of set.keys) {
    if (kty !== 'OKP' || crv !== 'Ed25519' || typeof kid !== 'string' || typeof x !== 'string') continue;
    keys.set(kid, createPublicKey({ key: { kty, crv, x }, format: 'jwk' }));
  }
  if (keys.size === 0) throw new Error('No verdict key in the set');
  return keys;
}
