import { expect, it } from 'vitest';
import { burstThreshold, usualCount } from './burst.ts';

it('a handful is never a burst', () => {
  expect(burstThreshold(0, 0)).toBe(20);
});

it('an attack in an earlier hour does not raise what is usual', () => {
  expect(usualCount([5, 4, 6, 5_000, 5, 4, 6, 5])).toBeCloseTo(5);
});

it('ordinary chance does not reach the threshold', () => {
  // 10,000 Poisson hours with a mean of 50, from a small generator with a fixed seed.
  let state = 42;
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
  const poisson = (mean: number) => {
    let count = 0;
    for (let product = random(); product > Math.exp(-mean); product *= random()) count += 1;
    return count;
  };
  const earlier = Array.from({ length: 8 }, () => poisson(50));
  const threshold = burstThreshold(usualCount(earlier), 0);
  const bursts = Array.from({ length: 10_000 }, () => poisson(50)).filter((count) => count >= threshold);
  expect(bursts.length).toBe(0);
});
