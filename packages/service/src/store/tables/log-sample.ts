import type { Recommendation } from '@postern/contract';
import type { Dialect } from '../migrations/dialect.ts';
import type { Condition } from './condition.ts';

/** Which share of the rows of each answer is read, from 0 to 1. */
export type SampledShares = Readonly<Record<Recommendation, number>>;

/** A prime. */
const SPREAD = 100_003;

/**
 * Where the hash looks in an ID: digits of its counter and of its milliseconds. The multipliers are primes, so that no
 * pattern in the order of the rows is kept.
 */
const HASHED_DIGITS: readonly (readonly [place: number, times: number])[] = [
  [14, 7_919],
  [13, 31_337],
  [12, 54_121],
  [9, 65_537],
  [8, 87_803],
  [7, 93_911],
];

/** Chooses single rows by a hash of their ID: always the same ones, spread over the whole log. */
export function sampleCondition(shares: SampledShares, dialect: Dialect): Condition {
  const code = dialect === 'sqlite' ? 'unicode' : 'ascii';
  const terms = HASHED_DIGITS.map(([place, times]) => `${times} * ${code}(substr(id, ${place}, 1))`);
  const below = (share: number) => Math.round(share * SPREAD);
  return {
    sql: `(${terms.join(' + ')}) % ${SPREAD} < CASE recommendation WHEN 'allow' THEN ${below(shares.allow)}
      WHEN 'flag' THEN ${below(shares.flag)} ELSE ${below(shares.block)} END`,
    values: [],
  };
}
