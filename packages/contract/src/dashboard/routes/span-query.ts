/** The query of everything that is counted over a time. */
export const SPAN_QUERY = ['from', 'to', 'timeZone'] as const;
