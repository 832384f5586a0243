/** Fewer than this in an hour is never a burst: small numbers jump by themselves. */
export const LEAST_BURST = 20;
/** How many standard deviations above the usual a count must be. */
const DEVIATIONS = 6;

/** A day has quiet and busy hours: up to this many times the mean is an ordinary peak. */
const DAILY_PEAK = 3;
/**
 * What one network brings of a busy project’s people, and one shape of names of a busy domain’s, without anything being
 * odd. Mobile networks put many people behind few addresses, and many people’s names end in a year or two digits. Both
 * shares are estimates, not measured on real sign-ups.
 */
export const ORDINARY_NETWORK_SHARE = 0.01;
/** A network that usually has more than this share does not get more: it may be where the fraud comes from. */
export const MAX_NETWORK_SHARE = 0.05;
export const ORDINARY_SHAPE_SHARE = 0.2;

function thresholdAbove(usual: number): number {
  return Math.max(LEAST_BURST, Math.ceil(usual + DEVIATIONS * Math.sqrt(Math.max(usual, 1))));
}

/**
 * From how many on an hour is a burst. `mean`: an hour of the last day. `ordinary`: what would be no surprise in an hour as
 * busy as this one.
 */
export function burstThreshold(mean: number, ordinary: number): number {
  return Math.max(thresholdAbove(Math.max(mean, ordinary)), DAILY_PEAK * mean);
}

/** The mean of the hours, without those that were bursts themselves: an attack last week makes none this week normal. */
export function usualCount(earlier: readonly number[]): number {
  if (earlier.length === 0) return 0;
  const sorted = [...earlier].sort((one, other) => one - other);
  const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const cap = Math.max(LEAST_BURST, median + DEVIATIONS * Math.sqrt(Math.max(median, 1)));
  const calm = sorted.filter((count) => count <= cap);
  return calm.reduce((sum, count) => sum + count, 0) / Math.max(1, calm.length);
}
