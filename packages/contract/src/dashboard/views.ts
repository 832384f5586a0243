/** A saved view of the project’s log. */
export interface SavedView {
  id: string;
  name: string;
  /** As the address bar of the log holds them. */
  filters: LogFilters;
  /** Whether the project’s other members see it. */
  shared: boolean;
  /** When members are told of its matches; `null`: never. */
  alert: ViewAlert | null;
  /** Who shares it; `null` for your own. */
  owner: string | null;
  createdAt: number;
}

/** Tells members when at least so many validations of a view came within an hour or a day. */
export interface ViewAlert {
  atLeast: number;
  span: ViewAlertSpan;
}
export const VIEW_ALERT_SPANS = ['hour', 'day'] as const;
export type ViewAlertSpan = (typeof VIEW_ALERT_SPANS)[number];

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
  alert?: ViewAlert | null;
}
