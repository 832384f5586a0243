export const RANGES = [1, 7, 30, 90] as const;
export type Days = (typeof RANGES)[number];

/** How far back the overview looks, from the address bar. A week by default. */
export function readDays(search: Record<string, unknown>): { days?: Days } {
  const days = RANGES.find((range) => range === Number(search.days));
  return days === undefined || days === 7 ? {} : { days };
}
