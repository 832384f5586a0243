import { ACTIONS, type Recommendation } from '@postern/contract';
import type { Estimate } from '@postern/contract/dashboard';
import { wilsonInterval } from './wilson-interval.ts';

export type CountByAnswer = Record<Recommendation, number>;

export const noCounts = (): CountByAnswer => ({ allow: 0, flag: 0, block: 0 });

export const sumOf = (counts: Readonly<CountByAnswer>): number =>
  ACTIONS.reduce((total, answer) => total + counts[answer], 0);

/** How many rows of each answer were read, and how many there are. */
export interface Sample {
  readonly read: Readonly<CountByAnswer>;
  readonly total: Readonly<CountByAnswer>;
}

/**
 * How many validations there are of a kind that a sample has this many of, with the interval of 95%. An answer is absent
 * from `counts` if validations of the kind cannot have it. Each answer is sampled by itself. Where all of its rows were read, its count is exact. The intervals of the answers are joined by
 * the squares of their distances from the estimate (the MOVER method).
 */
export function estimateOf(counts: Readonly<Partial<CountByAnswer>>, { read, total }: Sample): Estimate {
  let [count, below, above] = [0, 0, 0];
  for (const answer of ACTIONS) {
    const hits = counts[answer];
    if (hits === undefined) continue;
    if (read[answer] >= total[answer]) count += hits;
    else {
      const { estimate, low, high } = ofOneAnswer(hits, read[answer], total[answer]);
      count += estimate;
      below += (estimate - low) ** 2;
      above += (high - estimate) ** 2;
    }
  }
  return {
    count: Math.round(count),
    low: Math.max(0, Math.floor(count - Math.sqrt(below))),
    high: Math.ceil(count + Math.sqrt(above)),
  };
}

function ofOneAnswer(hits: number, read: number, total: number) {
  // A sample that is a large part of all rows says more than its size alone: the finite population correction.
  const worth = (read * (total - 1)) / (total - read);
  const interval = read === 0 ? undefined : wilsonInterval((hits / read) * worth, worth);
  if (interval === undefined) return { estimate: 0, low: 0, high: total };
  return { estimate: (hits / read) * total, low: interval.low * total, high: interval.high * total };
}
