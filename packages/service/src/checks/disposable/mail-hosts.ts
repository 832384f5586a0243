import type { DomainList } from '../../lookup/domain-list.ts';
import type { MailHost, MailRoute } from '../../model/mail-route.ts';

export interface MailHostFacts {
  /** The mail host that a throwaway operator runs. */
  readonly throwaway?: string;
  /** Whether companies pay for mailboxes where this mail goes, judged by the hosts that mail is sent to first. */
  readonly business: boolean;
  /** The route without the hosts that serve ordinary mail: sharing those with listed domains says nothing. */
  readonly telling: MailRoute;
}

/** Routes are kept while DNS says so, and lists until feeds bring the next: what they say together is worked out once. */
const known = new WeakMap<DomainList, WeakMap<MailRoute, MailHostFacts>>();

/** Whose hosts take the mail? */
export function mailHostFacts(route: MailRoute, list: DomainList): MailHostFacts {
  if (route.status !== 'found' && route.status !== 'unroutable') {
    return { business: false, telling: route };
  }
  let routes = known.get(list);
  if (routes === undefined) {
    routes = new WeakMap();
    known.set(list, routes);
  }
  let facts = routes.get(route);
  if (facts === undefined) {
    facts = judge(route, list);
    routes.set(route, facts);
  }
  return facts;
}

const tellingNames = new WeakMap<DomainList, WeakMap<readonly string[], readonly string[]>>();

/** The name servers without those that hold all kinds of people’s names: sharing these says nothing. */
export function tellingNameServers(servers: readonly string[], list: DomainList): readonly string[] {
  let known = tellingNames.get(list);
  if (known === undefined) {
    known = new WeakMap();
    tellingNames.set(list, known);
  }
  let telling = known.get(servers);
  if (telling === undefined) {
    telling = servers.filter((server) => {
      const kind = list.lookup(server)?.kind;
      return !list.isSharedNameServer(server) && kind !== 'allowed' && kind !== 'relay';
    });
    known.set(servers, telling);
  }
  return telling;
}

type Kind = 'throwaway' | 'business' | 'shared' | 'unknown';

function judge(
  route: Extract<MailRoute, { readonly status: 'found' | 'unroutable' }>,
  list: DomainList,
): MailHostFacts {
  const judged = route.hosts.map((host) => ({ host, ...judgeHost(host, list) }));
  const throwaway = judged.find(({ kind }) => kind === 'throwaway')?.matched;
  // Anybody can name a well-known host at a worse preference; mail never gets there while the best ones answer.
  const best = Math.min(...judged.map(({ host }) => host.priority));
  const first = judged.filter(({ host }) => host.priority === best);
  const telling = judged
    .filter(({ kind }) => kind === 'throwaway' || kind === 'unknown')
    .map(({ host }) => host);
  return {
    ...(throwaway === undefined ? {} : { throwaway }),
    business: throwaway === undefined && first.length > 0 && first.every(({ kind }) => kind === 'business'),
    telling: { ...route, hosts: telling },
  };
}

/**
 * An operator’s host is known by hand, or because curated sources list the domain that its name is under. A provider’s
 * or a relay’s own host is shared by all who have mail there.
 */
function judgeHost(host: MailHost, list: DomainList): { readonly kind: Kind; readonly matched: string } {
  const exchange = host.exchange.toLowerCase();
  const known = list.mailHost(exchange);
  if (known !== undefined) {
    return known;
  }
  const match = list.lookup(exchange);
  if (match === undefined || (match.kind === 'listed' && match.confidence !== 'high')) {
    // An operator renames its hosts more easily than it moves them.
    const byAddress = host.addresses.find((address) => list.mailHost(address)?.kind === 'throwaway');
    return byAddress === undefined
      ? { kind: 'unknown', matched: exchange }
      : { kind: 'throwaway', matched: byAddress };
  }
  if (match.kind !== 'listed') {
    return { kind: 'shared', matched: match.matched };
  }
  return { kind: 'throwaway', matched: match.matched };
}
