import { absoluteTime } from '../../components/format.ts';

const PARTS: Readonly<Record<string, { title: string; about: string }>> = {
  store: { title: 'Store', about: 'Projects, keys, counters and the log.' },
  dns: { title: 'DNS', about: 'Can the resolver find well-known mail domains?' },
  domains: { title: 'Domain data', about: 'Throwaway domains, relays and providers.' },
  networks: { title: 'Network data', about: 'Tor, VPN, proxy and hosting ranges.' },
  resources: { title: 'Resources', about: 'Open files and DNS sockets of this process.' },
  clock: { title: 'Clock', about: 'May expired data be deleted by it?' },
  feeds: { title: 'Feeds', about: 'Is the data refreshed on schedule?' },
};

export function partText(name: string): { title: string; about: string } {
  return PARTS[name] ?? { title: name, about: '' };
}

/** A fact as short text. Nested data is not shown here; the health endpoint has it. */
export function factText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) {
    return value.every((each) => typeof each !== 'object') ? value.join(', ') : '';
  }
  if (typeof value === 'object') {
    return Object.entries(value)
      .filter(([, each]) => typeof each !== 'object')
      .map(([name, each]) => `${name} ${String(each)}`)
      .join(', ');
  }
  // No count in a health report is this large, so it must be a time.
  if (typeof value === 'number' && value > 1e12) return absoluteTime(value);
  return String(value);
}

/** `lastCheckedAt` as a person writes it. */
export function factName(name: string): string {
  return name
    .replace(/At$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}
