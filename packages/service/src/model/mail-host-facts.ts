import { getDomain } from 'tldts';
import { readWords } from '../lists/read-list.ts';
import { isMailProvider } from './domain-class.ts';
import { subdomainProvider } from './inbox.ts';
import { MAIL_KINDS, type MailFacts, type MailKind, UNKNOWN_MAIL } from './mail-facts.ts';
import type { MailHost, MailRoute } from './mail-route.ts';
import { nearestEntry } from './nearest-entry.ts';
import { registrableDomain } from './registrable-domain.ts';
import { relayOf } from './relays.ts';

const LISTS: readonly (readonly [kind: MailKind, list: ReadonlySet<string>])[] = [
  ['forwarder', new Set(readWords('mail-hosts/forwarders.txt'))],
  ['webhost', new Set(readWords('mail-hosts/web-hosts.txt'))],
  ['hosted', new Set(readWords('mail-hosts/business.txt'))],
];

const factsOfRoutes = new WeakMap<MailRoute, { readonly domain: string; readonly facts: MailFacts }>();

/** Whether the domain is a mail provider’s or a relay’s, under which anybody can have an address. */
function isAnybodysDomain(domain: string): boolean {
  return (
    isMailProvider(registrableDomain(domain) ?? domain) ||
    isMailProvider(domain) ||
    subdomainProvider(domain) !== undefined ||
    relayOf(domain) !== undefined
  );
}

/** Who receives the domain’s mail, by its preferred hosts. What is known of a route is kept as long as the route. */
export function mailFacts(domain: string, route: MailRoute): MailFacts {
  const known = factsOfRoutes.get(route);
  if (known?.domain === domain) return known.facts;
  const facts = judge(domain, route);
  factsOfRoutes.set(route, { domain, facts });
  return facts;
}

function judge(domain: string, route: MailRoute): MailFacts {
  const hosts = route.status === 'found' || route.status === 'unroutable' ? preferred(route.hosts) : [];
  const [found] = hosts
    .map((host) => hostFacts(domain, host))
    .sort((one, other) => MAIL_KINDS.indexOf(one.kind) - MAIL_KINDS.indexOf(other.kind) || order(one, other));
  if (isAnybodysDomain(domain)) return { kind: 'provider', host: found?.host ?? '' };
  return found ?? UNKNOWN_MAIL;
}

/** Anybody can add a well-known host with a worse preference. Mail never gets there while the preferred hosts answer. */
function preferred(hosts: readonly MailHost[]): readonly MailHost[] {
  const best = Math.min(...hosts.map(({ priority }) => priority));
  return hosts.filter(({ priority }) => priority === best);
}

/** Hosts come in any order, and the same domain must always have the same host. */
const order = (one: MailFacts, other: MailFacts) => (one.host < other.host ? -1 : 1);

/** Without the list’s private section, in which some operators have their own names, such as `cloudflare.net`. */
const operatorOf = (name: string): string =>
  getDomain(name, { extractHostname: false, detectIp: false }) ?? name;

function hostFacts(domain: string, { exchange, addresses }: MailHost): MailFacts {
  const name = exchange.toLowerCase();
  const operator = operatorOf(name);
  for (const [kind, list] of LISTS)
    if (nearestEntry(name, list) !== undefined) return { kind, host: operator };
  const [address] = [...addresses].sort();
  const isOwnName = operator === operatorOf(domain);
  return {
    kind: 'own',
    host: isOwnName ? (address ?? operator) : operator,
    ...(address === undefined ? {} : { address }),
  };
}
