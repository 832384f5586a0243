import { expect, it } from 'vitest';
import { HourlyCounts } from './hourly-counts.ts';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 15, 12);

it('counts the last hour, and the hours before it; those of long ago by the clock’s hours', () => {
  const counts = new HourlyCounts();
  for (const minutes of [-150, -130, -70, -50, -1, 0]) counts.add(NOON + minutes * MINUTE);
  expect(counts.lastHour(NOON)).toBe(3);
  expect(counts.earlierHours(NOON, 3)).toEqual([1, 0, 2]);
  expect(counts.size).toBe(5);
});

it('the hour slides', () => {
  const counts = new HourlyCounts();
  counts.add(NOON);
  expect(counts.lastHour(NOON + 49 * MINUTE)).toBe(1);
  expect(counts.lastHour(NOON + 60 * MINUTE)).toBe(0);
});

it('keeps a day at most, and little of each hour', () => {
  const counts = new HourlyCounts();
  for (let minutes = 0; minutes < 6_000; minutes += 1) counts.add(NOON + minutes * MINUTE);
  const now = NOON + 5_999 * MINUTE;
  expect(counts.size).toBeLessThanOrEqual(24 + 12);
  expect(counts.lastHour(now)).toBe(60);
  expect(counts.earlierHours(now, 22)).toEqual(Array.from({ length: 22 }, () => 60));
});

it('a clock that is put back leaves no count of the future', () => {
  const counts = new HourlyCounts();
  for (let at = 0; at < 30; at += 1) counts.add(NOON);
  expect(counts.lastHour(NOON - 24 * 60 * MINUTE)).toBe(0);
  counts.add(NOON - 24 * 60 * MINUTE);
  expect(counts.lastHour(NOON - 24 * 60 * MINUTE)).toBe(1);
  expect(counts.size).toBe(1);
});
