import { expect, test } from 'vitest';
import { parseDuration } from './duration.ts';

test.each([
  ['30s', 30_000],
  ['15m', 900_000],
  ['12h', 43_200_000],
  ['90d', 7_776_000_000],
  ['8w', 4_838_400_000],
  ['1Y', 31_536_000_000],
])('%s is %i ms', (text, ms) => {
  expect(parseDuration('--expires-in', text)).toBe(ms);
});

test.each(['', '90', 'd', '-1d', '1.5d', '90 d', '1month', '9999999999d'])(
  '%j is refused with examples',
  (text) => {
    expect(() => parseDuration('--expires-in', text)).toThrow(/--expires-in .* Write 30s, 15m, 12h, 90d/);
  },
);
