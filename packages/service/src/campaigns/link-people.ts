import { DAY_MS, HOUR_MS } from '@postern/contract';
import type { CampaignLink, CampaignLinkKind } from '@postern/contract/dashboard';
import { burstThreshold, LEAST_BURST, ORDINARY_SHAPE_SHARE } from '../model/burst.ts';
import { isMailProvider } from '../model/domain-class.ts';
import { isInstitutionDomain } from '../model/institution.ts';
import type { SeenPerson } from './seen-people.ts';
import {
  addTo,
  type Common,
  countDistinct,
  inSteps,
  isAnybodys,
  remembered,
  THING_KINDS,
} from './shared-things.ts';

/** Sets of numbers from 0 to `size - 1` that can be joined: each join and each question takes nearly constant time. */
interface UnionFind {
  join(one: number, other: number): void;
  /** The number that stands for the set. */
  rootOf(one: number): number;
}

function createUnionFind(size: number): UnionFind {
  const parent = Int32Array.from({ length: size }, (_, index) => index);
  const sizes = new Int32Array(size).fill(1);
  const rootOf = (one: number): number => {
    let at = one;
    for (;;) {
      const above = parent[at] ?? at;
      if (above === at) return at;
      // Each step shortens the way for the next question.
      const next = parent[above] ?? above;
      parent[at] = next;
      at = next;
    }
  };
  return {
    rootOf,
    join(one, other) {
      const [a, b] = [rootOf(one), rootOf(other)];
      if (a === b) return;
      const [sizeA, sizeB] = [sizes[a] ?? 0, sizes[b] ?? 0];
      const [small, large] = sizeA < sizeB ? [a, b] : [b, a];
      parent[small] = large;
      sizes[large] = sizeA + sizeB;
    },
  };
}

/** How far apart in time two people may be whom a network links. */
const NETWORK_DOMAIN_MS = 7 * DAY_MS;
const NETWORK_PATTERN_MS = DAY_MS;
/** As long as a crowd on rented domains is remembered: such domains that follow each other are one campaign. */
const RENTED_MS = 14 * DAY_MS;
/** This many people of one pattern within an hour are no accident. At a mail provider it takes more. */
const LEAST_OF_PATTERN = 10;
/** What most people of a burst must have in common. Of ordinary people a fifth have the same pattern. */
const MOSTLY = 0.6;
/** People are strangers to each other if this many have a network of their own. */
const STRANGERS = 0.8;
/** What is usual for a pattern is its mean hour of a month. */
const HOURS_COMPARED = (30 * DAY_MS) / HOUR_MS;

export interface LinkedPeople {
  readonly sets: UnionFind;
  readonly links: readonly CampaignLink[];
  /** Places in `links`, by the place of the person. */
  readonly linksOf: ReadonlyMap<number, readonly number[]>;
  /** One person of each known campaign that has people here. */
  readonly joined: ReadonlyMap<KnownCampaign, number>;
}

/** A campaign that was found before. Who comes with one of its things, or was in it, joins it. */
export interface KnownCampaign {
  readonly id: string;
  readonly lastSeen: number;
  readonly decided: boolean;
  readonly things: readonly { readonly kind: string; readonly name: string }[];
  readonly inboxes: { has(inbox: string): boolean };
}
/** How long after a campaign’s last person another joins it by a thing. A network soon belongs to others. */
const JOINS_MS = 14 * DAY_MS;
const JOINS_BY_NETWORK_MS = DAY_MS;

type Shared = Omit<CampaignLink, 'kind'>;

/** What people must have in common for one kind of link. */
interface LinkRule {
  readonly kind: CampaignLinkKind;
  /** Whether the person can be linked this way at all. */
  readonly of: (person: SeenPerson, index: number) => boolean;
  /** What the person shares with others, one thing for each network. Those with the same key are compared. */
  readonly shares: (person: SeenPerson) => readonly Shared[];
  /** Which of the people with the same key belong together, in sets. They come in the order in which they signed up. */
  readonly together: (group: readonly number[], shared: Shared) => readonly (readonly number[])[];
}

/**
 * Joins people who have enough in common. A thing that a crowd or the device check accused is enough alone, for all who
 * came with it. Otherwise a network, a domain or a pattern of names must come together with another of them and with time,
 * and counts only if strangers do not share it. Yields between steps, so that the caller can let requests through.
 */
export function* linkPeople(
  people: readonly SeenPerson[],
  common: Common,
  known: readonly KnownCampaign[],
): Generator<void, LinkedPeople> {
  const sets = createUnionFind(people.length);
  const links: CampaignLink[] = [];
  const linksOf = new Map<number, number[]>();
  const link = (group: readonly number[], found: CampaignLink) => {
    const [first] = group;
    if (first === undefined || (group.length < 2 && found.kind !== 'campaign')) return;
    links.push(found);
    for (const index of group) {
      sets.join(first, index);
      addTo(linksOf, index, links.length - 1);
    }
  };
  for (const kind of THING_KINDS)
    yield* inSteps(common.things[kind], ([name, group]) => {
      if (isGivenAway(people, kind, name, group)) link(group, { kind, [kind]: name });
    });
  for (const rule of rules(people, common)) {
    const groups = new Map<string, number[]>();
    const shares = new Map<string, Shared>();
    yield* inSteps(people.entries(), ([index, person]) => {
      if (!rule.of(person, index)) return;
      for (const shared of rule.shares(person)) {
        const key = Object.values(shared).join(' ');
        shares.set(key, shared);
        addTo(groups, key, index);
      }
    });
    yield* inSteps(groups, ([key, group]) => {
      const shared = shares.get(key) ?? {};
      if (group.length < 2) return;
      for (const set of rule.together(inOrder(people, group), shared))
        link(set, { kind: rule.kind, ...shared });
    });
  }
  const joined = new Map<KnownCampaign, number>();
  for (const campaign of known) {
    const group = joiningPeople(people, common, campaign);
    link(group, { kind: 'campaign' });
    if (group[0] !== undefined) joined.set(campaign, group[0]);
    yield;
  }
  return { sets, links, linksOf, joined };
}

/** Whether a thing spoke against a person who came with it. */
function isGivenAway(
  people: readonly SeenPerson[],
  kind: (typeof THING_KINDS)[number],
  name: string,
  group: readonly number[],
): boolean {
  if (kind === 'domain' && isAnybodys(name)) return false;
  return group.some((index) => people[index]?.accused.includes(kind));
}

function joiningPeople(
  people: readonly SeenPerson[],
  { things, deviceUse }: Common,
  campaign: KnownCampaign,
): number[] {
  const joining = new Set<number>();
  for (const [index, { inbox }] of people.entries()) if (campaign.inboxes.has(inbox)) joining.add(index);
  for (const kind of THING_KINDS) {
    const until = campaign.lastSeen + (kind === 'network' ? JOINS_BY_NETWORK_MS : JOINS_MS);
    for (const thing of campaign.things) {
      if (thing.kind !== kind) continue;
      for (const index of things[kind].get(thing.name) ?? []) {
        const isStranger = kind === 'network' && deviceUse(index) === 'own';
        if (!isStranger && (people[index]?.firstSeen ?? 0) <= until) joining.add(index);
      }
    }
  }
  return [...joining];
}

function rules(people: readonly SeenPerson[], common: Common): readonly LinkRule[] {
  const { things, deviceUse, isCommonNetwork, isCommonDomain } = common;
  const firstSeen = (index: number) => people[index]?.firstSeen ?? 0;
  const bursts = (group: readonly number[], least: number) => burstsOf(group, firstSeen, least);
  /** Whether a pattern has far more people than it usually has, and than its share of everybody then. */
  const isUnusual = (set: readonly number[], group: readonly number[], everybody: readonly number[]) => {
    const [from, to] = [firstSeen(set[0] ?? 0), firstSeen(set.at(-1) ?? 0)];
    const hours = Math.max(1, (to - from) / HOUR_MS);
    const [start, end] = [Math.min(from, to - HOUR_MS), Math.max(to, from + HOUR_MS)];
    const then = everybody.filter((index) => firstSeen(index) >= start && firstSeen(index) <= end).length;
    const before = group.filter((index) => firstSeen(index) < from).length / HOURS_COMPARED;
    return set.length / hours >= burstThreshold(before, (ORDINARY_SHAPE_SHARE * then) / hours);
  };
  const isInstitution = remembered(isInstitutionDomain);
  const isCompany = ({ mailKind, domain }: SeenPerson) => mailKind === 'hosted' || isInstitution(domain);
  const mostly = (group: readonly number[], has: (person: SeenPerson) => boolean) =>
    group.filter((index) => has(people[index] as SeenPerson)).length >= MOSTLY * group.length;
  const areBad = (group: readonly number[]) => mostly(group, ({ refused, hosting }) => refused || hosting);
  const areStrangers = (group: readonly number[]) =>
    countDistinct(people, group, ({ networks }) => networks.slice(0, 1)) >= STRANGERS * group.length;
  return [
    {
      kind: 'rented_domains',
      of: ({ accused, mailKind, mailHost }) =>
        accused.includes('domain') && (mailKind === 'forwarder' || mailKind === 'webhost') && mailHost !== '',
      shares: ({ mailHost }) => [{ mailHost }],
      together: (group) => chains(group, firstSeen, RENTED_MS),
    },
    {
      kind: 'network_domain',
      of: (_person, index) => deviceUse(index) === 'shared',
      shares: ({ networks, domain, shape }) =>
        networks
          .filter((network) => !isCommonNetwork(network))
          .flatMap((network) => [
            ...(isCommonDomain(domain) ? [] : [{ network, domain }]),
            ...(shape === null ? [] : [{ network, domain, pattern: shape }]),
          ]),
      together: (group, { pattern }) =>
        chains(group, firstSeen, pattern === undefined ? NETWORK_DOMAIN_MS : NETWORK_PATTERN_MS),
    },
    {
      kind: 'network_burst',
      of: (person, index) => deviceUse(index) !== 'own' && !isCompany(person),
      shares: ({ networks, domain, shape }) =>
        networks.flatMap((network) => [
          { network },
          ...(shape === null ? [] : [{ network, domain, pattern: shape }]),
        ]),
      together: (group, { network = '', domain = '', pattern }) => {
        if (pattern === undefined)
          return bursts(group, LEAST_BURST).filter((set) => mostly(set, ({ refused }) => refused));
        const isMost = group.length >= MOSTLY * (things.network.get(network)?.length ?? 0);
        return isMost ? bursts(group, isMailProvider(domain) ? LEAST_BURST : LEAST_OF_PATTERN) : [];
      },
    },
    {
      kind: 'domain_burst',
      of: (person, index) => deviceUse(index) !== 'own' && !isCompany(person),
      shares: ({ domain, shape }) => [
        ...(isAnybodys(domain) ? [] : [{ domain }]),
        ...(shape === null ? [] : [{ domain, pattern: shape }]),
      ],
      together: (group, { domain = '', pattern }) => {
        const everybody = things.domain.get(domain) ?? [];
        const found = bursts(group, LEAST_BURST);
        if (pattern === undefined) return found.filter((set) => areBad(set) || areStrangers(set));
        if (isAnybodys(domain)) return found.filter((set) => isUnusual(set, group, everybody));
        return group.length >= MOSTLY * everybody.length ? found : [];
      },
    },
  ];
}

function inOrder(people: readonly SeenPerson[], group: readonly number[]): number[] {
  return [...group].sort((one, other) => (people[one]?.firstSeen ?? 0) - (people[other]?.firstSeen ?? 0));
}

/** Splits the group wherever more time than the gap lies between two people. */
function chains(group: readonly number[], timeOf: (index: number) => number, gapMs: number): number[][] {
  const found: number[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const index of group) {
    const at = timeOf(index);
    const current = found.at(-1);
    if (current === undefined || at - last > gapMs) found.push([index]);
    else current.push(index);
    last = at;
  }
  return found;
}

/** The people of hours in which at least this many came. */
function burstsOf(group: readonly number[], timeOf: (index: number) => number, least: number): number[][] {
  const dense: number[] = [];
  let marked = 0;
  let first = 0;
  for (const [place, index] of group.entries()) {
    while (timeOf(index) - timeOf(group[first] ?? index) > HOUR_MS) first += 1;
    if (place - first + 1 < least) continue;
    for (let at = Math.max(first, marked); at <= place; at += 1) dense.push(group[at] ?? index);
    marked = place + 1;
  }
  return chains(dense, timeOf, HOUR_MS);
}
