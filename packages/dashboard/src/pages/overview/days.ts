export const RANGES = [1, 7, 30, 90] as const;
export type Days = (typeof RANGES)[number];

/** The log's time filter for the same range. */
export const SPAN_OF: Readonly<Record<Days, string>> = { 1: 'day', 7: 'week', 30: 'month', 90: 'quarter' };

/** How far back the overview looks, from the address bar. A week by default. */
export function readDays(search: Record<string, unknown>): { days?: Days } {
  const days = RANGES.find((range) => range === Number(search.days));
  return days === undefined || days === 7 ? {} : { days };
}
