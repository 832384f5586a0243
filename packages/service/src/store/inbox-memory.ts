import { CLAIM_COUNTS_MS } from '../model/history.ts';

/** An inbox lists this many of its devices, the last ones, so that they are found without looking at every device. */
export const MAX_DEVICES_LISTED = 50;

/** A spelling that an inbox was seen under. */
export interface KnownSpelling {
  readonly spelling: string;
  readonly seenAt: number;
  /** The network from which a client key claimed it, `''` if that is not known; `null` once a backend confirmed it. */
  readonly claimedFrom: string | null;
}

/** What a request says about its inbox’s spelling; see `SpellingClaim`. */
export interface SeenSpelling {
  readonly spelling: string;
  readonly isClaim: boolean;
  readonly claimNetwork: string | null;
  readonly confirmedOnly: boolean;
  readonly now: number;
  /** What was last seen before this time is forgotten. */
  readonly cutoff: number;
}

/**
 * Whether one of the known spellings is another one that counts. PostgreSQL’s function `postern_keep_wave_1` computes
 * this and `withSpelling` in SQL; the contract suite holds both to it.
 */
export function isReused(known: readonly KnownSpelling[], seen: SeenSpelling): boolean {
  return known.some(({ spelling, seenAt, claimedFrom }) => {
    if (spelling === seen.spelling || seenAt < seen.cutoff) return false;
    if (claimedFrom === null) return true;
    if (seen.confirmedOnly) return false;
    return claimedFrom === seen.claimNetwork || seenAt >= seen.now - CLAIM_COUNTS_MS;
  });
}

/**
 * The two spellings to keep, the last one first. Claims never push out a confirmed spelling: somebody who claims
 * spellings of his own inbox would get rid of the one that he signed up with.
 */
export function withSpelling(
  known: readonly KnownSpelling[],
  { spelling, isClaim, claimNetwork, now, cutoff }: SeenSpelling,
): readonly [KnownSpelling, KnownSpelling | undefined] {
  const own = known.find((one) => one.spelling === spelling);
  const isConfirmed = !isClaim || own?.claimedFrom === null;
  const others = known.filter((one) => one.spelling !== spelling);
  const confirmed = others.find(({ claimedFrom, seenAt }) => claimedFrom === null && seenAt >= cutoff);
  const seenAt = Math.max(now, known[0]?.seenAt ?? now);
  return [
    { spelling, seenAt, claimedFrom: isConfirmed ? null : (claimNetwork ?? '') },
    confirmed ?? others[0],
  ];
}
