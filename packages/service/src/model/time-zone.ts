import { DAY_MS, HOUR_MS } from './windows.ts';

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
