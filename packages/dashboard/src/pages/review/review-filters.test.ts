import { DAY_MS } from '@postern/contract';
import { expect, it } from 'vitest';
import { readReviewFilters, reviewQueryOf } from './review-filters.ts';

it('reads the filters of the queue from the address bar, and turns an age into a time', () => {
  const filters = readReviewFilters({ network: '203.0.113.0/24', age: 'day', mode: 'test' });
  expect(filters).toEqual({ network: '203.0.113.0/24', age: 'day' });
  const now = 100 * DAY_MS;
  expect(reviewQueryOf(filters, now)).toEqual({
    network: '203.0.113.0/24',
    to: 99 * DAY_MS,
  });
  expect(readReviewFilters({ age: 'century' })).toEqual({});
});
