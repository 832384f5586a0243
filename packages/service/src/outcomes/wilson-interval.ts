/** The quantile of the normal distribution for an interval of 95%. */
const Z = 1.959963984540054;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * The 95% confidence interval of a share (Wilson, 1927). Unlike the usual approximation it is right for few cases and
 * for shares near 0 and 1, which is where fraud figures are.
 */
export function wilsonInterval(hits: number, total: number): Interval | undefined {
  if (total <= 0) return undefined;
  const share = hits / total;
  const z2 = Z * Z;
  const middle = share + z2 / (2 * total);
  const spread = Z * Math.sqrt((share * (1 - share) + z2 / (4 * total)) / total);
  const scale = 1 + z2 / total;
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) };
}
