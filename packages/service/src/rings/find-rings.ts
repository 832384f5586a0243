import type { RingLink } from '@postern/contract/dashboard';
import { countCrowds } from './crowds.ts';
import { linkPeople } from './link-people.ts';
import type { SeenPerson } from './seen-people.ts';

/** Fewer people than this are a family with one computer. */
const LEAST_RING = 5;

/** People who belong together, the one who was seen first first. */
export interface Ring {
  readonly members: readonly RingMember[];
  readonly devices: readonly RingThing[];
  readonly networks: readonly RingThing[];
  readonly domains: readonly RingThing[];
  readonly firstSeen: number;
  readonly lastSeen: number;
}

interface RingMember {
  readonly person: SeenPerson;
  readonly links: readonly RingLink[];
}

/** A device, a network or a domain of a ring. */
export interface RingThing {
  readonly name: string;
  /** How many people of the ring have it, and how many others. */
  readonly people: number;
  readonly others: number;
  /** Many unrelated people have it: it links nobody. */
  readonly isCommon: boolean;
}

/** Largest first. `commonNetworks`: see `countCrowds`. Yields between steps, so that requests can be answered. */
export function* findRings(people: readonly SeenPerson[], commonNetworks: number): Generator<void, Ring[]> {
  const crowds = yield* countCrowds(people, commonNetworks);
  yield;
  const { sets, links, linksOf } = yield* linkPeople(people, crowds);
  const groups = new Map<number, number[]>();
  for (const index of linksOf.keys()) {
    const root = sets.rootOf(index);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [index]);
    else group.push(index);
  }
  yield;
  const rings: Ring[] = [];
  for (const group of groups.values()) {
    if (group.length < LEAST_RING) continue;
    const members = group.flatMap((index): RingMember[] => {
      const person = people[index];
      const own = (linksOf.get(index) ?? []).flatMap((place) => links[place] ?? []);
      return person === undefined ? [] : [{ person, links: own }];
    });
    members.sort(
      ({ person: one }, { person: other }) =>
        one.firstSeen - other.firstSeen || (one.inbox < other.inbox ? -1 : 1),
    );
    const things = (
      namesOf: (person: SeenPerson) => readonly string[],
      everybody: ReadonlyMap<string, readonly number[]>,
      isCommon: (name: string) => boolean,
    ) =>
      countThings(members, namesOf).map(([name, count]) => ({
        name,
        people: count,
        others: Math.max(0, (everybody.get(name)?.length ?? count) - count),
        isCommon: isCommon(name),
      }));
    rings.push({
      members,
      devices: things(
        (person) => person.devices,
        crowds.devices,
        (device) => !crowds.devices.has(device),
      ),
      networks: things((person) => person.networks, crowds.networks, crowds.isCommonNetwork),
      domains: things((person) => [person.domain], crowds.domains, crowds.isCommonDomain),
      firstSeen: members[0]?.person.firstSeen ?? 0,
      lastSeen: members.reduce((latest, { person }) => Math.max(latest, person.lastSeen), 0),
    });
  }
  return rings.sort(
    (one, other) => other.members.length - one.members.length || other.lastSeen - one.lastSeen,
  );
}

function countThings(
  members: readonly RingMember[],
  namesOf: (person: SeenPerson) => readonly string[],
): [string, number][] {
  const counts = new Map<string, number>();
  for (const { person } of members)
    for (const name of namesOf(person)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}
