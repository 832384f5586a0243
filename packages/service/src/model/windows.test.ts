import { describe, expect, it } from 'vitest';
import { monthEnd, monthOf } from './windows.ts';

describe('the quota’s month', () => {
  it.each([
    ['2026-11-15T03:00:00.000Z', '2026-11', '2026-12-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2026-12', '2027-01-01T00:00:00.000Z'],
    ['2027-01-01T00:00:00.000Z', '2027-01', '2027-02-01T00:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', '2028-02', '2028-03-01T00:00:00.000Z'],
    ['2027-01-31T12:00:00.000Z', '2027-01', '2027-02-01T00:00:00.000Z'],
  ])('at %s is %s and ends at %s', (at, month, end) => {
    expect(monthOf(Date.parse(at))).toBe(month);
    expect(monthEnd(Date.parse(at))).toBe(end);
  });
});
