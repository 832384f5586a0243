import { DAY_MS, HOUR_MS } from '@postern/contract';
import { InvalidInput } from '../administration/administration.ts';
import { findTimeZone } from '../model/time-zone.ts';
import type { Bars } from './figures.ts';
import { type DashboardCall, queryText, queryTime } from './route.ts';

const DEFAULT_SPAN_MS = 7 * DAY_MS;
/** Up to this span each bar is an hour. Beyond it, a day. */
const HOURLY_SPAN_MS = 3 * DAY_MS;
const MAX_SPAN_MS = 400 * DAY_MS;

export interface TimeSpan extends Bars {
  readonly from: number;
  readonly bucketMs: number;
  readonly timeZone: string;
}

/** The span in whole hours, or in whole days of the viewer's time zone, the current one included. */
export function spanOf(call: DashboardCall<never, 'from' | 'to' | 'timeZone'>, now: number): TimeSpan {
  const end = queryTime(call, 'to') ?? now;
  const start = queryTime(call, 'from') ?? end - DEFAULT_SPAN_MS;
  if (start >= end) throw new InvalidInput('from', 'from must be earlier than to.');
  if (end - start > MAX_SPAN_MS) throw new InvalidInput('from', 'A range has at most 400 days.');
  const timeZone = queryText(call, 'timeZone') ?? 'UTC';
  const zone = findTimeZone(timeZone);
  if (zone === undefined)
    throw new InvalidInput('timeZone', 'timeZone must be a name such as Europe/Berlin or UTC.');
  const hourly = end - start <= HOURLY_SPAN_MS;
  const next = hourly ? (at: number) => at + HOUR_MS : zone.nextDay;
  const starts = [hourly ? zone.startOfHour(start) : zone.startOfDay(start)];
  let to = next(starts[0] ?? start);
  while (to < end) {
    starts.push(to);
    to = next(to);
  }
  const from = starts[0] ?? start;
  // Noon is on the same day whatever the clocks did in between.
  const before = hourly
    ? from - starts.length * HOUR_MS
    : zone.startOfDay(from - (starts.length - 0.5) * DAY_MS);
  // The last bar has only begun, so the span before is cut at the same time of day.
  const previous = { from: before, to: Math.min(from, before + (Math.min(to, Math.max(now, from)) - from)) };
  return { starts, from, to, previous, bucketMs: hourly ? HOUR_MS : DAY_MS, timeZone };
}
