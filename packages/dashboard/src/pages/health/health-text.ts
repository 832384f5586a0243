import { absoluteTime } from '../../components/format.ts';

const PARTS: Readonly<Record<string, { title: string; about: string }>> = {
  store: { title: 'Store', about: 'Projects, keys, counters, the log. It answers.' },
  dns: { title: 'DNS', about: 'The resolver knows the well-known mail domains.' },
  domains: { title: 'Domain data', about: 'Throwaway domains, relays and providers.' },
  networks: { title: 'Network data', about: 'Tor, VPN, proxy and hosting ranges.' },
  feeds: { title: 'Feeds', about: 'The data is refreshed as planned.' },
};

export function partText(name: string): { title: string; about: string } {
  return PARTS[name] ?? { title: name, about: '' };
}

/** A fact as short text; what is nested too deep for a line is left to the health endpoint. */
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
  // No count in a health report is that large; such a number is a moment.
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
