import { expect, it } from 'vitest';
import { queryOf } from './filters.ts';

it('the last days end with the current half hour, as in the overview', () => {
  const now = Date.UTC(2026, 10, 17, 8, 32, 5);
  const end = Date.UTC(2026, 10, 17, 9, 0, 0);
  expect(queryOf({ last: 'week' }, now).from).toBe(end - 7 * 86_400_000);
  expect(queryOf({ last: 'day' }, now).from).toBe(end - 86_400_000);
  expect(queryOf({ last: 'hour' }, now).from).toBe(now - 3_600_000);
});
