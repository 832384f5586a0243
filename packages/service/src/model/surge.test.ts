import { expect, it } from 'vitest';
import { isSurge, surgeThreshold, usualCount } from './surge.ts';

it('a handful is never a surge', () => {
  expect(isSurge(19, [])).toBe(false);
  expect(isSurge(20, [])).toBe(true);
});

it('a busy project’s usual hour is not a surge, but five times as many requests are', () => {
  const usual = [100, 120, 90, 110, 95, 105, 98, 102];
  expect(isSurge(130, usual)).toBe(false);
  expect(isSurge(500, usual)).toBe(true);
});

it('an attack in an earlier week does not raise what is usual', () => {
  expect(usualCount([5, 4, 6, 5_000, 5, 4, 6, 5])).toBeCloseTo(5);
  expect(surgeThreshold([5, 4, 6, 5_000])).toBe(20);
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
  const surges = Array.from({ length: 10_000 }, () => poisson(50)).filter((count) => isSurge(count, earlier));
  expect(surges.length).toBe(0);
});
