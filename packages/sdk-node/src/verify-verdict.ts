import { verify } from 'node:crypto';
import type { VerdictClaims, VerdictKeySet } from '@postern/contract';
import type { Fetch } from '@postern/sdk-core';
import { emailHash } from './email-hash.ts';
import { memoryReplayStore, type ReplayStore } from './replay-store.ts';
import { createVerdictKeys, importKeys, type VerdictKeys } from './verdict-keys.ts';
import { readVerdictToken } from './verdict-token.ts';

/** Why a verdict is not believed. Only the two `unreachable` ones are nobody’s doing. */
export type VerdictRefusal =
  | 'malformed'
  | 'unsupported'
  | 'unknown_key'
  | 'bad_signature'
  | 'wrong_project'
  | 'wrong_address'
  | 'not_yet_valid'
  | 'expired'
  | 'test_mode'
  /** The page asked for fewer or weaker checks than the project’s policy has. */
  | 'weakened'
  | 'replayed'
  /** The replay store failed, so nobody can tell whether the verdict was used before. */
  | 'replays_unreachable'
  | 'keys_unreachable';

export type VerdictResult =
  | { readonly ok: true; readonly claims: VerdictClaims }
  | { readonly ok: false; readonly reason: VerdictRefusal };

export interface VerdictVerifierOptions {
  /** Where the service answers; its keys are fetched from `/.well-known/jwks.json` there. */
  baseUrl: string;
  projectId: string;
  /** Pinned keys, for a backend that must not fetch anything. */
  keys?: VerdictKeySet;
  /** How far the two clocks may be apart. 30 unless told. */
  clockSkewSeconds?: number;
  /** Sandbox keys’ verdicts count only where this is `true`. */
  allowTestMode?: boolean;
  /**
   * Takes verdicts for which the page itself chose the checks (`validations`). Anybody can ask for such a verdict
   * with the page’s key, so this gives away what the verdict is for.
   */
  allowWeakened?: boolean;
  /** Shared between processes, when there are several. */
  replayStore?: ReplayStore;
  fetch?: Fetch;
  now?: () => number;
}

export interface VerdictVerifier {
  /** Whether the service said so, to this address, for this project, just now, and not for an earlier form. */
  verifyVerdict(token: unknown, expected: { email: unknown }): Promise<VerdictResult>;
}

const REFETCH_FLOOR_MS = 30_000;
const KEYS_MAX_AGE_MS = 600_000;
const FETCH_TIMEOUT_MS = 3_000;

export function createVerdictVerifier(options: VerdictVerifierOptions): VerdictVerifier {
  if (typeof options.projectId !== 'string' || options.projectId === '') {
    throw new TypeError('Postern needs projectId, a non-empty string');
  }
  if (options.keys === undefined && !URL.canParse(options.baseUrl)) {
    throw new TypeError('Postern needs baseUrl, for example https://postern.example.com');
  }
  const now = options.now ?? Date.now;
  const skewMs = (options.clockSkewSeconds ?? 30) * 1000;
  const replayStore = options.replayStore ?? memoryReplayStore(undefined, now);
  const keys = verdictKeys(options, now);
  const refused = (reason: VerdictRefusal): VerdictResult => ({ ok: false, reason });
  /** A shared store that is down must neither stop sign-ups nor show its error to whoever signs up. */
  const claim = async ({ jti, exp }: VerdictClaims): Promise<boolean | null> => {
    try {
      return await replayStore.claim(jti, exp * 1000 + skewMs);
    } catch {
      return null;
    }
  };

  return {
    verifyVerdict: async (token, { email }) => {
      const read = readVerdictToken(token);
      if (typeof read === 'string') return refused(read);
      const { claims, kid, signed, signature } = read;
      const key = await keys.find(kid).catch(() => 'unreachable' as const);
      if (key === 'unreachable') return refused('keys_unreachable');
      if (key === null) return refused('unknown_key');
      if (!verify(null, signed, key, signature)) return refused('bad_signature');
      const reason = refusalOf(claims, { email, now: now(), skewMs, options });
      if (reason !== null) return refused(reason);
      // Last of all, so that a token that fails on something else is not used up.
      const first = await claim(claims);
      if (first === null) return refused('replays_unreachable');
      return first ? { ok: true, claims } : refused('replayed');
    },
  };
}

function verdictKeys(options: VerdictVerifierOptions, now: () => number): VerdictKeys {
  if (options.keys !== undefined) {
    const pinned = importKeys(options.keys);
    return { find: async (kid) => pinned.get(kid) ?? null };
  }
  return createVerdictKeys({
    url: `${options.baseUrl.replace(/\/+$/, '')}/.well-known/jwks.json`,
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    now,
    refetchFloorMs: REFETCH_FLOOR_MS,
    maxAgeMs: KEYS_MAX_AGE_MS,
    timeoutMs: FETCH_TIMEOUT_MS,
  });
}

interface Expected {
  email: unknown;
  now: number;
  skewMs: number;
  options: VerdictVerifierOptions;
}

function refusalOf(claims: VerdictClaims, expected: Expected): VerdictRefusal | null {
  const { email, now, skewMs, options } = expected;
  if (claims.aud !== options.projectId) return 'wrong_project';
  if (claims.iat * 1000 > now + skewMs) return 'not_yet_valid';
  if (claims.exp * 1000 <= now - skewMs) return 'expired';
  if (typeof email !== 'string' || claims.sub !== emailHash(email)) return 'wrong_address';
  if (claims.mode === 'test' && options.allowTestMode !== true) return 'test_mode';
  if (claims.weakened !== undefined && options.allowWeakened !== true) return 'weakened';
  return null;
}
