/**
 * The lower end of the exact confidence interval of a share (Clopper and Pearson, 1934): the share at which as many hits
 * or more have the probability `risk`. Unlike Wilson’s interval it never promises too much, also for two of two.
 */
export function exactLowerBound(hits: number, total: number, risk: number): number {
  if (hits === 0) return 0;
  let [low, high] = [0, hits / total];
  for (let step = 0; step < BISECTIONS; step += 1) {
    const middle = (low + high) / 2;
    if (atLeast(hits, total, middle) < risk) low = middle;
    else high = middle;
  }
  return low;
}

const BISECTIONS = 40;

/** The probability of this many hits or more. */
function atLeast(hits: number, total: number, share: number): number {
  // The first term by logarithms, because its factors are too large or too small. Each further one from the one before.
  let logTerm = hits * Math.log(share) + (total - hits) * Math.log1p(-share);
  for (let index = 1; index <= hits; index += 1) logTerm += Math.log((total - hits + index) / index);
  let term = Math.exp(logTerm);
  let sum = 0;
  for (let count = hits; count <= total; count += 1) {
    sum += term;
    term *= ((total - count) / (count + 1)) * (share / (1 - share));
  }
  return sum;
}
