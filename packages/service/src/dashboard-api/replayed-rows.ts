import { HOUR_MS } from '@postern/contract';
import type { LogRow, LogStore, UsageHour } from '../store/store.ts';

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

type ReplayedLog = Pick<LogStore, 'page' | 'usage' | 'oldestAt'>;

/** All rows of the time span, or a sample that is spread evenly over its validations. */
export async function rowsToReplay(
  log: ReplayedLog,
  span: ReplaySpan,
  maxRows = MAX_ROWS,
): Promise<ReplayedRows> {
  const { projectId } = span;
  const from = Math.max(span.from, (await log.oldestAt(projectId)) ?? span.from);
  const hours = await countByHour(log, { ...span, from });
  const total = hours.reduce((sum, { count }) => sum + count, 0);
  if (total <= maxRows) return { portions: allRows(log, span), sampledFrom: null };
  const slices = slicesOf({ ...span, from }, hours, total, Math.floor(maxRows / ROWS_AT_ONCE));
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

interface HourCount {
  readonly hour: number;
  readonly count: number;
}

/** Parts of the time span with equally many validations, newest first. The newest rows of each part are read. */
function slicesOf(
  span: ReplaySpan,
  hours: readonly HourCount[],
  total: number,
  slices: number,
): ReplaySpan[] {
  const ends: number[] = [];
  let before = 0;
  for (const { hour, count } of hours) {
    const starts = Math.max(hour, span.from);
    const length = Math.min(hour + HOUR_MS, span.to) - starts;
    for (;;) {
      const place = ((ends.length + 1) * total) / slices - before;
      if (ends.length === slices || place > count) break;
      ends.push(Math.ceil(starts + (length * place) / count));
    }
    before += count;
  }
  return ends.map((to, index) => ({ ...span, from: ends[index - 1] ?? span.from, to })).reverse();
}

const ANSWERED: ReadonlySet<UsageHour['kind']> = new Set(['allow', 'flag', 'block']);

async function countByHour(log: ReplayedLog, { projectId, from, to }: ReplaySpan): Promise<HourCount[]> {
  const counts = new Map<number, number>();
  for (const { hour, kind, count } of await log.usage(projectId, Math.floor(from / HOUR_MS) * HOUR_MS, to))
    if (ANSWERED.has(kind)) counts.set(hour, (counts.get(hour) ?? 0) + count);
  return [...counts].map(([hour, count]) => ({ hour, count })).sort((one, other) => one.hour - other.hour);
}
