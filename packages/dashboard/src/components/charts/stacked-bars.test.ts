import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisTicks, labelEvery } from './stacked-bars.tsx';

describe('axisTicks', () => {
  it('begins at nothing, rises evenly in whole numbers, and reaches the highest value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (max) => {
        const ticks = axisTicks(max);
        const step = (ticks[1] ?? 0) - (ticks[0] ?? 0);
        expect(ticks[0]).toBe(0);
        expect(Number.isInteger(step)).toBe(true);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(max);
        expect(ticks.length).toBeLessThanOrEqual(7);
        for (const [index, tick] of ticks.entries()) expect(tick).toBeCloseTo(index * step);
      }),
    );
  });

  it('still gives an axis where there is nothing to show', () => {
    expect(axisTicks(0)).toEqual([0, 1]);
  });
});

describe('labelEvery', () => {
  it('leaves room for each label', () => {
    expect(labelEvery(24, 600, 50)).toBe(2);
    expect(labelEvery(7, 600, 50)).toBe(1);
  });
});
