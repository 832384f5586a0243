import { DAY_MS, HOUR_MS } from '@postern/contract';
import { registrableDomain } from '../../model/registrable-domain.ts';
import type { DnsAnswer } from './dns-answer.ts';
import type { QuestionType } from './dns-message.ts';
import { createExpiringCache } from './expiring-cache.ts';

/** What DNS says about a registered domain besides where its mail goes. */
export interface ZoneFacts {
  readonly nameServers: readonly string[];
  /** The domain that the zone’s administrator has their mail at, according to the SOA record (RFC 1035 section 3.3.13). */
  readonly contactDomain?: string;
  /**
   * The numbers that the zone’s operator chose: the timers of the SOA record and, if a made-up name has mail hosts, the TTL
   * of that answer. No resolver had the made-up name, so it has not counted this TTL down.
   */
  readonly template?: string;
  /** Whether a made-up name under the domain has mail hosts. */
  readonly wildcardMail: boolean;
}

export interface ZoneLookupOptions {
  readonly ask: (name: string, type: QuestionType) => Promise<DnsAnswer>;
  /** Whether the resolver can be asked and trusted. */
  readonly online: () => boolean;
  readonly clock: () => number;
  /** A label that is not registered. */
  readonly madeUpLabel: () => string;
}

/**
 * The facts of the registered domain that a name is under: synchronous if they are cached, otherwise a promise that never
 * rejects. `NO_ZONE_FACTS` if unknown.
 */
export type ZoneLookup = (domain: string) => ZoneFacts | Promise<ZoneFacts>;

/** At most this many domains at a time: requests do not wait for these questions, and must not wait behind them either. */
const MAX_ASKING = 8;
const MIN_TTL_MS = HOUR_MS;
const MAX_TTL_MS = DAY_MS;
const FAILURE_TTL_MS = 5 * 60_000;

export const NO_ZONE_FACTS: ZoneFacts = Object.freeze({
  nameServers: Object.freeze([]),
  wildcardMail: false,
});

export function createZoneLookup(options: ZoneLookupOptions): ZoneLookup {
  const cache = createExpiringCache<ZoneFacts>(10_000);
  const asking = new Map<string, Promise<ZoneFacts>>();

  const ask = async (zone: string): Promise<ZoneFacts> => {
    const [servers, authority, below] = await Promise.all([
      options.ask(zone, 'NS'),
      options.ask(zone, 'SOA'),
      options.ask(`${options.madeUpLabel()}.${zone}`, 'MX'),
    ]);
    const contactDomain = registrableDomain(valuesOf(authority)[0] ?? '');
    const facts: ZoneFacts = Object.freeze({
      nameServers: Object.freeze(valuesOf(servers)),
      ...(contactDomain === undefined ? {} : { contactDomain }),
      ...templateOf(authority, below),
      // An empty name is a null MX, which says that no mail is accepted (RFC 7505).
      wildcardMail: valuesOf(below).some((exchange) => exchange !== ''),
    });
    cache.set(zone, facts, options.clock() + ttlOf(servers));
    return facts;
  };

  return (domain) => {
    const zone = registrableDomain(domain);
    if (zone === undefined || !options.online()) return NO_ZONE_FACTS;
    const facts = cache.get(zone, options.clock()) ?? asking.get(zone);
    if (facts !== undefined) return facts;
    if (asking.size >= MAX_ASKING) return NO_ZONE_FACTS;
    const question = ask(zone).finally(() => asking.delete(zone));
    asking.set(zone, question);
    return question;
  };
}

function templateOf(authority: DnsAnswer, below: DnsAnswer): { readonly template?: string } {
  const timers = authority.result === 'records' ? authority.records[0]?.timers : undefined;
  if (timers === undefined) return {};
  return { template: below.result === 'records' ? `${timers} ttl ${below.ttlSeconds}` : timers };
}

function valuesOf(answer: DnsAnswer): string[] {
  return answer.result === 'records' ? answer.records.map(({ value }) => value) : [];
}

function ttlOf(answer: DnsAnswer): number {
  return answer.result === 'records'
    ? Math.min(MAX_TTL_MS, Math.max(MIN_TTL_MS, answer.ttlSeconds * 1_000))
    : FAILURE_TTL_MS;
}
