import { DAY_MS, HOUR_MS } from '@postern/contract';
import { findTimeZone } from '../model/time-zone.ts';
import { SLOT_MS, slotOf } from '../store/statistics/statistics-words.ts';
import { InvalidInput } from './administration.ts';
import type { Bars } from './figures.ts';
import { type DashboardCall, queryText, queryTime } from './operation.ts';

const DEFAULT_SPAN_MS = 7 * DAY_MS;
/** Up to this span each bar is an hour. Beyond it, a day. */
const HOURLY_SPAN_MS = 3 * DAY_MS;
const MAX_SPAN_MS = 400 * DAY_MS;

export interface TimeSpan extends Bars {
  readonly from: number;
  readonly bucketMs: number;
  readonly timeZone: string;
}

/**
 * The span that was asked for, moved to the next half hour, because the statistics count half hours. So “7 days” are
 * exactly 7 times 24 hours. Its bars are hours, or days in the viewer’s time zone; the first and the last may be parts.
 */
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
  const to = slotEnd(end);
  const from = to - slotEnd(end - start);
  const next = hourly ? (at: number) => at + HOUR_MS : zone.nextDay;
  const whole = hourly ? zone.startOfHour(from) : zone.startOfDay(from);
  const starts = [from];
  let boundary = next(whole);
  // Where clocks differ from UTC by a quarter of an hour, a bar begins with the half hour before.
  for (; slotOf(boundary) < to; boundary = next(boundary))
    if (slotOf(boundary) > from) starts.push(slotOf(boundary));
  const partial = starts.map(
    (_, index) =>
      (index === 0 && from > slotOf(whole)) ||
      (index === starts.length - 1 && (to < slotOf(boundary) || now < to)),
  );
  // If the span has only begun, it is compared with as much of the one before.
  const before = from - (to - from);
  const passed = Math.min(to, slotEnd(Math.max(now, from))) - from;
  const previous = { from: before, to: before + passed };
  return { starts, partial, from, to, previous, bucketMs: hourly ? HOUR_MS : DAY_MS, timeZone };
}

const slotEnd = (at: number): number => Math.ceil(at / SLOT_MS) * SLOT_MS;
