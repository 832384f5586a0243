import { request } from 'node:http';

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

/** With a connection of its own: an idle one may have been closed on a busy machine. */
export function callPage(url: string, token: string, body: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const options = { agent: false, method: body === undefined ? 'GET' : 'POST', headers } as const;
    const sent = request(url, options, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url}: ${response.statusCode}`));
      });
    });
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}
