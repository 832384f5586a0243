import { type ApiError, type QuotaFacts, quotaExceeded, rateLimited } from '@postern/contract';
import { monthEnd } from '../model/windows.ts';
import type { QuotaState, RateState, Settlement } from '../store/store.ts';
import type { ResolvedKey } from './resolved-key.ts';

/** Where the project’s counters stand, as every answer past step 5 tells it. */
export interface Limits {
  readonly rate: RateState;
  readonly quota: QuotaFacts;
}

export type Counted = Exclude<Settlement, { readonly outcome: 'stale' }>;

/** `used` is never more than `limit`: a client key is not told how much of the reserve for server keys is used. */
export function limitsOf({ rate, quota }: Counted, known: ResolvedKey, now: number): Limits {
  const hidesReserve = known.key.type === 'client' && known.project.serverReserve > 0;
  const used = hidesReserve ? Math.min(quota.used, quota.limit) : quota.used;
  return { rate, quota: quotaFacts({ ...quota, used }, now) };
}

/** Steps 6 and 11: the refusal that the counting led to, or nothing. */
export function limitRefusal(settlement: Counted, limits: Limits): ApiError | undefined {
  switch (settlement.outcome) {
    case 'rate-limited':
      return rateLimited(limits.rate.limit, limits.rate.retryAfter);
    case 'quota-exceeded':
      return quotaExceeded(limits.quota);
    case 'admitted':
      return undefined;
  }
}

function quotaFacts({ limit, used }: QuotaState, now: number): QuotaFacts {
  return { limit, used, remaining: Math.max(0, limit - used), resetAt: monthEnd(now) };
}

/**
 * Remembers which callers are close to a limit, so that they are counted before the checks’ work is done and
 * not after. It only chooses the order of the work; the store alone decides.
 */
export interface NearLimitTracker {
  isNear(windowKey: string): boolean;
  note(windowKey: string, limits: Limits): void;
  /** Whether the visitor’s own limit refused the last request. */
  isLimited(visitorHash: string): boolean;
  noteVisitor(visitorHash: string, limited: boolean): void;
}

const NEAR = 64;
const REMEMBERED_WINDOWS = 10_000;

export function createNearLimitTracker(): NearLimitTracker {
  const near = new Set<string>();
  const limitedVisitors = new Set<string>();
  return {
    isLimited: (visitorHash) => limitedVisitors.has(visitorHash),
    noteVisitor: (visitorHash, limited) => {
      if (!limited) limitedVisitors.delete(visitorHash);
      else if (limitedVisitors.size < REMEMBERED_WINDOWS) limitedVisitors.add(visitorHash);
    },
    isNear: (windowKey) => near.has(windowKey),
    note: (windowKey, { rate, quota }) => {
      if (rate.remaining >= NEAR && quota.remaining >= NEAR) near.delete(windowKey);
      else if (near.size < REMEMBERED_WINDOWS) near.add(windowKey);
    },
  };
}
