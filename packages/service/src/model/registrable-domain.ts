import { getDomain, getPublicSuffix } from 'tldts';
import { BoundedMap } from './bounded-map.ts';
import { getOrMake } from './get-or-make.ts';

const OPTIONS = { allowPrivateDomains: true, extractHostname: false, detectIp: false } as const;

/** Most requests name one of a few domains. */
const found = new BoundedMap<string, string | null>(4_096);

/** The registered part of a name, by the Public Suffix List with its private section. */
export function registrableDomain(name: string): string | undefined {
  return getOrMake(found, name, () => getDomain(name, OPTIONS)) ?? undefined;
}

/** Whether this is a public suffix, under which anybody can register names. */
export function isPublicSuffix(name: string): boolean {
  return getPublicSuffix(name, OPTIONS) === name;
}
