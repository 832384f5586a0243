import { ACTIONS } from '@postern/contract';
import { SLOT_MS, slotOf } from '../store/statistics/statistics-words.ts';
import type { LogRow, Store } from '../store/store.ts';

/** A project’s log rows of a time span, `to` not included. */
export interface ReplaySpan {
  readonly projectId: string;
  readonly from: number;
  readonly to: number;
}

export interface ReplayedRows {
  /** Newest first. */
  readonly portions: AsyncIterable<readonly LogRow[]>;
  /** How many validations the rows stand for. `null`: they are all of the time span. */
  readonly sampledFrom: number | null;
}

/** With more rows than this, a sample of them stands for all. */
const MAX_ROWS = 1_500;
/** Small portions, so that requests can run in between. */
const ROWS_AT_ONCE = 100;

type ReplayedLog = Pick<Store['log'], 'page' | 'oldestAt'>;
type ReplayedStore = Pick<Store, 'statistics'> & { readonly log: ReplayedLog };

/** All rows of the time span, or a sample that is spread evenly over its validations. */
export async function rowsToReplay(
  { log, statistics }: ReplayedStore,
  span: ReplaySpan,
  maxRows = MAX_ROWS,
): Promise<ReplayedRows> {
  const { projectId } = span;
  const from = Math.max(span.from, (await log.oldestAt(projectId)) ?? span.from);
  const counts = await countValidations(statistics, { ...span, from });
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  if (total <= maxRows) return { portions: allRows(log, span), sampledFrom: null };
  const slices = slicesOf({ ...span, from }, counts, total, Math.floor(maxRows / ROWS_AT_ONCE));
  return { portions: sampledRows(log, slices), sampledFrom: total };
}

async function* allRows(
  log: ReplayedLog,
  { projectId, from, to }: ReplaySpan,
): AsyncGenerator<readonly LogRow[]> {
  let cursor: string | null = null;
  do {
    const page = await log.page(projectId, { from, to }, ROWS_AT_ONCE, cursor);
    yield page.rows;
    cursor = page.next;
  } while (cursor !== null);
}

async function* sampledRows(
  log: ReplayedLog,
  slices: readonly ReplaySpan[],
): AsyncGenerator<readonly LogRow[]> {
  for (const { projectId, from, to } of slices)
    yield (await log.page(projectId, { from, to }, ROWS_AT_ONCE, null)).rows;
}

/** How many validations there were in a half hour. */
interface SlotCount {
  readonly at: number;
  readonly count: number;
}

/** Parts of the time span with equally many validations, newest first. The newest rows of each part are read. */
function slicesOf(
  span: ReplaySpan,
  counts: readonly SlotCount[],
  total: number,
  slices: number,
): ReplaySpan[] {
  const ends: number[] = [];
  let before = 0;
  for (const { at, count } of counts) {
    const starts = Math.max(at, span.from);
    const length = Math.min(at + SLOT_MS, span.to) - starts;
    for (;;) {
      const place = ((ends.length + 1) * total) / slices - before;
      if (ends.length === slices || place > count) break;
      ends.push(Math.ceil(starts + (length * place) / count));
    }
    before += count;
  }
  return ends.map((to, index) => ({ ...span, from: ends[index - 1] ?? span.from, to })).reverse();
}

async function countValidations(
  statistics: Store['statistics'],
  { projectId, from, to }: ReplaySpan,
): Promise<SlotCount[]> {
  const found: SlotCount[] = [];
  for await (const portion of statistics.read(projectId, slotOf(from), to))
    for (const { at, counts } of portion) {
      const count = ACTIONS.reduce((sum, action) => sum + (counts.get(action) ?? 0), 0);
      if (count > 0) found.push({ at, count });
    }
  return found;
}
