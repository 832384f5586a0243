/** Fewer than this in an hour is never a surge: small numbers jump by themselves. */
export const LEAST_SURGE = 20;
/** How many standard deviations above the usual a count must be; chance alone reaches it about once in a million hours. */
const DEVIATIONS = 6;

/**
 * Whether a count is far above what is usual. `earlier` are the counts of hours to compare with: the same hour of
 * earlier weeks, or the hours before this one. Counts of independent events spread by about the square root of their
 * mean, so the distance is measured in those.
 */
export function isSurge(count: number, earlier: readonly number[]): boolean {
  return count >= surgeThreshold(earlier);
}

export function surgeThreshold(earlier: readonly number[]): number {
  const usual = usualCount(earlier);
  return Math.max(LEAST_SURGE, Math.ceil(usual + DEVIATIONS * Math.sqrt(Math.max(usual, 1))));
}

/** The mean of the hours, without those that were surges themselves: an attack last week makes none this week normal. */
export function usualCount(earlier: readonly number[]): number {
  if (earlier.length === 0) return 0;
  const sorted = [...earlier].sort((one, other) => one - other);
  const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const cap = Math.max(LEAST_SURGE, median + DEVIATIONS * Math.sqrt(Math.max(median, 1)));
  const calm = sorted.filter((count) => count <= cap);
  return calm.reduce((sum, count) => sum + count, 0) / Math.max(1, calm.length);
}
