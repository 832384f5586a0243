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

export const FILTERS = [...LOG_TEXT_FILTERS, 'mode', 'from', 'to'] as const;
