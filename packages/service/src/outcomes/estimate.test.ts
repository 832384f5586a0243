import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { estimateOf } from './estimate.ts';

describe('an estimate from a sample', () => {
  it('is exact if all rows were read', () => {
    const all = { allow: 900, flag: 50, block: 7 };
    const counts = { allow: 12, flag: 3, block: 7 };
    expect(estimateOf(counts, { read: all, total: all })).toEqual({ count: 22, low: 22, high: 22 });
  });

  it('scales each answer by itself', () => {
    const sample = {
      read: { allow: 1_000, flag: 50, block: 10 },
      total: { allow: 10_000, flag: 50, block: 20 },
    };
    const { count, low, high } = estimateOf({ allow: 100, flag: 5, block: 5 }, sample);
    expect(count).toBe(1_000 + 5 + 10);
    expect(low).toBeLessThan(1_015);
    expect(high).toBeGreaterThan(1_015);
    expect(low).toBeGreaterThan(800);
    expect(high).toBeLessThan(1_250);
  });

  it('says that it knows nothing if no row of an answer was read', () => {
    const sample = { read: { allow: 0, flag: 0, block: 0 }, total: { allow: 40, flag: 0, block: 0 } };
    expect(estimateOf({ allow: 0, flag: 0, block: 0 }, sample)).toEqual({ count: 0, low: 0, high: 40 });
  });

  it('has the truth within its range in about 95 of 100 samples', () => {
    const next = seededRandom(7);
    const total = { allow: 4_000, flag: 600, block: 300 };
    const share = { allow: 0.25, flag: 0.5, block: 0.5 };
    const rate = { allow: 0.03, flag: 0.4, block: 0.1 };
    let within = 0;
    const trials = 1_000;
    for (let trial = 0; trial < trials; trial += 1) {
      const read = { allow: 0, flag: 0, block: 0 };
      const counts = { allow: 0, flag: 0, block: 0 };
      let truth = 0;
      for (const answer of ['allow', 'flag', 'block'] as const) {
        for (let row = 0; row < total[answer]; row += 1) {
          const hit = next() < rate[answer];
          if (hit) truth += 1;
          if (next() >= share[answer]) continue;
          read[answer] += 1;
          if (hit) counts[answer] += 1;
        }
      }
      const { low, high } = estimateOf(counts, { read, total });
      if (truth >= low && truth <= high) within += 1;
    }
    expect(within / trials).toBeGreaterThan(0.935);
    expect(within / trials).toBeLessThan(0.98);
  });
});
