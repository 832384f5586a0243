import { getDomain, getPublicSuffix } from 'tldts';

const OPTIONS = { allowPrivateDomains: true, extractHostname: false, detectIp: false } as const;

/** The part of a name that somebody registered, by the Public Suffix List with its private section. */
export function registrableDomain(name: string): string | undefined {
  return getDomain(name, OPTIONS) ?? undefined;
}

/** Whether this is a public suffix, under which anybody can register names. */
export function isPublicSuffix(name: string): boolean {
  return getPublicSuffix(name, OPTIONS) === name;
}
