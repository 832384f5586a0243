import { isMailProvider } from '../model/domain-class.ts';
import { relayOf } from '../model/relays.ts';
import type { SeenPerson } from './seen-people.ts';

/** From this many people on a device is shared: what else its people have in common then counts. */
const SHARED_DEVICE = 3;
/** More people than this on devices of their own, and the network is a carrier’s or a company’s gateway. */
const COMMON_NETWORK_PEOPLE = 50;
/** More domains than this, mail providers left out, and the network is anybody’s. */
const COMMON_NETWORK_DOMAINS = 20;
/** A domain that people have in more networks than this is as good as a mail provider. */
const COMMON_DOMAIN_NETWORKS = 20;

/** `shared`: with several people, and it spoke against one. `own`: with nobody, or one. `unknown`: no device, or a model that many have. */
type DeviceUse = 'shared' | 'own' | 'unknown';

/** People by what they came with. Numbers are places in the list of people. */
interface Things {
  readonly device: ReadonlyMap<string, readonly number[]>;
  readonly network: ReadonlyMap<string, readonly number[]>;
  readonly domain: ReadonlyMap<string, readonly number[]>;
  /** Only hosts that are on no list. */
  readonly mailHost: ReadonlyMap<string, readonly number[]>;
}
export type ThingKind = keyof Things;

/** The things of each kind that a person came with. */
export const THINGS_OF: Readonly<Record<ThingKind, (person: SeenPerson) => readonly string[]>> = {
  device: ({ devices }) => devices,
  network: ({ networks }) => networks,
  domain: ({ domain }) => [domain],
  mailHost: ({ mailKind, mailHost }) => (mailKind === 'own' && mailHost !== '' ? [mailHost] : []),
};
export const THING_KINDS = Object.keys(THINGS_OF) as ThingKind[];

/** What many unrelated people have in common, and so says nothing about two of them. */
export interface Common {
  readonly things: Things;
  deviceUse(person: number): DeviceUse;
  isCommonNetwork(network: string): boolean;
  isCommonDomain(domain: string): boolean;
}

/** The domain of a provider or a relay is everybody’s. */
export const isAnybodys = (domain: string): boolean =>
  isMailProvider(domain) || relayOf(domain) !== undefined;

export function* findCommon(people: readonly SeenPerson[]): Generator<void, Common> {
  const things = {} as { -readonly [Kind in ThingKind]: Things[Kind] };
  for (const kind of THING_KINDS) {
    things[kind] = groupPeople(people, THINGS_OF[kind]);
    yield;
  }
  const isAccused = remembered((device) =>
    (things.device.get(device) ?? []).some((index) => people[index]?.accused.includes('device')),
  );
  const uses = people.map(({ devices }): DeviceUse => {
    let use: DeviceUse = 'unknown';
    for (const device of devices) {
      const size = things.device.get(device)?.length ?? 0;
      if (size >= SHARED_DEVICE && isAccused(device)) return 'shared';
      if (size < SHARED_DEVICE) use = 'own';
    }
    return use;
  });
  const deviceUse = (person: number): DeviceUse => uses[person] ?? 'unknown';
  return {
    things,
    deviceUse,
    isCommonNetwork: remembered((network) => {
      const group = things.network.get(network) ?? [];
      const own = group.filter((index) => deviceUse(index) === 'own').length;
      if (own > COMMON_NETWORK_PEOPLE) return true;
      const others = countDistinct(people, group, ({ domain }) => (isMailProvider(domain) ? [] : [domain]));
      return others > COMMON_NETWORK_DOMAINS;
    }),
    isCommonDomain: remembered(
      (domain) =>
        isAnybodys(domain) ||
        countDistinct(people, things.domain.get(domain) ?? [], ({ networks }) => networks) >
          COMMON_DOMAIN_NETWORKS,
    ),
  };
}

function groupPeople(
  people: readonly SeenPerson[],
  namesOf: (person: SeenPerson) => readonly string[],
): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, person] of people.entries()) {
    for (const name of namesOf(person)) {
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [index]);
      else group.push(index);
    }
  }
  return groups;
}

export function countDistinct(
  people: readonly SeenPerson[],
  group: readonly number[],
  namesOf: (person: SeenPerson) => readonly string[],
): number {
  const names = new Set<string>();
  for (const index of group) {
    const person = people[index];
    if (person !== undefined) for (const name of namesOf(person)) names.add(name);
  }
  return names.size;
}

export function remembered(ask: (name: string) => boolean): (name: string) => boolean {
  const answers = new Map<string, boolean>();
  return (name) => {
    const known = answers.get(name);
    if (known !== undefined) return known;
    const answer = ask(name);
    answers.set(name, answer);
    return answer;
  };
}
