import { isMailProvider } from '../model/domain-class.ts';
import { relayOf } from '../model/relays.ts';
import type { SeenPerson } from './seen-people.ts';

/** A device with at least this many people is shared, and what else they have in common counts. */
const SHARED_DEVICE = 3;
/** A network with more people than this on devices of their own is a carrier’s or a company’s gateway. */
const COMMON_NETWORK_PEOPLE = 50;
/** A network with more domains than this, not counting mail providers, says nothing about its people. */
const COMMON_NETWORK_DOMAINS = 20;
/** A domain that people have in more networks than this is as good as a mail provider. */
const COMMON_DOMAIN_NETWORKS = 20;

/** `shared`: several people came with it and the check failed for one. `own`: one or two people. `unknown`: no device, or a common model. */
type DeviceUse = 'shared' | 'own' | 'unknown';

type ThingKind = 'device' | 'network' | 'domain' | 'mailHost';
/** People by what they came with. Numbers are places in the list of people. Mail hosts: only those that are on no list. */
type Things = Readonly<Record<ThingKind, ReadonlyMap<string, readonly number[]>>>;

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

/** Anybody can have an address at a provider’s or a relay’s domain. */
export const isAnybodys = (domain: string): boolean =>
  isMailProvider(domain) || relayOf(domain) !== undefined;

export function* findCommon(people: readonly SeenPerson[]): Generator<void, Common> {
  const things: Record<ThingKind, Map<string, number[]>> = {
    ...{ device: new Map(), network: new Map(), domain: new Map(), mailHost: new Map() },
  };
  const accused = new Set<string>();
  yield* inSteps(people.entries(), ([index, person]) => {
    for (const kind of THING_KINDS)
      for (const name of THINGS_OF[kind](person)) addTo(things[kind], name, index);
    if (person.accused.includes('device')) for (const device of person.devices) accused.add(device);
  });
  const uses: DeviceUse[] = [];
  yield* inSteps(people, ({ devices }) => {
    const sizes = devices.map((device) => things.device.get(device)?.length ?? 0);
    const isShared = devices.some((device, at) => (sizes[at] ?? 0) >= SHARED_DEVICE && accused.has(device));
    uses.push(isShared ? 'shared' : sizes.some((size) => size < SHARED_DEVICE) ? 'own' : 'unknown');
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

export function addTo<Key>(groups: Map<Key, number[]>, key: Key, index: number): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [index]);
  else group.push(index);
}

const STEP = 2_000;

/** Looks at each item, and yields after every 2,000 so that requests are answered meanwhile. */
export function* inSteps<T>(items: Iterable<T>, look: (item: T) => void): Generator<void> {
  let looked = 0;
  for (const item of items) {
    look(item);
    looked += 1;
    if (looked % STEP === 0) yield;
  }
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
