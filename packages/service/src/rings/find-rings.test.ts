import { describe, expect, it } from 'vitest';
import { ordinaryPeople, plantedRing } from '../../test/support/ring-people.ts';
import { HOUR, START } from '../../test/support/store-fixtures.ts';
import type { SeenRow } from '../model/seen-row.ts';
import { findRings, type Ring } from './find-rings.ts';
import { gatherPeople } from './seen-people.ts';

const COMMON_NETWORKS = 10;

function ringsAmong(sightings: readonly SeenRow[]): Ring[] {
  const people = gatherPeople();
  people.add(sightings);
  const steps = findRings(people.all(), COMMON_NETWORKS);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const inboxesOf = ({ members }: Ring) => members.map(({ person }) => person.inbox);

const many = (count: number, person: (index: number) => Partial<SeenRow>): SeenRow[] =>
  Array.from({ length: count }, (_, index) => ({
    at: START + index * 1_000,
    inbox: `inbox-${index}`,
    device: null,
    network: '203.0.113.0',
    domain: 'someone.example',
    shape: 'a99',
    recommendation: 'allow',
    ...person(index),
  }));

describe('rings', () => {
  it('are found whole among ordinary people, who are in none that is large', () => {
    const planted = plantedRing();
    const [largest, ...others] = ringsAmong([...ordinaryPeople(30_000), ...planted]);
    expect(largest && new Set(inboxesOf(largest))).toEqual(new Set(planted.map(({ inbox }) => inbox)));
    expect(largest).toMatchObject({
      networks: [{ name: '203.0.113.0', people: 103, others: 0, isCommon: false }],
      firstSeen: Math.min(...planted.map(({ at }) => at)),
      lastSeen: Math.max(...planted.map(({ at }) => at)),
    });
    expect([largest?.devices.length, largest?.domains.length]).toEqual([4, 3]);
    for (const ring of others) expect(ring.members.length).toBeLessThan(20);
  });

  it('say why each member is in it', () => {
    const [ring] = ringsAmong(plantedRing());
    const [first] = ring?.members ?? [];
    expect(first?.links[0]).toEqual({ kind: 'device', device: first?.person.devices[0] });
    const kinds = new Set(ring?.members.flatMap(({ links }) => links.map(({ kind }) => kind)));
    expect(kinds).toContain('network_domain');
    expect(ring?.members.every(({ links }) => links.length > 0)).toBe(true);
  });

  it('hold the people of one device, unless many strangers have such a device', () => {
    const [ring, ...others] = ringsAmong(
      many(6, (index) => ({ device: 'one', domain: `d${index}.example`, network: null, shape: null })),
    );
    expect([ring?.members.length, others]).toEqual([6, []]);
    expect(
      ringsAmong(many(30, (index) => ({ device: 'popular', shape: null, network: `10.0.${index}.0` }))),
    ).toEqual([]);
    // A family.
    expect(ringsAmong(many(4, () => ({ device: 'one' })))).toEqual([]);
  });

  it('join two shared devices in one network by a domain, but not by a mail provider or a network of many', () => {
    const two = (traits: (index: number) => Partial<SeenRow>) =>
      many(12, (index) => ({ device: `device-${index % 2}`, shape: null, ...traits(index) }));
    expect(ringsAmong(two(() => ({}))).map(({ members }) => members.length)).toEqual([12]);
    const sizes = (sightings: readonly SeenRow[]) => ringsAmong(sightings).map((ring) => ring.members.length);
    expect(sizes(two(() => ({ domain: 'gmail.com' })))).toEqual([6, 6]);
    expect(sizes(two((index) => ({ network: `10.0.${index % 2}.0` })))).toEqual([6, 6]);
    expect(sizes(two((index) => ({ at: START + (index % 2) * 24 * 10 * HOUR })))).toEqual([6, 6]);
    const carrier = many(60, (index) => ({
      inbox: `own-${index}`,
      device: `own-${index}`,
      domain: 'gmail.com',
    }));
    expect(sizes([...two(() => ({})), ...carrier])).toEqual([6, 6]);
    // The same pattern joins them even at a mail provider.
    expect(sizes(two(() => ({ domain: 'gmail.com', shape: 'a99' })))).toEqual([12]);
  });

  it('hold a burst of one pattern without devices, from one network or from many, and no slow stream of it', () => {
    const sizes = (sightings: readonly SeenRow[]) => ringsAmong(sightings).map((ring) => ring.members.length);
    expect(sizes(many(12, () => ({})))).toEqual([12]);
    expect(sizes(many(25, (index) => ({ network: `10.0.${index}.0` })))).toEqual([25]);
    expect(sizes(many(12, () => ({ domain: 'gmail.com' })))).toEqual([]);
    expect(sizes(many(40, (index) => ({ at: START + index * HOUR })))).toEqual([]);
    expect(sizes(many(40, (index) => ({ shape: `a${'9'.repeat(index % 4)}` })))).toEqual([]);
    // A class that signs up together, each on a device of their own.
    expect(sizes(many(40, (index) => ({ device: `own-${index}` })))).toEqual([]);
  });
});
