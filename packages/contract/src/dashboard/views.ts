/** A saved view of the project’s log. */
export interface SavedView {
  id: string;
  name: string;
  /** As the address bar of the log holds them. */
  filters: LogFilters;
  /** Whether the project’s other members see it. */
  shared: boolean;
  /** Who shares it; `null` for your own. */
  owner: string | null;
  createdAt: number;
}

/** The filters of the log that a text is compared with. */
export const LOG_TEXT_FILTERS = [
  'recommendation',
  'check',
  'signal',
  'domain',
  'domainPart',
  'network',
  'country',
  'asn',
  'rule',
  'device',
  'inbox',
] as const;
/** The filters of the log. `last` is a span that ends now: `hour`, `day`, `week`, `month` or `quarter`. */
export const LOG_FILTER_NAMES = [...LOG_TEXT_FILTERS, 'mode', 'last', 'from', 'to'] as const;
export type LogFilters = Partial<Record<(typeof LOG_FILTER_NAMES)[number], string | number>>;

export interface NewSavedView {
  name: string;
  filters: LogFilters;
  shared?: boolean;
}
