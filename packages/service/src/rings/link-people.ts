import { DAY_MS, HOUR_MS } from '@postern/contract';
import type { RingLink, RingLinkKind } from '@postern/contract/dashboard';
import { isMailProvider } from '../model/domain-class.ts';
import { LEAST_SURGE } from '../model/surge.ts';
import type { Crowds } from './crowds.ts';
import type { SeenPerson } from './seen-people.ts';
import { createUnionFind, type UnionFind } from './union-find.ts';

/** How far apart in time two people may be whom a network links. */
const NETWORK_DOMAIN_MS = 7 * DAY_MS;
const NETWORK_PATTERN_MS = DAY_MS;
/** So many people of one pattern within an hour are no chance. At a mail provider it takes more. */
const LEAST_BURST = 10;
/** The pattern’s share of everybody in the network, or at the domain. Of ordinary people a fifth have the same pattern. */
const BURST_SHARE = 0.6;

export interface LinkedPeople {
  readonly sets: UnionFind;
  readonly links: readonly RingLink[];
  /** Places in `links`, by the place of the person. */
  readonly linksOf: ReadonlyMap<number, readonly number[]>;
}

/** What people must have in common for one kind of link. */
interface LinkRule {
  readonly kind: RingLinkKind;
  /** Whether the person can be linked this way at all. */
  readonly of: (person: SeenPerson, index: number) => boolean;
  /** What the person shares with others, one thing for each network. Those with the same key are compared. */
  readonly shares: (person: SeenPerson) => readonly Omit<RingLink, 'kind'>[];
  /** Which of the people with the same key belong together, in sets. They come in the order in which they signed up. */
  readonly together: (
    group: readonly number[],
    link: Omit<RingLink, 'kind'>,
  ) => readonly (readonly number[])[];
}

/**
 * Joins people who have enough in common. One thing alone is enough only if it is a device. A network, a domain or a
 * pattern of names must come together with another of them and with time, and counts only if it is not everybody’s.
 * It yields between steps, so that whoever runs it can let requests through.
 */
export function* linkPeople(people: readonly SeenPerson[], crowds: Crowds): Generator<void, LinkedPeople> {
  const sets = createUnionFind(people.length);
  const links: RingLink[] = [];
  const linksOf = new Map<number, number[]>();
  const link = (group: readonly number[], found: RingLink) => {
    const [first] = group;
    if (first === undefined || group.length < 2) return;
    links.push(found);
    for (const index of group) {
      sets.join(first, index);
      const own = linksOf.get(index);
      if (own === undefined) linksOf.set(index, [links.length - 1]);
      else own.push(links.length - 1);
    }
  };
  for (const [device, group] of crowds.devices) link(group, { kind: 'device', device });
  yield;
  for (const rule of rules(people, crowds)) {
    for (const [, { shared, group }] of groupsOf(people, rule)) {
      if (group.length < 2) continue;
      for (const set of rule.together(inOrder(people, group), shared))
        link(set, { kind: rule.kind, ...shared });
    }
    yield;
  }
  return { sets, links, linksOf };
}

function rules(people: readonly SeenPerson[], crowds: Crowds): readonly LinkRule[] {
  const { deviceUse, isCommonNetwork, isCommonDomain } = crowds;
  const firstSeen = (index: number) => people[index]?.firstSeen ?? 0;
  const shareOf = (group: readonly number[], all: readonly number[] | undefined) =>
    group.length / Math.max(1, all?.length ?? 0);
  const quietNetworks = ({ networks }: SeenPerson) => networks.filter((network) => !isCommonNetwork(network));
  return [
    {
      kind: 'network_domain',
      of: ({ domain }, index) => deviceUse(index) === 'shared' && !isCommonDomain(domain),
      shares: (person) => quietNetworks(person).map((network) => ({ network, domain: person.domain })),
      together: (group) => chains(group, firstSeen, NETWORK_DOMAIN_MS),
    },
    {
      kind: 'network_pattern',
      of: ({ shape }, index) => shape !== null && deviceUse(index) === 'shared',
      shares: (person) => quietNetworks(person).map((network) => ({ network, ...patternOf(person) })),
      together: (group) => chains(group, firstSeen, NETWORK_PATTERN_MS),
    },
    {
      kind: 'network_burst',
      of: ({ shape }, index) => shape !== null && deviceUse(index) !== 'own',
      shares: (person) => person.networks.map((network) => ({ network, ...patternOf(person) })),
      together: (group, { network = '', domain = '' }) =>
        shareOf(group, crowds.networks.get(network)) < BURST_SHARE
          ? []
          : bursts(group, firstSeen, isMailProvider(domain) ? LEAST_SURGE : LEAST_BURST),
    },
    {
      kind: 'domain_burst',
      of: ({ shape, domain }, index) =>
        shape !== null && deviceUse(index) !== 'own' && !isMailProvider(domain),
      shares: (person) => [patternOf(person)],
      together: (group, { domain = '' }) =>
        shareOf(group, crowds.domains.get(domain)) < BURST_SHARE ? [] : bursts(group, firstSeen, LEAST_SURGE),
    },
  ];
}

const patternOf = ({ domain, shape }: SeenPerson) => ({ domain, pattern: shape ?? '' });

type Group = { readonly shared: Omit<RingLink, 'kind'>; readonly group: number[] };

function groupsOf(people: readonly SeenPerson[], { of, shares }: LinkRule): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const [index, person] of people.entries()) {
    if (!of(person, index)) continue;
    for (const shared of shares(person)) {
      const key = `${shared.network ?? ''} ${shared.domain ?? ''} ${shared.pattern ?? ''}`;
      const found = groups.get(key);
      if (found === undefined) groups.set(key, { shared, group: [index] });
      else found.group.push(index);
    }
  }
  return groups;
}

function inOrder(people: readonly SeenPerson[], group: readonly number[]): number[] {
  return [...group].sort((one, other) => (people[one]?.firstSeen ?? 0) - (people[other]?.firstSeen ?? 0));
}

/** People of whom each came at most so long after the one before. */
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

/** The people of hours in which at least so many came. */
function bursts(group: readonly number[], timeOf: (index: number) => number, least: number): number[][] {
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
