import { expect, test } from 'vitest';
import { createExpiringCache } from './expiring-cache.ts';

test('an entry exists until its expiry time and not at it', () => {
  const cache = createExpiringCache<string>(10);
  cache.set('a', 'one', 100);
  expect(cache.get('a', 99)).toBe('one');
  expect(cache.get('a', 100)).toBeUndefined();
});

test('a newer value replaces an older one in either generation', () => {
  const cache = createExpiringCache<string>(4);
  cache.set('a', 'one', 100);
  cache.set('b', 'two', 100);
  cache.set('c', 'three', 100);
  cache.set('a', 'four', 100);
  expect(cache.get('a', 0)).toBe('four');
});

test('used entries stay, unused ones go, and the limit is never exceeded', () => {
  const cache = createExpiringCache<number>(100);
  cache.set('used', 0, 1_000);
  cache.set('unused', 0, 1_000);
  for (let index = 0; index < 500; index++) {
    cache.set(`other ${index}`, index, 1_000);
    expect(cache.get('used', 0)).toBe(0);
    expect(cache.size()).toBeLessThanOrEqual(100);
  }
  expect(cache.get('unused', 0)).toBeUndefined();
});

test('clearing forgets everything', () => {
  const cache = createExpiringCache<number>(2);
  for (const key of ['a', 'b', 'c']) cache.set(key, 1, 1_000);
  cache.clear();
  for (const key of ['a', 'b', 'c']) expect(cache.get(key, 0)).toBeUndefined();
});
