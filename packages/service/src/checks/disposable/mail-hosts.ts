import type { DomainList } from '../../lookup/domain-list.ts';
import type { MailRoute } from '../../model/mail-route.ts';

interface MailHostVerdict {
  /** The mail host that a throwaway operator runs. */
  readonly throwaway?: string;
  /** Whether companies pay for mailboxes where this domain’s mail goes. */
  readonly business: boolean;
}

/**
 * Whose hosts take the domain’s mail? An operator’s host is known by hand, or because curated sources list the
 * domain that the host’s name is under. Shared hosts are exempt: they serve ordinary mail, too.
 */
export function judgeMailHosts(domain: string, route: MailRoute, list: DomainList): MailHostVerdict {
  if (route.status !== 'found' && route.status !== 'unroutable') {
    return { business: false };
  }
  let business = false;
  for (const { exchange } of route.hosts) {
    const host = exchange.toLowerCase();
    const known = list.mailHost(host);
    if (known?.kind === 'business') {
      business = true;
    }
    if (known?.kind === 'throwaway') {
      return { throwaway: known.matched, business: false };
    }
    if (known === undefined && host !== domain) {
      const match = list.lookup(host);
      if (match?.kind === 'listed' && match.confidence === 'high') {
        return { throwaway: match.matched, business: false };
      }
    }
  }
  return { business };
}

/** The route without the hosts that serve ordinary mail: sharing those with listed domains says nothing. */
export function withoutOrdinaryHosts(route: MailRoute, list: DomainList): MailRoute {
  return route.status === 'found'
    ? { ...route, hosts: route.hosts.filter(({ exchange }) => !servesOrdinaryMail(exchange, list)) }
    : route;
}

function servesOrdinaryMail(host: string, list: DomainList): boolean {
  const known = list.mailHost(host);
  if (known !== undefined) {
    return known.kind !== 'throwaway';
  }
  const match = list.lookup(host);
  return match !== undefined && match.kind !== 'listed';
}
