import { getDomain, getPublicSuffix } from 'tldts';

const OPTIONS = { allowPrivateDomains: true, extractHostname: false, detectIp: false } as const;

/** The part of a name that somebody registered, by the Public Suffix List with its private section. */
export function registrableDomain(name: string): string | undefined {
  return getDomain(name, OPTIONS) ?? undefined;
}

/** Whether strangers register names directly under this one. */
export function isPublicSuffix(name: string): boolean {
  return getPublicSuffix(name, OPTIONS) === name;
}
