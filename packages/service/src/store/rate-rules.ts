import type { KeyType } from '@postern/contract';
import type { KeyMode } from '../model/api-key.ts';

/**
 * The sliding hour is kept in buckets of one second, each with the time of the last request counted in it. A
 * bucket is dropped when that request is an hour old. So no request is dropped early, no hour ever holds more than
 * the limit, and no request counts for more than a second too long.
 */
export const WINDOW_MS = 3_600_000;
const BUCKET_MS = 1_000;

/** The second whose bucket counts a request. */
export function bucketAt(now: number): number {
  return Math.floor(now / BUCKET_MS);
}

/**
 * Clocks of several processes differ a little: a request that is at most this much older than the newest counted
 * request is treated as made at the same time. If time went back further, the clock was changed, and entries in the
 * future are moved to now, so that they block for at most an hour.
 */
export const CLOCK_SKEW_MS = 5_000;

export const KEY_USE_NOTED_EVERY_MS = 60_000;

type LiveLane = KeyType | 'outcomes' | 'codes';
/** Each lane of a project has a sliding hour of its own. */
export type RateLane = LiveLane | `${LiveLane}-test`;

/** A visitor’s sliding hours are stored with the project’s. */
export function visitorLane(visitorHash: string, mode: KeyMode): string {
  return `visitor${mode === 'test' ? '-test' : ''}:${visitorHash}`;
}

export function rateLane(type: LiveLane, mode: KeyMode): RateLane {
  return mode === 'test' ? `${type}-test` : type;
}

/** Unix seconds from which the whole limit is free again. */
export function resetSecond(total: number, latestAt: number, now: number): number {
  return total === 0 ? Math.floor(now / 1_000) : Math.ceil((latestAt + WINDOW_MS) / 1_000);
}

/** Whole seconds until a bucket whose last request came at `lastAt` has left. */
export function secondsUntilLeft(lastAt: number, now: number): number {
  const seconds = Math.ceil((lastAt + WINDOW_MS - now) / 1_000);
  return Math.min(WINDOW_MS / 1_000, Math.max(1, seconds));
}
