import { type ApiError, type QuotaFacts, quotaExceeded, rateLimited } from '@postern/contract';
import { BoundedMap } from '../model/bounded-map.ts';
import { monthEnd } from '../model/windows.ts';
import type { QuotaState, RateState, Settlement } from '../store/store.ts';
import type { ResolvedKey } from './resolved-key.ts';

/** The project’s current counters, as every response to an admitted caller reports them. */
export interface Limits {
  readonly rate: RateState;
  readonly quota: QuotaFacts;
}

export type Counted = Exclude<Settlement, { readonly result: 'stale' }>;

/** For a client key `used` is never more than `limit`: it does not see how much of the server keys’ reserve is used. */
export function limitsOf({ rate, quota }: Counted, resolved: ResolvedKey, now: number): Limits {
  const hidesReserve = resolved.key.type === 'client' && resolved.project.serverReserve > 0;
  const used = hidesReserve ? Math.min(quota.used, quota.limit) : quota.used;
  return { rate, quota: quotaFacts({ limit: quota.limit, used }, now) };
}

/** The 429 or 402 if a limit is exceeded. */
export function limitRefusal(settlement: Counted, limits: Limits): ApiError | undefined {
  switch (settlement.result) {
    case 'rate-limited':
      return rateLimited(limits.rate.limit, limits.rate.retryAfter);
    case 'quota-exceeded':
      return quotaExceeded(limits.quota);
    case 'repeated':
    case 'admitted':
      return undefined;
  }
}

function quotaFacts({ limit, used }: QuotaState, now: number): QuotaFacts {
  return { limit, used, remaining: Math.max(0, limit - used), resetAt: monthEnd(now) };
}

/**
 * Remembers which callers are close to a limit, so that their requests are counted before the checks run instead of
 * after. This only changes the order of the work. The store alone decides about limits.
 */
export interface NearLimitTracker {
  isNear(lane: string): boolean;
  note(lane: string, limits: Limits): void;
  /** Whether the visitor’s own limit refused the last request. */
  isLimited(visitorHash: string): boolean;
  /** Whether it will refuse the next one too, because the time that it named has not passed. */
  mustWait(visitorHash: string, now: number): boolean;
  /** `limitedUntil` is absent if the visitor’s limit admitted the request. */
  noteVisitor(visitorHash: string, limitedUntil: number | undefined): void;
}

const NEAR = 64;
const REMEMBERED_LANES = 10_000;

export function createNearLimitTracker(): NearLimitTracker {
  const near = new BoundedMap<string, true>(REMEMBERED_LANES);
  const limitedVisitors = new BoundedMap<string, number>(REMEMBERED_LANES);
  return {
    isLimited: (visitorHash) => limitedVisitors.get(visitorHash) !== undefined,
    mustWait: (visitorHash, now) => (limitedVisitors.get(visitorHash) ?? 0) > now,
    noteVisitor: (visitorHash, limitedUntil) => {
      if (limitedUntil === undefined) limitedVisitors.delete(visitorHash);
      else limitedVisitors.set(visitorHash, limitedUntil);
    },
    isNear: (lane) => near.get(lane) === true,
    note: (lane, { rate, quota }) => {
      if (rate.remaining >= NEAR && quota.remaining >= NEAR) near.delete(lane);
      else near.set(lane, true);
    },
  };
}
