import { BoundedMap } from '../model/bounded-map.ts';
import { networkOf, parseIpAddress } from '../model/ip-address.ts';
import type { MailHost, MailRoute } from '../model/mail-route.ts';
import { registrableDomain } from '../model/registrable-domain.ts';

/** What an unlisted domain shares with listed ones. */
export interface SharedInfrastructure {
  readonly kind:
    | 'mail-host'
    | 'mail-address'
    | 'mail-network'
    | 'name-server'
    | 'zone-contact'
    | 'zone-template'
    | 'mail-operator';
  /**
   * The host’s name, its address, the network in CIDR notation, the domain that the name servers or the administrator’s
   * mailbox are under, the timers of the zone, or the number of the operator’s network (`AS64500`).
   */
  readonly shared: string;
  /** Distinct listed and unlisted domains seen there, without this one. */
  readonly listed: number;
  readonly unlisted: number;
  /** Distinct unlisted domains that were first seen after the place became suspect. */
  readonly suspects: number;
}

/** What is known about the zone of a domain. */
export interface ZonePlaces {
  readonly nameServers: readonly string[];
  /** The domain of the administrator’s mailbox. */
  readonly contactDomain?: string;
  /** The timers that its operator chose. */
  readonly template?: string;
}

/**
 * Callers leave out hosts, name servers and contacts that serve everybody, because sharing those with listed domains is
 * not evidence.
 */
export interface MailInfrastructure {
  /** Remembers where a domain’s mail goes, and whether the lists name the domain. */
  readonly observe: (domain: string, route: MailRoute, listed: boolean, zone?: ZonePlaces) => void;
  /** The strongest evidence that the domain shares infrastructure with mostly listed ones, if any. */
  readonly suspect: (domain: string, route: MailRoute, zone?: ZonePlaces) => SharedInfrastructure | undefined;
  /** How many hosts, networks and name servers are remembered. */
  readonly size: () => number;
}

interface Options {
  /** How many hosts, networks and name servers to remember. The least recently seen is dropped first. */
  readonly capacity?: number;
  /** The number of the network that announces an address. */
  readonly networkNumber?: (address: string) => number | undefined;
}

interface Threshold {
  readonly listed: number;
  readonly share: number;
  /**
   * A campaign brings new domains to a suspect place, and they must not outvote the evidence. If there are this many
   * times more of them than listed ones, the place is ordinary hosting after all.
   */
  readonly suspectsAListed: number;
  /** How many listed and how many unlisted domains are counted. More are not needed. */
  readonly kept: number;
}

type Kind = SharedInfrastructure['kind'];

/**
 * A mail host serves its own customers: three listed domains on it are not a coincidence. The same is true of its address,
 * which stays when each domain gets a host name of its own. A network holds many people’s
 * hosts and a name server many people’s domains, so they need more. Most mail hosts are at an operator with thousands of
 * customers, and most timers are some server’s defaults, so these are only evidence where hardly anything but listed
 * domains was ever seen.
 */
const THRESHOLDS: Readonly<Record<Kind, Threshold>> = {
  'mail-host': { listed: 3, share: 0.8, suspectsAListed: 4, kept: 16 },
  'mail-address': { listed: 3, share: 0.8, suspectsAListed: 4, kept: 16 },
  'mail-network': { listed: 8, share: 0.9, suspectsAListed: 2, kept: 16 },
  'name-server': { listed: 12, share: 0.95, suspectsAListed: 1, kept: 16 },
  'zone-contact': { listed: 12, share: 0.95, suspectsAListed: 1, kept: 16 },
  'zone-template': { listed: 40, share: 0.97, suspectsAListed: 0.25, kept: 64 },
  'mail-operator': { listed: 40, share: 0.97, suspectsAListed: 0.25, kept: 64 },
};

const DEFAULT_CAPACITY = 10_000;

interface Place {
  readonly listed: Set<string>;
  readonly unlisted: Set<string>;
  readonly suspects: Set<string>;
}

const NO_ZONE: ZonePlaces = { nameServers: [] };

/** Where a domain’s mail goes, as the keys of the remembered places. */
interface MailLocation {
  readonly domain: string;
  readonly zone: ZonePlaces;
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
 * most `capacity` places with `kept` listed and as many unlisted domains each.
 */
export function createMailInfrastructure(options: Options = {}): MailInfrastructure {
  const { capacity = DEFAULT_CAPACITY, networkNumber = () => undefined } = options;
  const places = new BoundedMap<string, Place>(capacity);
  const memo = new WeakMap<MailRoute, MailLocation>();

  /** The same route object comes with every request for the domain while it is cached. */
  const locate = (domain: string, route: MailRoute, zone: ZonePlaces): MailLocation => {
    if (route.status !== 'found') return { domain, zone, owner: domain, sites: [] };
    const cached = memo.get(route);
    if (cached?.domain === domain && cached.zone === zone) return cached;
    const owner = registrableDomain(domain) ?? domain;
    const sites = [...sitesOf(owner, route.hosts, zone, networkNumber)];
    const whereabouts = { domain, zone, owner, sites };
    memo.set(route, whereabouts);
    return whereabouts;
  };

  const touch = (key: string): Place => {
    const place = places.get(key) ?? { listed: new Set(), unlisted: new Set(), suspects: new Set() };
    places.set(key, place);
    return place;
  };

  return {
    observe(domain, route, listed, zone = NO_ZONE) {
      const { owner, sites } = locate(domain, route, zone);
      for (const site of sites) note(site, touch(site.key), owner, listed);
    },
    suspect(domain, route, zone = NO_ZONE) {
      const { owner, sites } = locate(domain, route, zone);
      // Sites come strongest kind first.
      for (const site of sites) {
        const place = places.peek(site.key);
        const evidence = place === undefined ? undefined : weigh(site, place, owner);
        if (evidence !== undefined) return evidence;
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
  const { kept, suspectsAListed } = THRESHOLDS[site.kind];
  if (suspect) {
    keep(place.suspects, owner, suspectsAListed * kept + 1);
  } else {
    keep(listed ? place.listed : place.unlisted, owner, kept);
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
  if (listed < least) return undefined;
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
  { nameServers, contactDomain, template }: ZonePlaces,
  networkNumber: (address: string) => number | undefined,
): Generator<Site> {
  for (const { exchange } of hosts) {
    const host = exchange.toLowerCase();
    // A domain’s own host name says nothing about other domains, but its network can.
    if (registrableDomain(host) !== owner) yield siteOf('mail-host', host);
  }
  const addresses = new Set(hosts.flatMap((host) => host.addresses));
  for (const address of addresses) yield siteOf('mail-address', address.toLowerCase());
  for (const network of new Set([...addresses].map(networkOfText))) {
    if (network !== undefined) yield siteOf('mail-network', network);
  }
  // A DNS provider spreads its customers over many servers, so what counts is the owner of the servers.
  const operators = nameServers.map((server) => registrableDomain(server.toLowerCase()));
  for (const operator of new Set(operators)) {
    if (operator !== undefined && operator !== owner) yield siteOf('name-server', operator);
  }
  if (contactDomain !== undefined && contactDomain !== owner) yield siteOf('zone-contact', contactDomain);
  if (template !== undefined) yield siteOf('zone-template', template);
  for (const number of new Set([...addresses].map(networkNumber))) {
    if (number !== undefined) yield siteOf('mail-operator', `AS${number}`);
  }
}

const siteOf = (kind: Kind, shared: string): Site => ({ kind, shared, key: `${kind} ${shared}` });

/** What one customer of a host usually gets, and a little more. */
function networkOfText(address: string): string | undefined {
  const ip = parseIpAddress(address);
  return ip && networkOf(ip);
}
