import { BoundedMap } from '../model/bounded-map.ts';
import type { MailHost, MailRoute } from '../model/mail-route.ts';
import { registrableDomain } from '../model/registrable-domain.ts';

/** What an unlisted domain shares with listed ones. */
export interface SharedInfrastructure {
  readonly kind: 'mail-host' | 'mail-address' | 'mail-network' | 'name-server';
  /** The host’s name, its address, the network in CIDR notation, or the domain that the name servers are under. */
  readonly shared: string;
  /** Distinct listed and unlisted domains seen there, without this one. */
  readonly listed: number;
  readonly unlisted: number;
  /** Distinct unlisted domains that were first seen after the place became suspect. */
  readonly suspects: number;
}

/** Callers leave out the hosts that serve ordinary mail, because sharing those with listed domains is not evidence. */
export interface MailInfrastructure {
  /** Remembers where a domain’s mail goes, and whether the lists name the domain. */
  readonly observe: (
    domain: string,
    route: MailRoute,
    listed: boolean,
    nameServers?: readonly string[],
  ) => void;
  /** The strongest evidence that the domain shares infrastructure with mostly listed ones, if any. */
  readonly suspect: (
    domain: string,
    route: MailRoute,
    nameServers?: readonly string[],
  ) => SharedInfrastructure | undefined;
  /** How many hosts, networks and name servers are remembered. */
  readonly size: () => number;
}

interface Options {
  /** How many hosts, networks and name servers to remember. The least recently seen is dropped first. */
  readonly capacity?: number;
}

interface Threshold {
  readonly listed: number;
  readonly share: number;
  /**
   * A campaign brings new domains to a suspect place, and they must not outvote the evidence. If there are this many
   * times more of them than listed ones, the place is ordinary hosting after all.
   */
  readonly suspectsAListed: number;
}

type Kind = SharedInfrastructure['kind'];

/**
 * A mail host serves its own customers: three listed domains on it are not a coincidence. The same is true of its address,
 * which stays when each domain gets a host name of its own. A network holds many people’s
 * hosts and a name server many people’s domains, so they need more.
 */
const THRESHOLDS: Readonly<Record<Kind, Threshold>> = {
  'mail-host': { listed: 3, share: 0.8, suspectsAListed: 4 },
  'mail-address': { listed: 3, share: 0.8, suspectsAListed: 4 },
  'mail-network': { listed: 8, share: 0.9, suspectsAListed: 2 },
  'name-server': { listed: 12, share: 0.95, suspectsAListed: 1 },
};

/** How many listed and how many unlisted domains are counted per place. More are not needed. */
const DOMAINS_KEPT = 16;
const DEFAULT_CAPACITY = 10_000;

interface Place {
  readonly listed: Set<string>;
  readonly unlisted: Set<string>;
  readonly suspects: Set<string>;
}

const NONE: readonly string[] = [];

/** Where a domain’s mail goes, as the keys of the remembered places. */
interface MailLocation {
  readonly domain: string;
  readonly nameServers: readonly string[];
  /** Its registrable domain: its subdomains belong to one owner. */
  readonly owner: string;
  readonly sites: readonly Site[];
}

interface Site {
  readonly kind: Kind;
  readonly shared: string;
  readonly key: string;
}

/**
 * Learns from this process’s own look-ups which places on the internet serve listed domains: campaigns move to new
 * domains faster than to new servers. Holds domain names and counts, nothing about the people who used them, and at
 * most `capacity` places with `DOMAINS_KEPT` listed and as many unlisted domains each.
 */
export function createMailInfrastructure({ capacity = DEFAULT_CAPACITY }: Options = {}): MailInfrastructure {
  const places = new BoundedMap<string, Place>(capacity);
  const memo = new WeakMap<MailRoute, MailLocation>();

  /** The same route object comes with every request for the domain while it is cached. */
  const locate = (domain: string, route: MailRoute, nameServers: readonly string[]): MailLocation => {
    if (route.status !== 'found') {
      return { domain, nameServers, owner: domain, sites: [] };
    }
    const cached = memo.get(route);
    if (cached?.domain === domain && cached.nameServers === nameServers) {
      return cached;
    }
    const owner = registrableDomain(domain) ?? domain;
    const sites = [...sitesOf(owner, route.hosts, nameServers)];
    const whereabouts = { domain, nameServers, owner, sites };
    memo.set(route, whereabouts);
    return whereabouts;
  };

  const touch = (key: string): Place => {
    const place = places.get(key) ?? { listed: new Set(), unlisted: new Set(), suspects: new Set() };
    places.set(key, place);
    return place;
  };

  return {
    observe(domain, route, listed, nameServers = NONE) {
      const { owner, sites } = locate(domain, route, nameServers);
      for (const site of sites) {
        note(site, touch(site.key), owner, listed);
      }
    },
    suspect(domain, route, nameServers = NONE) {
      const { owner, sites } = locate(domain, route, nameServers);
      // Sites come strongest kind first.
      for (const site of sites) {
        const place = places.peek(site.key);
        const evidence = place === undefined ? undefined : weigh(site, place, owner);
        if (evidence !== undefined) {
          return evidence;
        }
      }
      return undefined;
    },
    size: () => places.size,
  };
}

function note(site: Site, place: Place, owner: string, listed: boolean): void {
  const suspect = !listed && weigh(site, place, owner) !== undefined;
  place.listed.delete(owner);
  place.unlisted.delete(owner);
  place.suspects.delete(owner);
  if (suspect) {
    keep(place.suspects, owner, THRESHOLDS[site.kind].suspectsAListed * DOMAINS_KEPT + 1);
  } else {
    keep(listed ? place.listed : place.unlisted, owner, DOMAINS_KEPT);
  }
}

function keep(domains: Set<string>, owner: string, most: number): void {
  domains.add(owner);
  if (domains.size > most) {
    const [oldest] = domains;
    if (oldest !== undefined) domains.delete(oldest);
  }
}

function weigh({ kind, shared }: Site, place: Place, owner: string): SharedInfrastructure | undefined {
  const { listed: least, share, suspectsAListed } = THRESHOLDS[kind];
  const listed = others(place.listed, owner);
  if (listed < least) {
    return undefined;
  }
  const unlisted = others(place.unlisted, owner);
  const suspects = others(place.suspects, owner);
  const mostly = listed / (listed + unlisted) >= share;
  return mostly && suspects <= suspectsAListed * listed
    ? { kind, shared, listed, unlisted, suspects }
    : undefined;
}

function others(domains: ReadonlySet<string>, owner: string): number {
  return domains.size - (domains.has(owner) ? 1 : 0);
}

function* sitesOf(
  owner: string,
  hosts: readonly MailHost[],
  nameServers: readonly string[],
): Generator<Site> {
  for (const { exchange } of hosts) {
    const host = exchange.toLowerCase();
    // A domain’s own host name says nothing about other domains, but its network can.
    if (registrableDomain(host) !== owner) {
      yield siteOf('mail-host', host);
    }
  }
  for (const address of new Set(hosts.flatMap(({ addresses }) => addresses))) {
    yield siteOf('mail-address', address.toLowerCase());
  }
  const networks = hosts.flatMap(({ addresses }) => addresses.map(networkOf));
  for (const network of new Set(networks)) {
    if (network !== undefined) {
      yield siteOf('mail-network', network);
    }
  }
  // A DNS provider spreads its customers over many servers, so what counts is the owner of the servers.
  const operators = nameServers.map((server) => registrableDomain(server.toLowerCase()));
  for (const operator of new Set(operators)) {
    if (operator !== undefined && operator !== owner) {
      yield siteOf('name-server', operator);
    }
  }
}

const siteOf = (kind: Kind, shared: string): Site => ({ kind, shared, key: `${kind} ${shared}` });

/** The /24 of an IPv4 address, the /48 of an IPv6 address: what one customer of a host usually gets, and a little more. */
function networkOf(address: string): string | undefined {
  if (address.includes(':')) {
    const [head = '', tail] = address.toLowerCase().split('::');
    const groups = head === '' ? [] : head.split(':');
    if (tail === undefined && groups.length < 8) {
      return undefined;
    }
    const first = [0, 1, 2].map((index) => Number.parseInt(groups[index] ?? '0', 16));
    return first.some(Number.isNaN)
      ? undefined
      : `${first.map((group) => group.toString(16)).join(':')}::/48`;
  }
  const parts = address.split('.');
  return parts.length === 4 ? `${parts.slice(0, 3).join('.')}.0/24` : undefined;
}
