import { readWords } from '../../lists/read-list.ts';
import type { ZoneFacts } from '../../lookup/dns/zone-lookup.ts';
import type { DomainList } from '../../lookup/domain-list.ts';
import type { ZonePlaces } from '../../lookup/mail-infrastructure.ts';
import { getOrMake } from '../../model/get-or-make.ts';
import type { MailHost, MailRoute } from '../../model/mail-route.ts';
import { nearestEntry } from '../../model/nearest-entry.ts';

const MAIL_HOSTS = new Set(readWords('mail-hosts/parking.txt'));
const NAME_SERVERS = new Set(readWords('name-servers/parking.txt'));

/** The parking service that a mail host belongs to. `undefined`: none that is known. */
const parkingMailHost = (host: string): string | undefined => nearestEntry(host, MAIL_HOSTS);

/** The parking service that a name server belongs to. `undefined`: none that is known. */
const parkingNameServer = (server: string): string | undefined => nearestEntry(server, NAME_SERVERS);

export interface MailHostFacts {
  /** The mail host that a throwaway operator runs. */
  readonly throwaway?: string;
  /** Whether a business mail provider receives this mail, according to the preferred hosts. */
  readonly business: boolean;
  /** The parking service that receives this mail, according to the preferred hosts. */
  readonly parking?: string;
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
  const routes = getOrMake(factsOfRoutes, list, () => new WeakMap());
  return getOrMake(routes, route, () => judge(route, list));
}

export interface JudgedZone {
  /** Name servers, contact and timers, without those that serve everybody. Sharing those is not evidence. */
  readonly places: ZonePlaces;
  /** The parking service that all its name servers belong to. */
  readonly parking?: string;
  readonly wildcardMail: boolean;
}

const judgedZones = new WeakMap<DomainList, WeakMap<ZoneFacts, JudgedZone>>();

/** Caches the result per zone and list. */
export function judgeZone(facts: ZoneFacts, list: DomainList): JudgedZone {
  const zones = getOrMake(judgedZones, list, () => new WeakMap());
  let judged = zones.get(facts);
  if (judged === undefined) {
    const { nameServers, contactDomain, template, wildcardMail } = facts;
    const parking = parkingOfAll(nameServers, parkingNameServer);
    const isPrivateContact = contactDomain !== undefined && isPrivate(contactDomain, list);
    const privateServers = nameServers.filter((server) => isPrivate(server, list));
    // A DNS provider chooses the timers for all its customers.
    const isOwnTemplate = privateServers.length > 0 && privateServers.length === nameServers.length;
    judged = {
      places: {
        nameServers: privateServers,
        ...(template !== undefined && isOwnTemplate ? { template } : {}),
        ...(isPrivateContact ? { contactDomain } : {}),
      },
      ...(parking === undefined ? {} : { parking }),
      wildcardMail,
    };
    zones.set(facts, judged);
  }
  return judged;
}

/** Whether a name server or a contact does not belong to a public DNS provider, a mail provider or a relay. */
function isPrivate(name: string, list: DomainList): boolean {
  const kind = list.lookup(name)?.kind;
  return !list.isSharedNameServer(name) && kind !== 'allowed' && kind !== 'relay';
}

/** The service of the first name, if every name belongs to such a service. */
function parkingOfAll(
  names: readonly string[],
  serviceOf: (name: string) => string | undefined,
): string | undefined {
  const services = names.map(serviceOf);
  return services.includes(undefined) ? undefined : services[0];
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
  const parking = parkingOfAll(
    first.map(({ host }) => host.exchange.toLowerCase()),
    parkingMailHost,
  );
  return {
    ...(throwaway === undefined ? {} : { throwaway }),
    ...(parking === undefined ? {} : { parking }),
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
  if (listed !== undefined) return listed;
  const match = list.lookup(exchange);
  if (match === undefined || (match.kind === 'listed' && match.confidence !== 'high')) {
    // An operator changes the names of its hosts more easily than their IP addresses.
    const byAddress = host.addresses.find((address) => list.mailHost(address)?.kind === 'throwaway');
    return byAddress === undefined
      ? { kind: 'unknown', matched: exchange }
      : { kind: 'throwaway', matched: byAddress };
  }
  if (match.kind !== 'listed') return { kind: 'shared', matched: match.matched };
  return { kind: 'throwaway', matched: match.matched };
}
