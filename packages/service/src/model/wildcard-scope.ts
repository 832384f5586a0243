import { parse } from 'tldts';
import type { OriginPattern } from './origin-pattern.ts';

/** Which pages a wildcard pattern allows: the registrant’s own, those of every customer of a host, or anybody’s. */
export type WildcardScope = 'own' | 'customers' | 'anybody';

/**
 * `*.com` would allow every domain registered under com, and `*.github.io` everyone with an account there
 * (https://publicsuffix.org). Names cannot be registered under suffixes that are not listed, such as `*.localhost`.
 */
export function wildcardScope({ host, subdomains }: OriginPattern): WildcardScope {
  if (!subdomains) return 'own';
  const { publicSuffix, isIcann, isPrivate } = parse(host, {
    allowPrivateDomains: true,
    extractHostname: false,
    detectIp: false,
  });
  if (publicSuffix !== host) return 'own';
  if (isIcann) return 'anybody';
  return isPrivate ? 'customers' : 'own';
}
