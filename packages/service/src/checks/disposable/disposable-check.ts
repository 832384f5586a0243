import { DAY_MS, type Signal } from '@postern/contract';
import { NO_ZONE_FACTS, type ZoneLookup } from '../../lookup/dns/zone-lookup.ts';
import type { DomainDates } from '../../lookup/domain-dates.ts';
import type { DomainList, DomainMatch } from '../../lookup/domain-list.ts';
import { hasCheapEnding, isInstitution, namesMailboxes } from '../../lookup/domain-name-shape.ts';
import type { MailInfrastructure, SharedInfrastructure } from '../../lookup/mail-infrastructure.ts';
import { BoundedMap } from '../../model/bounded-map.ts';
import { recallMail } from '../../model/crowd-finding.ts';
import { isMailProvider } from '../../model/mail-providers.ts';
import type { MailRoute } from '../../model/mail-route.ts';
import { whenReady } from '../../model/when-ready.ts';
import type { Check, CheckInput, Finding } from '../check.ts';
import { type JudgedZone, judgeZone, type MailHostFacts, mailHostFacts } from './mail-hosts.ts';
import { isRandomLocalPart } from './random-local-part.ts';

interface Options {
  /** The current list. Feeds replace it. */
  readonly domainList: () => DomainList;
  /** If absent, nothing is learned from look-ups. */
  readonly infrastructure?: MailInfrastructure | undefined;
  /** Name servers and other facts of a domain’s zone. Never rejects, and no request waits for it. */
  readonly zone?: ZoneLookup | undefined;
  /** When domains were registered, if the operator has provided a file. */
  readonly registeredOn?: DomainDates | undefined;
}

/** A domain younger than this is new. Throwaway domains are used within days of their registration. */
const NEW_FOR_MS = 30 * DAY_MS;

type Listing = Extract<DomainMatch, { readonly kind: 'listed' }>;

const FAILED = 'The domain belongs to a throwaway-address service';
const FAILED_BY_HOST = 'The domain’s mail is handled by a throwaway-address service';

/**
 * Does the address belong to a disposable email service? The hand-written and compiled lists come first, then the
 * mail hosts. The check waits for DNS only if the lists do not decide.
 */
export function createDisposableCheck(options: Options): Check {
  const judge = createJudge(options);
  return {
    needsDns: true,
    recall: recallMail,
    inspect: (input) =>
      whenReady(judge(input), (finding) => withSignals(finding, input, options.registeredOn)),
  };
}

type Judge = (input: CheckInput) => Finding | Promise<Finding>;

function createJudge({ domainList, infrastructure, zone }: Options): Judge {
  const learning = infrastructure === undefined ? undefined : createLearning(infrastructure, zone);
  // Most people are at a few domains, and the list says the same about those until feeds replace it.
  const lookedUp = new BoundedMap<string, LookedUp>(MAX_LOOKED_UP);
  return (input) => {
    const { asciiDomain: domain, literal } = input.address;
    const list = domainList();
    if (literal) return passUnlisted(list);
    let found = lookedUp.get(domain);
    if (found?.list !== list) {
      found = lookUp(domain, list);
      lookedUp.set(domain, found);
    }
    const { listing, certain } = found;
    if (certain !== undefined) {
      if (listing !== undefined && learning !== undefined) {
        void whenReady(input.mailRoute(), (route) =>
          learning.observe(domain, mailHostFacts(route, list), list, true),
        );
      }
      return certain;
    }
    return whenReady(input.mailRoute(), (route) => judgeByRoute(domain, route, found, learning));
  };
}

const MAX_LOOKED_UP = 4_096;

/** What the list says about a domain. Its findings answer many requests, so their metadata is frozen. */
interface LookedUp {
  readonly list: DomainList;
  readonly listing: Listing | undefined;
  /** The finding, if the list alone decides. */
  readonly certain: Finding | undefined;
  /** The finding, if neither the list nor the mail hosts say anything. */
  readonly unlisted: Finding;
}

function lookUp(domain: string, list: DomainList): LookedUp {
  const match = list.lookup(domain);
  const certain = match === undefined ? undefined : judgeCertain(match, list);
  const unlisted = passUnlisted(list);
  for (const finding of [certain, unlisted]) Object.freeze(finding?.metadata);
  return { list, listing: match?.kind === 'listed' ? match : undefined, certain, unlisted };
}

function passUnlisted(list: DomainList): Finding {
  return { result: 'passed', metadata: { source: 'none', dataVersion: list.version } };
}

/** Additional signals of the address. They do not fail the check, but a project’s policy can act on them. */
function withSignals(finding: Finding, input: CheckInput, registeredOn: Options['registeredOn']): Finding {
  const { address, now } = input;
  const source = finding.metadata?.source;
  if (address.literal || address.quoted || source === 'relay') return finding;
  const registered = registeredOn?.(address.asciiDomain);
  const isNew = registered !== undefined && now - registered < NEW_FOR_MS;
  const counted = countedSignals(finding, input);
  const signals: Signal[] = [...(finding.signals ?? [])];
  if (isRandomLocalPart(address.local)) signals.push('random_local_part');
  if (isNew) signals.push('new_domain');
  signals.push(...counted.signals);
  if (signals.length === (finding.signals?.length ?? 0) && registered === undefined) return finding;
  const day = registered === undefined ? {} : { registered: new Date(registered).toISOString().slice(0, 10) };
  return {
    ...finding,
    ...(signals.length === 0 ? {} : { signals }),
    metadata: { ...finding.metadata, ...day, ...counted.metadata },
  };
}

function judgeCertain(match: DomainMatch, list: DomainList): Finding | undefined {
  const { matched } = match;
  const dataVersion = list.version;
  switch (match.kind) {
    case 'relay':
      return { result: 'passed', metadata: { source: 'relay', matched, dataVersion } };
    case 'allowed':
      return { result: 'passed', metadata: { source: 'allow', matched, dataVersion } };
    case 'typo':
      // The mx check suggests the right domain. Here a typo is a domain on no list.
      return passUnlisted(list);
    case 'listed':
      return match.confidence === 'high' ? failByList(match, list) : undefined;
  }
}

function judgeByRoute(
  domain: string,
  route: MailRoute,
  found: LookedUp,
  learning: Learning | undefined,
): Finding {
  const { list, listing } = found;
  const hosts = mailHostFacts(route, list);
  if (hosts.throwaway !== undefined) {
    learning?.observe(domain, hosts, list, true);
    return {
      result: 'failed',
      error: FAILED_BY_HOST,
      signals: listing === undefined ? ['disposable_mx'] : ['disposable_email', 'disposable_mx'],
      metadata: { source: 'mx', matched: hosts.throwaway, confidence: 'high', dataVersion: list.version },
    };
  }
  if (listing !== undefined) {
    // A listing that several sources agree on is not a stale entry of one source, wherever the mail goes.
    if (listing.confidence === 'low' || (hosts.business && listing.agree <= 1)) {
      return {
        result: 'passed',
        signals: ['listing_suspect'],
        metadata: { ...listingFacts(listing, list), confidence: 'low' },
      };
    }
    learning?.observe(domain, hosts, list, true);
    return failByList(listing, list);
  }
  return describeUnlisted(learning?.observe(domain, hosts, list, false), hosts, found);
}

/** What DNS says about a domain on no list. No request fails for it. */
function describeUnlisted(
  learned: Learned | undefined,
  { parking = learned?.zone.parking }: MailHostFacts,
  { list, unlisted }: LookedUp,
): Finding {
  const shared = learned?.shared;
  const signals: Signal[] = [];
  if (shared !== undefined) signals.push('disposable_infrastructure');
  if (parking !== undefined) signals.push('parked_domain');
  if (learned?.zone.wildcardMail) signals.push('wildcard_mail');
  if (signals.length === 0) return unlisted;
  const evidence =
    shared === undefined
      ? { source: 'none' }
      : { source: 'infrastructure', matched: shared.shared, confidence: 'low', evidence: shared };
  return {
    result: 'passed',
    signals,
    metadata: { ...evidence, ...(parking === undefined ? {} : { parking }), dataVersion: list.version },
  };
}

function failByList(listing: Listing, list: DomainList): Finding {
  return {
    result: 'failed',
    error: FAILED,
    signals: ['disposable_email'],
    metadata: listingFacts(listing, list),
  };
}

function listingFacts({ matched, confidence, agree, rule, host }: Listing, list: DomainList) {
  return {
    source: 'list',
    matched,
    confidence,
    agree: { count: agree, of: list.sources.length },
    ...(rule === undefined ? {} : { rule }),
    ...(host === undefined ? {} : { evidence: { host } }),
    dataVersion: list.version,
  };
}

interface Learned {
  /** What an unlisted domain shares with listed ones. */
  readonly shared: SharedInfrastructure | undefined;
  readonly zone: JudgedZone;
}

interface Learning {
  /** Remembers the infrastructure of a domain, and returns what is known about it by now. */
  readonly observe: (domain: string, hosts: MailHostFacts, list: DomainList, listed: boolean) => Learned;
}

/**
 * Nothing is learned from domains with business mail: neither from the hosts, which many companies share, nor from the
 * zone. Unknown zones are looked up in the background for later requests.
 */
function createLearning(infrastructure: MailInfrastructure, lookUpZone: Options['zone']): Learning {
  return {
    observe: (domain, { distinctive, business }, list, listed) => {
      const isAsked = !business && distinctive.status === 'found';
      const asked = (isAsked ? lookUpZone?.(domain) : undefined) ?? NO_ZONE_FACTS;
      const zone = judgeZone(asked instanceof Promise ? NO_ZONE_FACTS : asked, list);
      const shared = listed ? undefined : infrastructure.suspect(domain, distinctive, zone.places);
      infrastructure.observe(domain, distinctive, listed, zone.places);
      // The request does not wait. What is learned helps later requests. `lookUpZone` never rejects.
      if (asked instanceof Promise) {
        void whenReady(asked, (facts) =>
          infrastructure.observe(domain, distinctive, listed, judgeZone(facts, list).places),
        );
      }
      return { shared, zone };
    },
  };
}

/** So many new names a day are made up. */
const CHURN_FROM = 3;

interface CountedSignals {
  readonly signals: readonly Signal[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * What the project’s other requests say about this one. `pattern_burst` is reported here and not by the alias check,
 * because it depends on whose domain it is, and this check knows that.
 */
function countedSignals(finding: Finding, { activity, address }: CheckInput): CountedSignals {
  const signals: Signal[] = [];
  const metadata: Record<string, unknown> = {};
  const source = finding.metadata?.source;
  // A listed domain fails anyway, and one that is known to be good may have many new names.
  const unlisted = source === 'none' || source === 'infrastructure';
  const newNames = unlisted ? (activity?.newNames() ?? 0) : 0;
  if (newNames >= CHURN_FROM) {
    signals.push('subdomain_churn');
    metadata.newNames = newNames;
  }
  const badDomain = unlisted ? activity?.badDomain() : undefined;
  if (badDomain !== undefined) {
    signals.push('domain_turned_bad');
    metadata.turnedBad = badDomain;
  }
  if (unlisted && activity?.newDomain()) signals.push('domain_new_here');
  if (unlisted && hasCheapEnding(address.asciiDomain)) signals.push('cheap_ending');
  if (unlisted && namesMailboxes(address.asciiDomain)) signals.push('unknown_mail_service');
  const pattern = issuesNumbers(address.asciiDomain, source) ? undefined : activity?.patternBurst();
  if (pattern !== undefined) {
    signals.push('pattern_burst');
    metadata.pattern = pattern;
  }
  return { signals, metadata };
}

/** Universities and companies give their people numbers; mail providers let them choose. */
function issuesNumbers(domain: string, source: unknown): boolean {
  return isInstitution(domain) || (source === 'allow' && !isMailProvider(domain));
}
