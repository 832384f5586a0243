import type { Recommendation } from '@postern/contract';
import type { Condition } from '../database.ts';

/** Which share of the rows of each answer is read, from 0 to 1. */
export type SampledShares = Readonly<Record<Recommendation, number>>;

/** Single rows, spread over the whole log, and always the same ones. */
export interface LogSample {
  /** Is true for the sampled rows, among those that `ids` is true for. */
  readonly condition: Condition;
  /** SQL about the ID alone, which an index has. Absent if too many rows would be left. */
  readonly ids?: string;
  /** How many rows one page looks at. */
  readonly rowsLookedAt: number;
}

/** Two primes: no pattern in the times of the rows is kept. */
const TIMES = 7_919;
const MODULUS = 100_003;

/** An ID begins with its millisecond in base 36. The last three digits choose rows. */
const ENDING = 'substr(id, 7, 3)';
const ENDINGS = 36 ** 3;
/** Has no factor in common with them and is near their golden section, so that any number of endings is spread evenly. */
const NEXT_ENDING = 28_835;
/** If no answer has a larger share, rows are chosen by their IDs first. */
export const MAX_SHARE_BY_ID = 0.1;

const ROWS_LOOKED_AT = 10_000;
const IDS_LOOKED_AT = 50_000;
const ROWS_FOUND_BY_ID = 2_000;

/**
 * Chooses rows by two hashes of their millisecond. The first is about the ID, so that most rows of a long log are not
 * read at all. The second is about the answer as well.
 */
export function logSample(shares: SampledShares): LogSample {
  const share = Math.max(shares.allow, shares.flag, shares.block);
  if (share > MAX_SHARE_BY_ID) return { condition: chosenByAnswer(shares, 1), rowsLookedAt: ROWS_LOOKED_AT };
  const endings = Array.from({ length: Math.ceil(share * ENDINGS) }, (_, index) => endingOf(index));
  return {
    condition: chosenByAnswer(shares, endings.length / ENDINGS),
    ids: `${ENDING} IN (${endings.join(', ')})`,
    rowsLookedAt: Math.min(IDS_LOOKED_AT, Math.floor(ROWS_FOUND_BY_ID / share)),
  };
}

function endingOf(index: number): string {
  return `'${((index * NEXT_ENDING) % ENDINGS).toString(36).padStart(3, '0')}'`;
}

/** A part of the rows was chosen before. */
function chosenByAnswer(shares: SampledShares, part: number): Condition {
  const below = (share: number) => Math.round((share / part) * MODULUS);
  return {
    sql: `(at * ${TIMES}) % ${MODULUS} < CASE recommendation WHEN 'allow' THEN ${below(shares.allow)}
      WHEN 'flag' THEN ${below(shares.flag)} ELSE ${below(shares.block)} END`,
    values: [],
  };
}
