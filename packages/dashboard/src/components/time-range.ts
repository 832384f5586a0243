import { DAY_MS } from '@postern/contract';
import { type Params, TIME_ZONE } from '../api/client.ts';

export const RANGES = [1, 7, 30, 90] as const;
export type Days = (typeof RANGES)[number];

export const RANGE_NAMES: Readonly<Record<Days, string>> = {
  1: '24 hours',
  7: '7 days',
  30: '30 days',
  90: '90 days',
};

/** How far back a report can look. */
export const SPANS = { 7: '7 days', 30: '30 days', 90: '90 days', 365: '365 days' };

/** The time that a page is about: the last days, or a time between two others. */
export interface TimeRange {
  days?: Days;
  from?: number;
  to?: number;
}

/** How far back a page looks, from the address bar. A week by default. */
function readDays(search: Record<string, unknown>): { days?: Days } {
  const days = RANGES.find((range) => range === Number(search.days));
  return days === undefined || days === 7 ? {} : { days };
}

/** The same for the page of today: a day by default. */
export function readToday(search: Record<string, unknown>): { days?: Days } {
  const days = RANGES.find((range) => range === Number(search.days));
  return days === undefined || days === 1 ? {} : { days };
}

export function readRange(search: Record<string, unknown>): TimeRange {
  const [from, to] = [Number(search.from), Number(search.to)];
  return from >= 0 && to > from ? { from, to } : readDays(search);
}

/** What the service is asked. Days end now. */
export function rangeParams({ days = 7, from, to }: TimeRange): Params {
  if (from !== undefined && to !== undefined) return { from, to, timeZone: TIME_ZONE };
  const now = Date.now();
  return { from: now - days * DAY_MS, to: now, timeZone: TIME_ZONE };
}
