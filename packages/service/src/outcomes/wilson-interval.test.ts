import { expect, it } from 'vitest';
import { wilsonInterval } from './wilson-interval.ts';

/** Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I, method 3. */
it.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('the interval of %i in %i is the published one', (hits, total, low, high) => {
  const interval = wilsonInterval(hits, total);
  expect(interval?.low).toBeCloseTo(low, 4);
  expect(interval?.high).toBeCloseTo(high, 4);
});

it('there is no interval without any people', () => {
  expect(wilsonInterval(0, 0)).toBeUndefined();
});
