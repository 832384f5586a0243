import { expect, test } from 'vitest';
import { isoMoment, relativeMoment } from './moment.ts';

const NOW = Date.UTC(2026, 0, 31, 12);

test.each([
  [0, 'just now'],
  [-59_000, 'just now'],
  [59_000, 'in a moment'],
  [-60_000, '1 min ago'],
  [-7_200_000, '2 h ago'],
  [-3 * 86_400_000 - 1, '3 d ago'],
  [2 * 86_400_000, 'in 2 d'],
])('%i ms from now is %s', (distance, text) => {
  expect(relativeMoment(NOW + distance, NOW)).toBe(text);
});

test('machines get ISO 8601 in UTC, or null', () => {
  expect(isoMoment(NOW)).toBe('2026-01-31T12:00:00.000Z');
  expect(isoMoment(null)).toBeNull();
});
