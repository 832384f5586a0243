import { parseIpAddress } from '../../model/ip-address.ts';
import type { MailHost, MailRoute } from '../../model/mail-route.ts';
import { isReserved } from '../../model/reserved-networks.ts';
import { type DnsAnswer, type DnsFailure, type DnsRecord, type Glue, MAX_RECORDS } from './dns-answer.ts';
import type { QuestionType } from './dns-message.ts';

export interface ResolvedRoute {
  readonly route: MailRoute;
  /** How long the records of the route are valid. A failure has no TTL of its own. */
  readonly ttlSeconds: number;
}

/** The addresses of one host. */
export interface HostAddresses {
  readonly addresses: readonly string[];
  readonly routable: boolean;
  /** Why the look-up failed. Absent if DNS answered. */
  readonly failure?: DnsFailure;
  readonly ttlSeconds: number;
}

export interface RouteLookups {
  readonly ask: Ask;
  /** Like `resolveHost`, but may use the cache. */
  readonly host: (name: string, ask: Ask) => HostAddresses | Promise<HostAddresses>;
  /** Whether no caller waits for the answer any more. */
  readonly abandoned: () => boolean;
}

export type Ask = (name: string, type: QuestionType) => Promise<DnsAnswer>;

/** Usually the first host is enough. If it is not, a few more are looked up at a time. */
const HOSTS_AT_A_TIME = 3;
const MAX_HOSTS_ASKED = 13;

/** RFC 5321 section 5.1, as far as possible without connecting to the hosts. */
export async function resolveMailRoute(domain: string, lookups: RouteLookups): Promise<ResolvedRoute> {
  const answer = await lookups.ask(domain, 'MX');
  switch (answer.result) {
    case 'failed':
      return unknown(answer.reason);
    case 'no-name':
      return { route: NO_DOMAIN, ttlSeconds: answer.ttlSeconds };
    case 'no-data':
      return implicitRoute(domain, answer.ttlSeconds, lookups);
    case 'records':
      return explicitRoute(answer.records, answer.glue, answer.ttlSeconds, lookups);
  }
}

export const NO_DOMAIN: MailRoute = Object.freeze({ status: 'no-domain' });
const NO_RECORDS: MailRoute = Object.freeze({ status: 'no-records' });
const NULL_MX: MailRoute = Object.freeze({ status: 'null-mx' });

function unknown(reason: DnsFailure): ResolvedRoute {
  return { route: Object.freeze({ status: 'unknown', reason }), ttlSeconds: 0 };
}

function found(hosts: readonly MailHost[], implicit: boolean, ttlSeconds: number): ResolvedRoute {
  return { route: Object.freeze({ status: 'found', hosts: freezeHosts(hosts), implicit }), ttlSeconds };
}

function unroutable(hosts: readonly MailHost[], ttlSeconds: number): ResolvedRoute {
  return { route: Object.freeze({ status: 'unroutable', hosts: freezeHosts(hosts) }), ttlSeconds };
}

function freezeHosts(hosts: readonly MailHost[]): readonly MailHost[] {
  for (const host of hosts) {
    Object.freeze(host.addresses);
    Object.freeze(host);
  }
  return Object.freeze(hosts);
}

/** Without an MX the domain is its own mail host, at preference 0 (RFC 5321 section 5.1). */
async function implicitRoute(
  domain: string,
  ttlSeconds: number,
  lookups: RouteLookups,
): Promise<ResolvedRoute> {
  const own = await lookups.host(domain, lookups.ask);
  const routeTtlSeconds = Math.min(ttlSeconds, own.ttlSeconds);
  const hosts = [{ exchange: domain, priority: 0, addresses: own.addresses }];
  if (own.routable) return found(hosts, true, routeTtlSeconds);
  if (own.failure !== undefined) return unknown(own.failure);
  if (own.addresses.length === 0) return { route: NO_RECORDS, ttlSeconds: routeTtlSeconds };
  return unroutable(hosts, routeTtlSeconds);
}

async function explicitRoute(
  records: readonly DnsRecord[],
  glue: Glue,
  mxTtlSeconds: number,
  lookups: RouteLookups,
): Promise<ResolvedRoute> {
  // RFC 7505 section 3: a lone MX that names the root. Next to other hosts it has no meaning.
  const named = records.filter((record) => record.value !== '').sort((a, b) => a.priority - b.priority);
  if (named.length === 0) return { route: NULL_MX, ttlSeconds: mxTtlSeconds };

  const asked = new Map<string, HostAddresses>();
  const hosts = () =>
    named.map(({ value, priority }): MailHost => {
      return { exchange: value, priority, addresses: asked.get(value)?.addresses ?? [] };
    });
  let ttlSeconds = mxTtlSeconds;
  let failure: DnsFailure | undefined;
  const names = [...new Set(named.map((record) => record.value))];
  for (let next = 0; next < names.length; ) {
    if (lookups.abandoned()) return unknown('timeout');
    if (next >= MAX_HOSTS_ASKED) return unknown('not-asked');
    const batch = names.slice(next, next + (next === 0 ? 1 : HOSTS_AT_A_TIME));
    next += batch.length;
    const answers = await Promise.all(batch.map((name) => addressesOf(name, glue, lookups)));
    for (const [index, name] of batch.entries()) {
      const answer = answers[index];
      if (answer === undefined) continue;
      asked.set(name, answer);
      ttlSeconds = Math.min(ttlSeconds, answer.ttlSeconds);
      failure ??= answer.failure;
    }
    const routable = answers.filter((answer) => answer.routable);
    if (routable.length > 0) {
      // Hosts that do not work can change. Only the records that the route uses decide how long it is valid.
      return found(hosts(), false, Math.min(mxTtlSeconds, ...routable.map((answer) => answer.ttlSeconds)));
    }
  }
  return failure === undefined ? unroutable(hosts(), ttlSeconds) : unknown(failure);
}

function addressesOf(
  name: string,
  glue: Glue,
  lookups: RouteLookups,
): HostAddresses | Promise<HostAddresses> {
  const addresses = glue.get(name);
  if (addresses?.some(isRoutable)) return { addresses, routable: true, ttlSeconds: Number.POSITIVE_INFINITY };
  return lookups.host(name, lookups.ask);
}

/** IPv4 first, because nearly every mail host has it; IPv6 only if that is not enough. */
export async function resolveHost(name: string, ask: Ask): Promise<HostAddresses> {
  const ipv4 = await ask(name, 'A');
  const first = readAddresses(ipv4);
  // A name that does not exist has no address of the other kind either (RFC 8020).
  if (first.routable || ipv4.result === 'no-name') return first;
  const second = readAddresses(await ask(name, 'AAAA'));
  const addresses = [...first.addresses, ...second.addresses].slice(0, MAX_RECORDS);
  if (second.routable) return { ...second, addresses };
  const failure = first.failure ?? second.failure;
  const ttlSeconds = Math.min(first.ttlSeconds, second.ttlSeconds);
  return { addresses, routable: false, ttlSeconds, ...(failure === undefined ? {} : { failure }) };
}

function readAddresses(answer: DnsAnswer): HostAddresses {
  if (answer.result === 'failed') {
    return { addresses: [], routable: false, failure: answer.reason, ttlSeconds: 0 };
  }
  const addresses = answer.result === 'records' ? answer.records.map((record) => record.value) : [];
  return { addresses, routable: addresses.some(isRoutable), ttlSeconds: answer.ttlSeconds };
}

/** Whether mail from the internet could reach the address. */
function isRoutable(address: string): boolean {
  const ip = parseIpAddress(address);
  return ip !== undefined && !isReserved(ip);
}
