interface Page {
  readonly name: string;
  readonly path: string;
  readonly body?: unknown;
}

export const PAGES: readonly Page[] = [
  { name: 'overview', path: '/overview' },
  { name: 'log, first page', path: '/validations' },
  { name: 'log, blocked only', path: '/validations?recommendation=block' },
  { name: 'log, a domain that is not there', path: '/validations?domain=nobody.example' },
  { name: 'search for a person', path: '/search', body: { text: 'anna.nobody@gmail.com' } },
  { name: 'search for a request', path: '/search', body: { text: '019a0000-0000-7000-8000-000000000000' } },
  { name: 'review queue', path: '/review' },
  { name: 'review queue by risk', path: '/review?order=riskiest' },
  { name: 'campaigns', path: '/campaigns' },
  { name: 'outcomes', path: '/outcomes' },
  { name: 'a domain', path: '/thing?domain=gmail.com' },
  { name: 'a network', path: '/thing?network=81.2.63.0%2F24' },
  { name: 'a network that is not there', path: '/thing?network=81.3.0.0%2F24' },
  { name: 'a network’s operator', path: '/thing?asn=20712' },
  { name: 'events', path: '/events' },
  { name: 'safety checklist', path: '/safety' },
  {
    name: 'time machine, 30 days',
    path: '/time-machine',
    body: { days: 30, policy: { actions: { roleEmail: 'block' } } },
  },
];
