import { describe, expect, it } from 'vitest';
import { ordinaryPeople, PLAIN, plantedFarm } from '../../test/support/farm-people.ts';
import { HOUR, START } from '../../test/support/store-fixtures.ts';
import type { SeenRow } from '../model/seen-row.ts';
import { type FoundCampaign, findCampaigns } from './find-campaigns.ts';
import type { KnownCampaign } from './link-people.ts';
import { gatherPeople } from './seen-people.ts';

function campaignsAmong(rows: readonly SeenRow[], known: readonly KnownCampaign[] = []): FoundCampaign[] {
  const people = gatherPeople();
  people.add(rows);
  const steps = findCampaigns(people.all(), known);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const sizes = (rows: readonly SeenRow[]) => campaignsAmong(rows).map(({ members }) => members.length);
const thingsOf = (campaign: FoundCampaign | undefined) =>
  campaign?.things.map(({ kind, name }) => `${kind} ${name}`);

const many = (count: number, person: (index: number) => Partial<SeenRow>): SeenRow[] =>
  Array.from({ length: count }, (_, index) => ({
    ...PLAIN,
    at: START + index * 1_000,
    inbox: `inbox-${index}`,
    device: null,
    network: '203.0.113.0',
    domain: 'someone.example',
    shape: 'a99',
    recommendation: 'allow',
    ...person(index),
  }));
/** The device check fails from the fourth person on. */
const accused = (index: number) => (index > 2 ? { accused: ['device'] as const } : {});

describe('campaigns', () => {
  it('are found whole among ordinary people, who are in none that is large', () => {
    const planted = plantedFarm();
    const [largest, ...others] = campaignsAmong([...ordinaryPeople(30_000), ...planted]);
    expect(new Set(largest?.members.map(({ person }) => person.inbox))).toEqual(
      new Set(planted.map(({ inbox }) => inbox)),
    );
    expect(largest?.spread).toMatchObject({ devices: 4, domains: 3, networks: 1 });
    expect(thingsOf(largest)).toContain('network 203.0.113.0');
    expect(largest?.members.every(({ because }) => because.kind !== 'campaign')).toBe(true);
    for (const other of others) expect(other.members.length).toBeLessThan(20);
  });

  it('hold the people of a device that speaks against them, however many networks it comes from', () => {
    const proxied = (index: number) => ({
      ...{ device: 'one', domain: `d${index}.example`, network: `10.0.${index}.0`, shape: null },
      ...accused(index),
    });
    expect(sizes(many(30, proxied))).toEqual([30]);
    // A model that many have: the check finds nothing against it.
    expect(sizes(many(30, (index) => ({ ...proxied(index), accused: [] })))).toEqual([]);
    // A family.
    expect(sizes(many(5, (index) => ({ device: 'one', ...accused(index) })))).toEqual([]);
  });

  it('hold the people of what a crowd gave away, and rented domains that follow each other', () => {
    const facts = { mailKind: 'forwarder', mailHost: 'cloudflare.net' } as const;
    const rented = (index: number) => ({
      ...{ facts, domain: `farm-${index % 4}.com`, network: `10.0.${index}.0`, shape: null },
      ...{ at: START + index * 10 * HOUR, device: `own-${index}` },
      ...(index > 8 && { accused: ['domain'] as const }),
    });
    const [campaign, ...others] = campaignsAmong(many(20, rented));
    expect([campaign?.members.length, others]).toEqual([20, []]);
    expect(new Set(thingsOf(campaign))).toEqual(
      new Set([0, 1, 2, 3].map((index) => `domain farm-${index}.com`)),
    );
    const own = (index: number) => ({
      ...{ facts: { mailKind: 'own', mailHost: '192.0.2.7' } as const, domain: `own-${index % 9}.com` },
      ...{ shape: null, at: START + index * 10 * HOUR, ...(index > 8 && { accused: ['mailHost'] as const }) },
    });
    expect(thingsOf(campaignsAmong(many(18, own))[0])).toContain('mailHost 192.0.2.7');
  });

  it('join two shared devices in one network by a domain, but not by a mail provider or a network of many', () => {
    const two = (traits: (index: number) => Partial<SeenRow>) =>
      many(12, (index) => ({
        device: `device-${index % 2}`,
        shape: null,
        accused: ['device'],
        ...traits(index),
      }));
    expect(sizes(two(() => ({})))).toEqual([12]);
    expect(sizes(two(() => ({ domain: 'gmail.com' })))).toEqual([6, 6]);
    expect(sizes(two((index) => ({ network: `10.0.${index % 2}.0` })))).toEqual([6, 6]);
    expect(sizes(two((index) => ({ at: START + (index % 2) * 24 * 10 * HOUR })))).toEqual([6, 6]);
    // The same pattern joins them even at a mail provider.
    expect(sizes(two(() => ({ domain: 'gmail.com', shape: 'a99' })))).toEqual([12]);
    expect(thingsOf(campaignsAmong(two(() => ({ domain: 'gmail.com', shape: 'a99' })))[0])).not.toContain(
      'domain gmail.com',
    );
  });

  it('hold a burst of one pattern without devices, from one network or from many, and no slow stream of it', () => {
    expect(sizes(many(12, () => ({})))).toEqual([12]);
    expect(sizes(many(25, (index) => ({ network: `10.0.${index}.0` })))).toEqual([25]);
    expect(sizes(many(12, () => ({ domain: 'gmail.com' })))).toEqual([]);
    expect(sizes(many(40, (index) => ({ at: START + index * HOUR })))).toEqual([]);
    expect(sizes(many(40, (index) => ({ shape: `a${'9'.repeat(index % 4)}` })))).toEqual([]);
    const gmail = (count: number) =>
      many(count + 60, (index) => ({
        ...{ domain: 'gmail.com', network: `10.0.${index}.0`, shape: index < count ? 'a9999' : null },
      }));
    expect([sizes(gmail(80)), sizes(gmail(25))]).toEqual([[80], []]);
  });

  it('hold a burst of strangers, of servers or of people who were stopped, and no class or company', () => {
    const strangers = (index: number) => ({ shape: null, network: `10.0.${index}.0` });
    expect(sizes(many(25, strangers))).toEqual([25]);
    expect(sizes(many(25, () => ({ shape: null })))).toEqual([]);
    expect(sizes(many(25, () => ({ shape: null, facts: { ipKind: 'hosting' } })))).toEqual([25]);
    expect(sizes(many(25, () => ({ shape: null, recommendation: 'block' })))).toEqual([25]);
    // What the project’s own list blocks says nothing new.
    expect(sizes(many(25, () => ({ shape: null, recommendation: 'block', listed: 'block' })))).toEqual([]);
    expect(sizes(many(25, (index) => ({ ...strangers(index), listed: 'allow' })))).toEqual([]);
    expect(sizes(many(40, (index) => ({ ...strangers(index), device: `own-${index}` })))).toEqual([]);
    expect(sizes(many(40, () => ({ domain: 'harvard.edu' })))).toEqual([]);
    expect(sizes(many(40, () => ({ facts: { mailKind: 'hosted' } })))).toEqual([]);
    expect(sizes(many(60, (index) => ({ ...strangers(index), domain: 'gmail.com' })))).toEqual([]);
  });

  it('go on with whoever comes with what is behind them, for a while', () => {
    const known: KnownCampaign = {
      ...{ id: 'one', lastSeen: START, decided: false },
      things: [
        { kind: 'domain', name: 'farm.example' },
        { kind: 'network', name: '198.51.100.0' },
      ],
      inboxes: new Set(['inbox-0']),
    };
    const later = (at: number, person: Partial<SeenRow>) =>
      campaignsAmong(
        many(2, (index) => (index === 0 ? {} : { at, domain: 'gmail.com', ...person })),
        [known],
      ).map((found) => [found.known.length, found.members.length]);
    expect(later(START + HOUR, { domain: 'mail.farm.example' })).toEqual([[1, 2]]);
    expect(later(START + HOUR, { network: '198.51.100.0' })).toEqual([[1, 2]]);
    expect(later(START + HOUR, { network: '198.51.100.0', device: 'own' })).toEqual([[1, 1]]);
    expect(later(START + 48 * HOUR, { network: '198.51.100.0' })).toEqual([[1, 1]]);
    expect(later(START + 400 * HOUR, { domain: 'farm.example' })).toEqual([[1, 1]]);
  });
});
