import type { MailRoute } from '../model/mail-route.ts';
import { registrableDomain } from './registrable-domain.ts';

/** What an unlisted domain shares with listed ones. */
export interface SharedInfrastructure {
  readonly kind: 'mail-host' | 'mail-network' | 'name-server';
  /** The host’s name, or the network in CIDR notation. */
  readonly shared: string;
  /** Distinct listed and unlisted domains seen there, this one not counted. */
  readonly listed: number;
  readonly unlisted: number;
  /** Distinct unlisted domains that came after the place had become suspect. */
  readonly suspects: number;
}

/**
 * Its callers leave out the hosts that serve ordinary mail: sharing those with listed domains says nothing.
 */
export interface MailInfrastructure {
  /** Remembers where a domain’s mail goes, and whether the lists name the domain. */
  readonly observe: (
    domain: string,
    route: MailRoute,
    listed: boolean,
    nameServers?: readonly string[],
  ) => void;
  /** The strongest thing that the domain shares with mostly listed ones, if there is one. */
  readonly suspect: (
    domain: string,
    route: MailRoute,
    nameServers?: readonly string[],
  ) => SharedInfrastructure | undefined;
  /** How many hosts, networks and name servers are remembered. */
  readonly size: () => number;
}

interface Options {
  /** Hosts, networks and name servers to remember; the longest unseen goes first. */
  readonly capacity?: number;
}

interface Threshold {
  readonly listed: number;
  readonly share: number;
}

type Kind = SharedInfrastructure['kind'];

/**
 * A mail host serves its own customers: three listed domains on it are no accident. A network holds many
 * people’s hosts and a name server many people’s domains, so they need more.
 */
const THRESHOLDS: Readonly<Record<Kind, Threshold>> = {
  'mail-host': { listed: 3, share: 0.8 },
  'mail-network': { listed: 8, share: 0.9 },
  'name-server': { listed: 12, share: 0.95 },
};
const KINDS: readonly Kind[] = ['mail-host', 'mail-network', 'name-server'];

/**
 * A campaign brings new domains to a host that is already suspect; they must not outvote what made it so. When they
 * are this many times the listed ones, the place is somebody’s ordinary hosting after all.
 */
const MOST_SUSPECTS_A_LISTED = 4;

/** Domains counted a side and place; beyond it the place is known well enough. */
const DOMAINS_KEPT = 16;
const DEFAULT_CAPACITY = 10_000;

interface Place {
  readonly listed: Set<string>;
  readonly unlisted: Set<string>;
  readonly suspects: Set<string>;
}

/**
 * Learns from this process’s own look-ups which places on the internet serve listed domains: campaigns move to
 * new domains faster than to new servers. Holds domain names and counts, nothing of the people who used them,
 * and at most `capacity` places with `DOMAINS_KEPT` domains a side.
 */
export function createMailInfrastructure({ capacity = DEFAULT_CAPACITY }: Options = {}): MailInfrastructure {
  const places = new Map<string, Place>();

  const touch = (key: string): Place => {
    const place = places.get(key) ?? { listed: new Set(), unlisted: new Set(), suspects: new Set() };
    places.delete(key);
    places.set(key, place);
    if (places.size > capacity) {
      const oldest = places.keys().next();
      if (!oldest.done) {
        places.delete(oldest.value);
      }
    }
    return place;
  };

  return {
    observe(domain, route, listed, nameServers = []) {
      const owner = registrableDomain(domain) ?? domain;
      for (const key of placesOf(owner, route, nameServers)) {
        note(key, touch(key), owner, listed);
      }
    },
    suspect(domain, route, nameServers = []) {
      const owner = registrableDomain(domain) ?? domain;
      let best: SharedInfrastructure | undefined;
      for (const key of placesOf(owner, route, nameServers)) {
        const place = places.get(key);
        const evidence = place === undefined ? undefined : weigh(key, place, owner);
        if (evidence !== undefined && stronger(evidence, best)) {
          best = evidence;
        }
      }
      return best;
    },
    size: () => places.size,
  };
}

function note(key: string, place: Place, owner: string, listed: boolean): void {
  const suspect = !listed && weigh(key, place, owner) !== undefined;
  place.listed.delete(owner);
  place.unlisted.delete(owner);
  place.suspects.delete(owner);
  if (suspect) {
    keep(place.suspects, owner, MOST_SUSPECTS_A_LISTED * DOMAINS_KEPT + 1);
  } else {
    keep(listed ? place.listed : place.unlisted, owner, DOMAINS_KEPT);
  }
}

function keep(domains: Set<string>, owner: string, most: number): void {
  domains.add(owner);
  if (domains.size > most) {
    const oldest = domains.keys().next();
    if (!oldest.done) {
      domains.delete(oldest.value);
    }
  }
}

function weigh(key: string, place: Place, owner: string): SharedInfrastructure | undefined {
  const kind = KINDS.find((candidate) => key.startsWith(`${candidate} `));
  if (kind === undefined) {
    return undefined;
  }
  const listed = others(place.listed, owner);
  const unlisted = others(place.unlisted, owner);
  const suspects = others(place.suspects, owner);
  const { listed: least, share } = THRESHOLDS[kind];
  const mostly = listed >= least && listed / (listed + unlisted) >= share;
  return mostly && suspects <= MOST_SUSPECTS_A_LISTED * listed
    ? { kind, shared: key.slice(kind.length + 1), listed, unlisted, suspects }
    : undefined;
}

function others(domains: ReadonlySet<string>, owner: string): number {
  return domains.size - (domains.has(owner) ? 1 : 0);
}

function stronger(candidate: SharedInfrastructure, best: SharedInfrastructure | undefined): boolean {
  return best === undefined || KINDS.indexOf(candidate.kind) < KINDS.indexOf(best.kind);
}

function* placesOf(owner: string, route: MailRoute, nameServers: readonly string[]): Generator<string> {
  if (route.status !== 'found') {
    return;
  }
  for (const { exchange, addresses } of route.hosts) {
    const host = exchange.toLowerCase();
    // A domain’s own host name says nothing of others; the network it stands in may.
    if (registrableDomain(host) !== owner) {
      yield `mail-host ${host}`;
    }
    for (const address of addresses) {
      const network = networkOf(address);
      if (network !== undefined) {
        yield `mail-network ${network}`;
      }
    }
  }
  for (const server of nameServers) {
    yield `name-server ${server.toLowerCase()}`;
  }
}

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
