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

/** `shared`: with several people. `own`: with nobody, or one. `unknown`: no device, or one that many strangers have. */
type DeviceUse = 'shared' | 'own' | 'unknown';

/** What many unrelated people have in common, and so says nothing about two of them. */
export interface Crowds {
  /** People by device, without devices that many strangers have. Numbers are places in the list of people. */
  readonly devices: ReadonlyMap<string, readonly number[]>;
  readonly networks: ReadonlyMap<string, readonly number[]>;
  readonly domains: ReadonlyMap<string, readonly number[]>;
  deviceUse(person: number): DeviceUse;
  isCommonNetwork(network: string): boolean;
  isCommonDomain(domain: string): boolean;
}

/** `commonNetworks`: from how many networks on a device’s fingerprint is one that many people have. */
export function* countCrowds(people: readonly SeenPerson[], commonNetworks: number): Generator<void, Crowds> {
  const devices = groupPeople(people, ({ devices: used }) => used);
  for (const [device, group] of devices) {
    if (group.length > 1 && countDistinct(people, group, ({ networks }) => networks) >= commonNetworks)
      devices.delete(device);
  }
  yield;
  const networks = groupPeople(people, (person) => person.networks);
  yield;
  const domains = groupPeople(people, ({ domain }) => [domain]);
  yield;
  const uses = people.map(({ devices: used }): DeviceUse => {
    let use: DeviceUse = 'unknown';
    for (const device of used) {
      const size = devices.get(device)?.length ?? 0;
      if (size >= SHARED_DEVICE) return 'shared';
      if (size > 0) use = 'own';
    }
    return use;
  });
  const deviceUse = (person: number): DeviceUse => uses[person] ?? 'unknown';
  return {
    devices,
    networks,
    domains,
    deviceUse,
    isCommonNetwork: remembered((network) => {
      const group = networks.get(network) ?? [];
      const own = group.filter((index) => deviceUse(index) === 'own').length;
      if (own > COMMON_NETWORK_PEOPLE) return true;
      const others = countDistinct(people, group, ({ domain }) => (isMailProvider(domain) ? [] : [domain]));
      return others > COMMON_NETWORK_DOMAINS;
    }),
    isCommonDomain: remembered((domain) => {
      if (isMailProvider(domain) || relayOf(domain) !== undefined) return true;
      const group = domains.get(domain) ?? [];
      return countDistinct(people, group, (person) => person.networks) > COMMON_DOMAIN_NETWORKS;
    }),
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

function countDistinct(
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

function remembered(ask: (name: string) => boolean): (name: string) => boolean {
  const answers = new Map<string, boolean>();
  return (name) => {
    const known = answers.get(name);
    if (known !== undefined) return known;
    const answer = ask(name);
    answers.set(name, answer);
    return answer;
  };
}
