import { DAY_MS, HOUR_MS } from '../model/windows.ts';
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

/** The days of one time zone. */
export interface TimeZone {
  /** The full hour at or before that time, as the zone's clocks show it. */
  startOfHour(at: number): number;
  /** The midnight at or before that time. */
  startOfDay(at: number): number;
  /** The midnight after the day that begins at that time. */
  nextDay(start: number): number;
}

/** `undefined` when there is no time zone of that name. */
export function findTimeZone(name: string): TimeZone | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
  const offset = (at: number) => {
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(at)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
  };
  const startOfDay = (at: number) => {
    const local = Math.floor((at + offset(at)) / DAY_MS) * DAY_MS;
    // The clock may have changed since midnight, so that midnight has another offset.
    return local - offset(local - offset(at));
  };
  return {
    startOfHour: (at) => Math.floor((at + offset(at)) / HOUR_MS) * HOUR_MS - offset(at),
    startOfDay,
    // Days have 23 to 25 hours; noon of the next one is always between its two midnights.
    nextDay: (start) => startOfDay(start + 1.5 * DAY_MS),
  };
}
