import { parse } from 'tldts';
import type { OriginPattern } from './origin-pattern.ts';

/** Whose pages a pattern with a star lets in: the registrant’s own, every customer’s of a host, or anybody’s. */
export type WildcardReach = 'own' | 'customers' | 'anybody';

/**
 * `*.com` would let in every page on the web that somebody registers under com, and `*.github.io` everybody who has an
 * account there (https://publicsuffix.org). Names outside the list, such as `*.localhost`, are nobody’s to register.
 */
export function wildcardReach({ host, subdomains }: OriginPattern): WildcardReach {
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
