import { describe, expect, it } from 'vitest';
import { findTimeZone } from './time-span.ts';

const HOUR_MS = 3_600_000;

describe('the days of a time zone', () => {
  it.each([
    ['UTC', '2026-11-15T00:00:00Z'],
    ['Pacific/Auckland', '2026-11-14T11:00:00Z'],
    ['America/Los_Angeles', '2026-11-14T08:00:00Z'],
    ['Asia/Kathmandu', '2026-11-14T18:15:00Z'],
  ])('of %s begin at its own midnight', (name, midnight) => {
    const zone = findTimeZone(name);
    const start = Date.parse(midnight);
    expect(zone?.startOfDay(start)).toBe(start);
    expect(zone?.startOfDay(start + 5 * HOUR_MS)).toBe(start);
    expect(zone?.startOfDay(start - 1)).toBeLessThan(start);
  });

  it.each([
    ['America/Los_Angeles', '2026-03-08T08:00:00Z', 23],
    ['America/Los_Angeles', '2026-11-01T07:00:00Z', 25],
    ['Pacific/Auckland', '2026-09-26T12:00:00Z', 23],
    ['Europe/Berlin', '2026-06-30T22:00:00Z', 24],
  ])('of %s from %s on last %i hours', (name, midnight, hours) => {
    const zone = findTimeZone(name);
    const start = Date.parse(midnight);
    expect(zone?.startOfDay(start)).toBe(start);
    expect(((zone?.nextDay(start) ?? 0) - start) / HOUR_MS).toBe(hours);
  });

  it('do not exist for a name that no time zone has', () => {
    expect(findTimeZone('Mars/Olympus')).toBeUndefined();
  });
});
