import type { Fetch } from 'postern~sdk/core';
import type { CheckName, VerdictClaims, VerdictKeySet } from '@postern/contract';
import { completeOptions, missingOptions } from './connection.ts';
import { emailHash, normalizeEmail } from './email-hash.ts';
import { memoryReplayStore, type ReplayStore } from './replay-store.ts';
import { openVerdictKeys, type VerdictKeys } from './verdict-keys.ts';
import { readVerdictToken } from './verdict-token.ts';

/** Why a verdict is refused. */
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
  /** A check that you require did not run, for example `device` because the page sent no fingerprint. */
  | 'missing_checks'
  | 'replayed'
  /** The replay store failed, so it is unknown whether the verdict was used before. */
  | 'replays_unreachable'
  | 'keys_unreachable';

export type VerdictResult =
  | { readonly ok: true; readonly claims: VerdictClaims }
  | { readonly ok: false; readonly reason: VerdictRefusal };

export interface VerdictVerifierOptions {
  /** The service’s address, whose `/.well-known/jwks.json` has the keys. Default: the environment’s `POSTERN_URL`. */
  baseUrl?: string | undefined;
  /** Default: the environment’s `POSTERN_PROJECT_ID`. */
  projectId?: string | undefined;
  /** Pinned keys, for a backend that must not fetch anything. */
  keys?: VerdictKeySet | undefined;
  /** How much the two clocks may differ. Default: 30. */
  clockSkewSeconds?: number | undefined;
  /** Verdicts of sandbox keys are accepted only if this is `true`. */
  allowTestMode?: boolean | undefined;
  /**
   * Takes verdicts for which the page itself chose the checks (`validations`). Anybody can ask for such a verdict
   * with the page’s key, so this gives away what the verdict is for.
   */
  allowWeakened?: boolean | undefined;
  /** Checks that must have run. A page can leave a check’s input out, such as the fingerprint for `device`. */
  requireChecks?: readonly CheckName[] | undefined;
  /** Shared between processes, if there are several. */
  replayStore?: ReplayStore | undefined;
  fetch?: Fetch | undefined;
  now?: (() => number) | undefined;
}

export interface ExpectedVerdict {
  /** The address that the form sent. */
  email: unknown;
  /** Overrides the verifier’s own. */
  requireChecks?: readonly CheckName[] | undefined;
}

export interface VerdictVerifier {
  /**
   * Checks that the service signed this verdict for this address and project recently, and that it was not used before.
   */
  verifyVerdict(token: unknown, expected: ExpectedVerdict): Promise<VerdictResult>;
}

const CONNECTION = ['baseUrl', 'projectId'] as const;

/**
 * `keys` can be shared with other code that checks the service’s signatures. If baseUrl or projectId is missing, the first
 * verdict throws, not the creation: builds import this without an environment.
 */
export function createVerdictVerifier(
  options: VerdictVerifierOptions = {},
  keys?: VerdictKeys,
): VerdictVerifier {
  const complete = completeOptions(options, CONNECTION);
  if (complete !== null) return openVerifier(complete, keys ?? openVerdictKeys(complete));
  let opened: VerdictVerifier | null = null;
  return {
    verifyVerdict: async (token, expected) => {
      const later = completeOptions(options, CONNECTION);
      if (later === null) throw missingOptions(options, CONNECTION);
      opened ??= openVerifier(later, keys ?? openVerdictKeys(later));
      return opened.verifyVerdict(token, expected);
    },
  };
}

function openVerifier(
  options: VerdictVerifierOptions & { readonly projectId: string },
  keys: VerdictKeys,
): VerdictVerifier {
  const now = options.now ?? Date.now;
  const skewMs = (options.clockSkewSeconds ?? 30) * 1000;
  const replayStore = options.replayStore ?? memoryReplayStore(undefined, now);
  const refused = (reason: VerdictRefusal): VerdictResult => ({ ok: false, reason });
  /** A shared store that is down must not stop sign-ups or show its error to the person. */
  const claim = async ({ jti, exp }: VerdictClaims): Promise<boolean | null> => {
    try {
      return await replayStore.claim(jti, exp * 1000 + skewMs);
    } catch {
      return null;
    }
  };

  return {
    verifyVerdict: async (token, { email, requireChecks = options.requireChecks }) => {
      const read = readVerdictToken(token);
      if (typeof read === 'string') return refused(read);
      const { claims, kid, signed, signature } = read;
      const key = await keys.find(kid).catch(() => 'unreachable' as const);
      if (key === 'unreachable') return refused('keys_unreachable');
      if (key === null) return refused('unknown_key');
      if (!(await key(signed, signature))) return refused('bad_signature');
      const address = typeof email === 'string' ? await normalizeEmail(email) : undefined;
      const hash = address === undefined ? null : await emailHash(address);
      const reason = refusalOf(claims, { hash, requireChecks, now: now(), skewMs, options });
      if (reason !== null) return refused(reason);
      // Last, so that a token that fails for another reason is not used up.
      const first = await claim(claims);
      if (first === null) return refused('replays_unreachable');
      return first ? { ok: true, claims } : refused('replayed');
    },
  };
}

interface Expected {
  hash: string | null;
  requireChecks: readonly CheckName[] | undefined;
  now: number;
  skewMs: number;
  options: VerdictVerifierOptions;
}

function refusalOf(claims: VerdictClaims, expected: Expected): VerdictRefusal | null {
  const { hash, requireChecks, now, skewMs, options } = expected;
  if (claims.aud !== options.projectId) return 'wrong_project';
  if (claims.iat * 1000 > now + skewMs) return 'not_yet_valid';
  if (claims.exp * 1000 <= now - skewMs) return 'expired';
  if (claims.sub !== hash) return 'wrong_address';
  if (claims.mode === 'test' && options.allowTestMode !== true) return 'test_mode';
  if (claims.weakened !== undefined && options.allowWeakened !== true) return 'weakened';
  const ran: readonly string[] = claims.checks ?? [];
  if (requireChecks?.some((check) => !ran.includes(check))) return 'missing_checks';
  return null;
}
