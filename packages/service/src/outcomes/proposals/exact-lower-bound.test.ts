import { expect, it } from 'vitest';
import { exactLowerBound } from './find-proposals.ts';

/** Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I, method 5. */
it.each([
  [81, 263, 0.2527],
  [15, 148, 0.0578],
  [0, 20, 0],
  [1, 29, 0.0009],
])('the lower bound of %i in %i is the published one', (hits, total, low) => {
  expect(exactLowerBound(hits, total, 0.025)).toBeCloseTo(low, 4);
});

it('of all hits is the root of the risk', () => {
  expect(exactLowerBound(5, 5, 0.0025)).toBeCloseTo(0.0025 ** (1 / 5), 6);
});

it('stays a number for thousands of people', () => {
  const low = exactLowerBound(1_900, 2_000, 0.0025);
  expect(low).toBeGreaterThan(0.92);
  expect(low).toBeLessThan(0.95);
});
