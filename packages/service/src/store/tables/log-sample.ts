import type { Recommendation } from '@postern/contract';
import type { Condition } from './condition.ts';

/** Which share of the rows of each answer is read, from 0 to 1. */
export type SampledShares = Readonly<Record<Recommendation, number>>;

/** Two primes: no pattern in the times of the rows is kept. */
const TIMES = 7_919;
const MODULUS = 100_003;

/** Chooses single rows by a hash of their millisecond: always the same ones, spread over the whole log. */
export function sampleCondition(shares: SampledShares): Condition {
  const below = (share: number) => Math.round(share * MODULUS);
  return {
    sql: `(at * ${TIMES}) % ${MODULUS} < CASE recommendation WHEN 'allow' THEN ${below(shares.allow)}
      WHEN 'flag' THEN ${below(shares.flag)} ELSE ${below(shares.block)} END`,
    values: [],
  };
}
