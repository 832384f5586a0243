import { ACTIONS, type Recommendation } from '@postern/contract';
import { type CountByAnswer, noCounts, sumOf } from '../outcomes/estimate.ts';
import type { ReportSpan } from '../outcomes/known-people.ts';
import { SLOT_MS, slotOf } from '../store/statistics/statistics-words.ts';
import type { LogRow, Store } from '../store/store.ts';
import { MAX_SHARE_BY_ID, type SampledShares } from '../store/tables/log-sample.ts';

export interface ReplayedRows {
  /** Newest first. */
  readonly portions: AsyncIterable<readonly LogRow[]>;
  /** Whether the rows are a sample. */
  readonly sampled: boolean;
  /** How many validations of each answer there are, once this many rows were read. */
  readonly totalOf: (read: Readonly<CountByAnswer>) => Readonly<CountByAnswer>;
}

/** With more rows than this, a sample of about as many stands for all. */
const MAX_ROWS = 20_000;
/**
 * Up to this many, rare answers are read as a whole, for which every row is looked at: 2 to 4 seconds. Of more rows, a part
 * is looked at, and rare answers are a sample too.
 */
const MAX_WHOLE = 1_000_000;
const LOOKED_AT = 300_000;
/** So that a sample is not smaller than `MAX_ROWS` by chance. */
const MARGIN = 1.05;
/** Small portions, so that requests can run in between. */
const ROWS_AT_ONCE = 100;
/** A page of a sample looks at many rows that it does not return. */
const SAMPLED_AT_ONCE = 250;

type ReplayedLog = Pick<Store['log'], 'page' | 'oldestAt'>;
type ReplayedStore = Pick<Store, 'statistics'> & { readonly log: ReplayedLog };

/** All rows of the time span, or single rows of it, chosen by hash and by answer. */
export async function rowsToReplay(
  { log, statistics }: ReplayedStore,
  span: ReportSpan,
  maxRows = MAX_ROWS,
  maxWhole = MAX_WHOLE,
): Promise<ReplayedRows> {
  const from = Math.max(span.from, (await log.oldestAt(span.projectId)) ?? span.from);
  const counts = await countValidations(statistics, { ...span, from });
  if (sumOf(counts) <= maxRows)
    return { portions: readRows(log, span, ROWS_AT_ONCE), sampled: false, totalOf: (read) => read };
  const shares = sharesOf(counts, maxRows * MARGIN, maxWhole);
  const totalOf = (read: Readonly<CountByAnswer>) => {
    // Statistics also count what was erased since. Where all rows were read, those are all.
    const of = (answer: Recommendation) =>
      shares[answer] === 1 ? read[answer] : Math.max(read[answer], counts[answer]);
    return { allow: of('allow'), flag: of('flag'), block: of('block') };
  };
  return { portions: readRows(log, span, SAMPLED_AT_ONCE, shares), sampled: true, totalOf };
}

async function* readRows(
  log: ReplayedLog,
  { projectId, from, to }: ReportSpan,
  atOnce: number,
  shares?: SampledShares,
): AsyncGenerator<readonly LogRow[]> {
  let cursor: string | null = null;
  do {
    const page = await log.page(projectId, { from, to }, atOnce, cursor, shares);
    yield page.rows;
    cursor = page.next;
  } while (cursor !== null);
}

/** Divides the sample equally between the answers. What a rare answer does not need, the others get. */
function sharesOf(counts: Readonly<CountByAnswer>, size: number, maxWhole: number): SampledShares {
  const shares = { allow: 1, flag: 1, block: 1 };
  const total = sumOf(counts);
  const most = total <= maxWhole ? 1 : Math.min(MAX_SHARE_BY_ID, LOOKED_AT / total);
  const rarestFirst = [...ACTIONS].sort((one, other) => counts[one] - counts[other]);
  let left = size;
  for (const [index, answer] of rarestFirst.entries()) {
    const rows = Math.min(counts[answer] * most, left / (rarestFirst.length - index));
    if (rows < counts[answer]) shares[answer] = Math.min(most, rows / counts[answer]);
    left -= rows;
  }
  // An answer that no request got is no reason to look at more rows.
  const largest = Math.max(...ACTIONS.filter((answer) => counts[answer] > 0).map((answer) => shares[answer]));
  for (const answer of ACTIONS) if (counts[answer] === 0) shares[answer] = largest;
  return shares;
}

/** How many validations of each answer there were. Of the half hour in which the span begins, a part counts. */
async function countValidations(
  statistics: Store['statistics'],
  { projectId, from, to }: ReportSpan,
): Promise<CountByAnswer> {
  const found = noCounts();
  for await (const portion of statistics.read(projectId, slotOf(from), to))
    for (const { at, counts } of portion) {
      const part = Math.min(1, (at + SLOT_MS - from) / SLOT_MS);
      for (const answer of ACTIONS) found[answer] += Math.round((counts.get(answer) ?? 0) * part);
    }
  return found;
}
