import type { DomainList } from '../../lookup/domain-list.ts';
import type { MailHost, MailRoute } from '../../model/mail-route.ts';

export interface MailHostFacts {
  /** The mail host that a throwaway operator runs. */
  readonly throwaway?: string;
  /** Whether a business mail provider receives this mail, according to the preferred hosts. */
  readonly business: boolean;
  /** The route without the hosts that serve ordinary mail. Sharing those with listed domains is not evidence. */
  readonly distinctive: MailRoute;
}

/** Caches the result per route and list. Routes live for their TTL, lists until feeds replace them. */
const factsOfRoutes = new WeakMap<DomainList, WeakMap<MailRoute, MailHostFacts>>();

/** Who operates the mail hosts? */
export function mailHostFacts(route: MailRoute, list: DomainList): MailHostFacts {
  if (route.status !== 'found' && route.status !== 'unroutable') {
    return { business: false, distinctive: route };
  }
  let routes = factsOfRoutes.get(list);
  if (routes === undefined) {
    routes = new WeakMap();
    factsOfRoutes.set(list, routes);
  }
  let facts = routes.get(route);
  if (facts === undefined) {
    facts = judge(route, list);
    routes.set(route, facts);
  }
  return facts;
}

const privateServers = new WeakMap<DomainList, WeakMap<readonly string[], readonly string[]>>();

/** The name servers without those of public DNS providers. Sharing those is not evidence. */
export function privateNameServers(servers: readonly string[], list: DomainList): readonly string[] {
  let ofServers = privateServers.get(list);
  if (ofServers === undefined) {
    ofServers = new WeakMap();
    privateServers.set(list, ofServers);
  }
  let kept = ofServers.get(servers);
  if (kept === undefined) {
    kept = servers.filter((server) => {
      const kind = list.lookup(server)?.kind;
      return !list.isSharedNameServer(server) && kind !== 'allowed' && kind !== 'relay';
    });
    ofServers.set(servers, kept);
  }
  return kept;
}

type Kind = 'throwaway' | 'business' | 'shared' | 'unknown';

function judge(
  route: Extract<MailRoute, { readonly status: 'found' | 'unroutable' }>,
  list: DomainList,
): MailHostFacts {
  const judged = route.hosts.map((host) => ({ host, ...judgeHost(host, list) }));
  const throwaway = judged.find(({ kind }) => kind === 'throwaway')?.matched;
  // Anybody can add a well-known host with a worse preference. Mail never gets there while the preferred hosts answer.
  const best = Math.min(...judged.map(({ host }) => host.priority));
  const first = judged.filter(({ host }) => host.priority === best);
  const distinctive = judged
    .filter(({ kind }) => kind === 'throwaway' || kind === 'unknown')
    .map(({ host }) => host);
  return {
    ...(throwaway === undefined ? {} : { throwaway }),
    business: throwaway === undefined && first.length > 0 && first.every(({ kind }) => kind === 'business'),
    distinctive: { ...route, hosts: distinctive },
  };
}

/**
 * A throwaway operator’s host is in the hand-written list, or curated sources list the domain of its name. The own host
 * of a provider or relay is shared by all its customers.
 */
function judgeHost(host: MailHost, list: DomainList): { readonly kind: Kind; readonly matched: string } {
  const exchange = host.exchange.toLowerCase();
  const listed = list.mailHost(exchange);
  if (listed !== undefined) {
    return listed;
  }
  const match = list.lookup(exchange);
  if (match === undefined || (match.kind === 'listed' && match.confidence !== 'high')) {
    // An operator changes the names of its hosts more easily than their IP addresses.
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
