import type { Recommendation } from '@postern/contract';
import type { Condition } from '../database.ts';

/** For each answer, the share of its rows that is read, from 0 to 1. */
export type SampledShares = Readonly<Record<Recommendation, number>>;

/** Single rows, spread over the whole log, and always the same ones. */
export interface LogSample {
  /** Chooses the sampled rows among those that `ids` lets through. */
  readonly condition: Condition;
  /** A condition on the ID alone, so that an index answers it. Absent if it would leave too many rows. */
  readonly ids?: string;
  /** How many rows one page looks at. */
  readonly rowsLookedAt: number;
}

/** Two primes, so that the sample has no pattern that the times of the rows have. */
const FACTOR = 7_919;
const MODULUS = 100_003;

/** An ID begins with its millisecond in base 36: nine digits, of which the last three choose rows. */
const ENDING = 'substr(id, 7, 3)';
const ENDINGS = 36 ** 3;
/** Coprime to ENDINGS, and near their number divided by the golden ratio, which spreads any number of endings evenly. */
const NEXT_ENDING = 28_835;
/** If no answer has a larger share, rows are chosen by their IDs first. */
export const MAX_SHARE_BY_ID = 0.1;

const ROWS_LOOKED_AT = 10_000;
const IDS_LOOKED_AT = 50_000;
const ROWS_FOUND_BY_ID = 2_000;

/**
 * Chooses rows by two hashes of their millisecond. The first needs only the ID, so that most rows of a long log are not
 * read at all. The second depends on the answer too.
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

/** `shareById` is the share of rows that their IDs have left. */
function chosenByAnswer(shares: SampledShares, shareById: number): Condition {
  const below = (share: number) => Math.round((share / shareById) * MODULUS);
  return {
    sql: `(at * ${FACTOR}) % ${MODULUS} < CASE recommendation WHEN 'allow' THEN ${below(shares.allow)}
      WHEN 'flag' THEN ${below(shares.flag)} ELSE ${below(shares.block)} END`,
    values: [],
  };
}
