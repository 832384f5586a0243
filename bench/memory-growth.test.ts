import { expect, test } from 'vitest';
import { growthOver } from './memory-growth.ts';

const samples = (megabytes: readonly number[]) =>
  megabytes.map((value, at) => ({ seconds: at * 10, megabytes: value }));

test('only the last half counts', () => {
  expect(growthOver(samples([50, 100, 150, 200, 200, 200, 200, 200]))).toBeCloseTo(0);
  expect(growthOver(samples([100, 100, 100, 100, 100, 110, 120, 130]))).toBeCloseTo(0.3);
  expect(growthOver(samples([300, 280, 260, 240, 220, 200, 180, 160]))).toBeLessThan(0);
});

test('one sample that stands out does not make a trend', () => {
  expect(growthOver(samples([200, 200, 200, 200, 200, 200, 260, 200, 200, 200]))).toBeLessThan(0.1);
});

test('too few samples show nothing', () => {
  expect(growthOver([])).toBe(0);
  expect(growthOver(samples([100]))).toBe(0);
});
