import { DAY_MS, HOUR_MS } from '@postern/contract';
import type { LogSummaryView } from '@postern/contract/dashboard';
import type { LogFilter } from '../store/tables/log-filter.ts';
import type { Administration } from './administration.ts';
import { ROWS_COUNTED } from './reach.ts';

const MOST_BUCKETS = 60;
const MINUTE_MS = 60_000;
const STEPS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  2 * DAY_MS,
  7 * DAY_MS,
] as const;
const LONGEST_STEP = 30 * DAY_MS;

/** How many rows match the filter, and when they were. */
export async function summarize(
  { store, now }: Pick<Administration, 'store' | 'now'>,
  projectId: string,
  filter: LogFilter,
): Promise<LogSummaryView> {
  const oldest = (await store.log.oldestAt(projectId)) ?? now();
  const to = Math.min(filter.to ?? Number.POSITIVE_INFINITY, now() + 1);
  const countedFrom = await store.log.countableFrom(projectId, filter, ROWS_COUNTED);
  const from = Math.max(filter.from ?? 0, oldest, countedFrom ?? 0);
  const stepMs = STEPS.find((step) => (to - from) / step < MOST_BUCKETS - 1) ?? LONGEST_STEP;
  const counts = await store.log.countByTime(projectId, { ...filter, from, to }, stepMs);
  const buckets: LogSummaryView['buckets'] = [];
  for (let at = Math.floor(from / stepMs) * stepMs; at < to && buckets.length < MOST_BUCKETS; at += stepMs)
    buckets.push({ at, allow: 0, flag: 0, block: 0, ...counts.get(at) });
  const total = [...counts.values()].reduce((sum, each) => sum + each.allow + each.flag + each.block, 0);
  return { total, since: countedFrom, stepMs, buckets };
}
