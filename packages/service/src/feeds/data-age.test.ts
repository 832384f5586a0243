import { describe, expect, it } from 'vitest';
import { dataAge, lossAtAge, measuredLoss } from './data-age.ts';

const NOW = Date.parse('2026-11-17T12:00:00Z');

describe('the age of data', () => {
  it('is that of its newest content', () => {
    expect(dataAge('domains', '2026-09-01.1a2b3c4d', NOW)).toEqual({
      day: '2026-09-01',
      days: 77,
      old: true,
    });
    expect(dataAge('networks', 'bundled-2026-06-17', NOW)).toMatchObject({ days: 153, old: true });
    expect(dataAge('networks', 'bundled-2026-06-17+2026-11-16', NOW)).toMatchObject({ days: 1, old: false });
    expect(dataAge('networks', 'bundled-2026-08-01', NOW)?.old).toBe(false);
    expect(dataAge('domains', 'none', NOW)).toBeUndefined();
  });
});

describe('what data loses with age', () => {
  it('is a share of all that becomes smaller', () => {
    const shares = measuredLoss().map(({ share }) => share);
    expect(measuredLoss().map(({ days }) => days)).toEqual([1, 7, 14, 30, 45, 60]);
    expect(shares.every((share) => share > 0.5 && share < 1)).toBe(true);
    expect([...shares].sort().reverse()).toEqual(shares);
  });

  it('is told for the nearest measured age below', () => {
    expect(lossAtAge(0)).toBeUndefined();
    expect(lossAtAge(29)?.days).toBe(14);
    expect(lossAtAge(500)?.days).toBe(60);
  });
});
