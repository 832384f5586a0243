/** The page of the docs that helps with each page of the dashboard, by the last part of its address. */
export const HELP_PAGES: Readonly<Record<string, string>> = {
  audit: 'dashboard.html#audit-log',
  bulk: 'dashboard.html#check-a-file',
  events: 'analyst.html#look-for-a-wave-five-minutes',
  health: 'incidents.html',
  keys: 'go-live.html#4-put-it-into-your-site',
  members: 'dashboard.html#the-first-account',
  playground: 'dashboard.html#playground',
  policy: 'concepts/policies.html',
  'policy-history': 'rules.html#history-of-the-policy',
  review: 'analyst.html#work-through-the-queue',
  settings: 'dashboard.html#settings',
  validations: 'dashboard.html#validations',
  webhooks: 'webhooks.html',
  'what-works': 'outcomes.html#how-the-report-counts',
};
