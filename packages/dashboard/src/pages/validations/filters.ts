import { HOUR_MS } from '@postern/contract';
import { LOG_TEXT_FILTERS, STATISTICS_STEP_MS } from '@postern/contract/dashboard';
import type { Params } from '../../api/client.ts';
import type { Days, TimeRange } from '../../components/time-range.ts';

/** The log’s filters as the address bar holds them, so that a view can be shared. */
export interface Filters extends Partial<Record<(typeof LOG_TEXT_FILTERS)[number], string>> {
  mode?: string;
  /** A span that ends now. */
  last?: string;
  from?: number;
  to?: number;
  /** The row whose explanation is open. */
  open?: string;
}

export const SPANS: Readonly<Record<string, { name: string; ms: number }>> = {
  hour: { name: 'Last hour', ms: HOUR_MS },
  day: { name: 'Last 24 hours', ms: 24 * HOUR_MS },
  week: { name: 'Last 7 days', ms: 7 * 24 * HOUR_MS },
  month: { name: 'Last 30 days', ms: 30 * 24 * HOUR_MS },
  quarter: { name: 'Last 90 days', ms: 90 * 24 * HOUR_MS },
};

export function readFilters(search: Record<string, unknown>): Filters {
  const filters: Filters = {};
  for (const name of [...LOG_TEXT_FILTERS, 'open'] as const) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') filters[name] = value;
    // The router reads 123 as a number; a hash or a domain may look like one.
    else if (typeof value === 'number') filters[name] = String(value);
  }
  if (search.mode === 'live' || search.mode === 'test') filters.mode = search.mode;
  if (typeof search.last === 'string' && Object.hasOwn(SPANS, search.last)) filters.last = search.last;
  for (const name of ['from', 'to'] as const) {
    const value = Number(search[name]);
    if (search[name] !== undefined && Number.isFinite(value)) filters[name] = value;
  }
  return filters;
}

/** What the service is asked: without `open`, and with spans as times. */
export function queryOf({ open: _open, last, ...filters }: Filters, now: number): Params {
  const span = last === undefined ? undefined : SPANS[last];
  if (span === undefined) return { ...filters };
  // Days end with the current half hour, as they do in the statistics, so that the overview has the same numbers.
  const end = span.ms > HOUR_MS ? Math.ceil(now / STATISTICS_STEP_MS) * STATISTICS_STEP_MS : now;
  return { ...filters, from: end - span.ms, to: undefined };
}

const SPAN_DAYS: Readonly<Record<string, Days>> = { hour: 1, day: 1, week: 7, month: 30, quarter: 90 };

/** The time of the log’s filters, for a page about a domain or a network. */
export function rangeOf({ last, from, to }: Filters): TimeRange {
  if (from !== undefined && to !== undefined) return { from, to };
  const days = last === undefined ? undefined : SPAN_DAYS[last];
  return days === undefined ? {} : { days };
}

/** An empty filter is removed from the address bar. */
export function withFilter(
  filters: Filters,
  name: keyof Filters,
  value: string | number | undefined,
): Filters {
  const { [name]: _old, ...rest } = filters;
  return value === undefined || value === '' ? rest : { ...rest, [name]: value };
}

export function isFiltered({ open: _open, ...filters }: Filters): boolean {
  return Object.keys(filters).length > 0;
}
