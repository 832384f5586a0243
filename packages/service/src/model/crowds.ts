import { DAY_MS } from '@postern/contract';
import type { CrowdThing } from '@postern/contract/rules';
import { type BrowserClass, hidesHardware, isPhone } from './browser-class.ts';
import type { MailKind } from './mail-facts.ts';

/** A person who was new to the project when they came with a thing. Names are the beginnings of keyed hashes. */
export interface CrowdPerson {
  readonly at: number;
  readonly inbox: string;
  /** Empty if not known, as are the next two. */
  readonly network: string;
  readonly device: string;
  /** Without the domains of providers and relays. */
  readonly domain: string;
  readonly mail: MailKind;
  readonly browser: BrowserClass;
  /** From a hosting network, a VPN, a proxy or Tor. */
  readonly hosting: boolean;
  /** At a university, a school or a company that the bundled data knows. */
  readonly institution: boolean;
  /** A backend asked, not a public client key. */
  readonly confirmed: boolean;
  /** Was part of a crowd already. */
  readonly accused: boolean;
  readonly outcome: 'good' | 'bad' | null;
}

export interface CrowdCase {
  /** The others of the last 30 days who were new to the project with this thing, the oldest first. */
  readonly people: readonly CrowdPerson[];
  /** When the first of them came, and how many came more than 30 days ago and were part of no crowd. */
  readonly since: number;
  readonly older: number;
  /** There may be more people than are remembered. */
  readonly isFull: boolean;
  readonly now: number;
  /** What stands behind the mail of the person who asks, and where that person is. */
  readonly mail: MailKind;
  readonly network: string;
  readonly institution: boolean;
}

/** What a crowd is compared with. */
export interface ProjectPeople {
  /** When the first person came. `null`: none yet. */
  readonly since: number | null;
  /** New people of the last 7 and 30 days. */
  readonly week: number;
  readonly month: number;
  readonly byBrowser: Readonly<Partial<Record<BrowserClass, number>>>;
  readonly byMail: Readonly<Partial<Record<MailKind, number>>>;
  /** Rented domains that were new within 30 days, and those of them that got a second and a third person. */
  readonly rentedDomains: number;
  readonly rentedPairs: number;
  readonly rentedThrees: number;
  /** When a campaign was last under way. */
  readonly campaignAt: number | null;
}

export type CrowdRule =
  | 'rented-domain'
  | 'campaign-domain'
  | 'company-domain'
  | 'own-domain'
  | 'mail-host'
  | 'network'
  | 'device-share'
  | 'device-mix';

/** Why a thing’s people are a crowd, with the numbers of the sentence that says so. */
export interface CrowdReason {
  readonly rule: CrowdRule;
  readonly people: number;
  readonly days: number;
  readonly networks: number;
  readonly domains: number;
  /** How many have the browser that most have. */
  readonly sameBrowser: number;
  /** The project is too young to accuse anybody. */
  readonly learning?: true;
  /** The project wants to see whom it would accuse. */
  readonly watched?: true;
  /** Mostly client keys say so, which anybody can use: it never blocks. */
  readonly flagsOnly?: true;
}

/** A project accuses no person in its first two days, nor before this many people came without the thing. */
const LEARNING_MS = 2 * DAY_MS;
const LEAST_OTHERS = 20;
/** How long a campaign is remembered after a crowd gave it away. */
const CAMPAIGN_MS = 14 * DAY_MS;
/** Two people that the site calls good, and no bad one, acquit a thing. */
const GOOD_PEOPLE = 2;
/** As many people who came quietly long ago double what a domain may bring. */
const OLD_PEOPLE = 10;
/** From such a share on, people are mostly of one kind. Hardly anything but phones comes through a carrier. */
const MOSTLY = 0.6;
const CARRIER_PHONES = 0.8;
/** People are strangers to each other if this many have a network of their own. */
const STRANGERS = 0.8;

/** Whether the others who came with a thing are a crowd that speaks against the next one. */
export function judgeCrowd(
  thing: CrowdThing,
  crowd: CrowdCase,
  project: ProjectPeople,
): CrowdReason | undefined {
  // Those whom a backend confirmed are judged alone first: claims about others cannot excuse them.
  const people = crowd.people.filter((person) => person.confirmed);
  const confirmed = RULES[thing]({ ...crowd, people }, project);
  const reason = confirmed ?? RULES[thing](crowd, project);
  if (reason === undefined || isAcquitted(crowd.people)) return undefined;
  const isYoung = project.since === null || crowd.now - project.since < LEARNING_MS;
  return {
    ...reason,
    ...((isYoung || project.month - crowd.people.length < LEAST_OTHERS) && { learning: true }),
    ...(confirmed === undefined && { flagsOnly: true }),
  };
}

type JudgeThing = (crowd: CrowdCase, project: ProjectPeople) => CrowdReason | undefined;

const RULES: Readonly<Record<CrowdThing, JudgeThing>> = {
  /**
   * A domain with free forwarding, or a web host’s catch-all used from many networks: 5 people in 7 days, 10 in one place.
   * While such a campaign is remembered, one person within a day on any other new one, from another network. While many
   * of them bring a second or third person, which private ones rarely do, two within 7 days. A domain on a company’s mail
   * host, or of which DNS says nothing: 25 people in 30 days, on 2 days, from different networks; on a host of its own 10.
   * Never an institution.
   */
  domain(crowd, { campaignAt, rentedDomains, rentedPairs, rentedThrees }) {
    const { now, people, institution } = crowd;
    if (institution) return undefined;
    // An operator who slows down their own DNS cannot hide what it said before.
    const known = people.findLast(({ mail }) => mail !== 'unknown')?.mail ?? 'hosted';
    const mail = crowd.mail === 'unknown' ? known : crowd.mail;
    const most = (usual: number) => (crowd.older >= OLD_PEOPLE ? 2 * usual : usual);
    if (isRented(mail)) {
      const week = lastDays(crowd, 7);
      const isOnePlace = mostCommon(week, (person) => person.network).length >= STRANGERS * week.length;
      if (week.length >= most(isOnePlace ? 10 : 5) && (mail === 'forwarder' || areStrangers(week)))
        return reasonOf('rented-domain', week, now);
      const isRemembered = campaignAt !== null && now - campaignAt < CAMPAIGN_MS;
      const elsewhere = week.filter(({ network }) => network !== crowd.network);
      const isWave = rentedPairs > 3 + 0.14 * rentedDomains || rentedThrees > 5 + 0.02 * rentedDomains;
      const isNew = now - crowd.since < 7 * DAY_MS && elsewhere.some(({ at }) => at > now - DAY_MS);
      if ((isRemembered || isWave) && isNew) return reasonOf('campaign-domain', elsewhere, now);
      if (isWave && crowd.older === 0 && elsewhere.length >= 2)
        return reasonOf('campaign-domain', elsewhere, now);
    }
    if (mail === 'hosted' && people.length >= most(25) && daysOf(people) >= 2 && areStrangers(people))
      return reasonOf('company-domain', people, now);
    return mail === 'own' && people.length >= most(10) && areStrangers(people)
      ? reasonOf('own-domain', people, now)
      : undefined;
  },

  /** A mail host on no list: 8 people in 30 days at two or more domains that bring more than one each, from different networks. */
  mailHost({ people, now }) {
    const domains = countDistinct(people, ({ domain }) => domain);
    return people.length >= 8 && domains >= 2 && people.length >= 1.6 * domains && areStrangers(people)
      ? reasonOf('mail-host', people, now)
      : undefined;
  },

  /**
   * A network: 30 people in 7 days and 1% of the project’s, three times as many of one company, five times phones of a carrier
   * or people of an event (on under 4 days, in under 16 hours, at most 190 people), any number of an institution.
   */
  network(crowd, { week: everybody }) {
    const week = lastDays(crowd, 7);
    if (week.length < 30) return undefined;
    const lasts = daysOf(week) >= 4 || countDistinct(week, ({ at }) => new Date(at).getUTCHours()) >= 16;
    const organisation = mostCommon(week, ({ domain }) => domain);
    const isOne = organisation.length >= MOSTLY * week.length;
    if (isOne && organisation.every(({ institution }) => institution)) return undefined;
    const isCarrier =
      week.filter(({ browser }) => isPhone(browser)).length >= CARRIER_PHONES * week.length &&
      mostCommon(week, ({ device }) => device).length < MOSTLY * week.length;
    const usual = (isCarrier ? 5 : isOne ? 3 : lasts ? 1 : 5) * (30 + everybody / 100);
    const most = lasts ? usual : Math.min(usual, 190);
    return week.length >= most ? reasonOf('network', week, crowd.now) : undefined;
  },

  /**
   * A fingerprint, from 3 networks. Of browsers that show their hardware: 3 people and 3% of the browser’s people of the
   * month, or within a day 6 and a tenth of those of a usual day. Of any browser 8 people, of whom 40 points more than usual
   * (60 if it shows its hardware) have rented domains, hosts of their own or servers’ networks. Never one organisation’s.
   */
  device(crowd, project) {
    const { people, now, isFull } = crowd;
    if (people.length < 3 || countDistinct(people, ({ network }) => network) < 3) return undefined;
    if (isOneOrganisation(people)) return undefined;
    const isShared = isSharedModel(people);
    if (!isShared) {
      const share = ownShare(people, project);
      if (inMonth(people, now, isFull) >= 3 + share || lastDays(crowd, 1).length >= 6 + share / 9)
        return reasonOf('device-share', people, now);
    }
    const cheap = people.filter(({ mail, hosting }) => hosting || isCheap(mail)).length / people.length;
    const { forwarder = 0, webhost = 0, own = 0 } = project.byMail;
    const usual = (forwarder + webhost + own) / Math.max(1, project.month);
    return people.length >= 8 && cheap >= usual + (isShared ? 0.4 : 0.6)
      ? reasonOf('device-mix', people, now)
      : undefined;
  },
};

/** Mail that costs a farm a domain and nothing else. */
export const isRented = (mail: MailKind | undefined): boolean => mail === 'forwarder' || mail === 'webhost';

/** Whether most people of a fingerprint have a browser that hides its hardware: the whole model has the same one. */
export function isSharedModel(people: readonly Pick<CrowdPerson, 'browser'>[]): boolean {
  return 2 * people.filter(({ browser }) => hidesHardware(browser)).length > people.length;
}

/** As many of the other people with the browser’s class may have the same fingerprint by chance. */
export function ownShare(
  people: readonly Pick<CrowdPerson, 'browser'>[],
  { byBrowser }: Pick<ProjectPeople, 'byBrowser'>,
): number {
  const [first] = mostCommon(people, ({ browser }) => browser);
  if (first === undefined) return 0;
  return Math.floor(0.03 * Math.max(0, (byBrowser[first.browser] ?? 0) - people.length));
}

/** One company’s or school’s people: its machines are alike. What a forwarder or a provider has is not one organisation. */
export function isOneOrganisation(people: readonly Pick<CrowdPerson, 'domain' | 'mail'>[]): boolean {
  const same = mostCommon(
    people.filter(({ mail }) => mail !== 'forwarder'),
    ({ domain }) => domain,
  );
  return same.length > 0 && same.length >= MOSTLY * people.length;
}

const isCheap = (mail: MailKind) => isRented(mail) || mail === 'own';

function isAcquitted(people: readonly CrowdPerson[]): boolean {
  const good = people.filter(({ outcome }) => outcome === 'good').length;
  return good >= GOOD_PEOPLE && !people.some(({ outcome }) => outcome === 'bad');
}

/** Of more people than are remembered, as many as would come in a month at their pace. */
function inMonth(people: readonly CrowdPerson[], now: number, isFull: boolean): number {
  const days = Math.max(1 / 24, (now - (people[0]?.at ?? now)) / DAY_MS);
  return isFull ? people.length * Math.max(1, 30 / days) : people.length;
}

const lastDays = ({ people, now }: CrowdCase, days: number) =>
  people.filter(({ at }) => at > now - days * DAY_MS);

/** The network of a person whose backend does not send it is unknown: that is no evidence. */
function areStrangers(people: readonly CrowdPerson[]): boolean {
  return countDistinct(people, ({ network }) => network) >= STRANGERS * people.length;
}

const daysOf = (people: readonly CrowdPerson[]) => countDistinct(people, ({ at }) => Math.floor(at / DAY_MS));

/** Empty names are not counted. */
function countDistinct<T>(people: readonly T[], nameOf: (person: T) => string | number): number {
  const names = new Set(people.map(nameOf));
  names.delete('');
  return names.size;
}

/** The people with the most common name that is not empty. */
function mostCommon<T>(people: readonly T[], nameOf: (person: T) => string): readonly T[] {
  const groups = new Map<string, T[]>();
  for (const person of people) {
    const name = nameOf(person);
    if (name === '') continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [person]);
    else group.push(person);
  }
  let most: readonly T[] = [];
  for (const group of groups.values()) if (group.length > most.length) most = group;
  return most;
}

function reasonOf(rule: CrowdRule, people: readonly CrowdPerson[], now: number): CrowdReason {
  return {
    rule,
    people: people.length,
    days: Math.max(1, Math.ceil((now - (people[0]?.at ?? now)) / DAY_MS)),
    networks: countDistinct(people, ({ network }) => network),
    domains: countDistinct(people, ({ domain }) => domain),
    sameBrowser: mostCommon(people, ({ device }) => device).length,
  };
}
