import { DAY_MS, HOUR_MS } from '@postern/contract';
import { describe, expect, it } from 'vitest';
import { type CrowdCase, type CrowdPerson, judgeCrowd, type ProjectPeople } from './crowds.ts';

const NOW = Date.UTC(2026, 10, 18, 12);
const PROJECT: ProjectPeople = {
  since: NOW - 20 * DAY_MS,
  week: 100,
  month: 400,
  byBrowser: { linux: 100, ios: 100 },
  byMail: { provider: 380, forwarder: 20 },
  rentedDomains: 10,
  rentedPairs: 1,
  rentedThrees: 0,
  campaignAt: null,
};

/** People who came one after the other, strangers with a device and a network each. */
function people(count: number, more: (index: number) => Partial<CrowdPerson> = () => ({})): CrowdPerson[] {
  return Array.from({ length: count }, (_, index) => ({
    at: NOW - (count - index) * HOUR_MS,
    inbox: `i${index}`,
    network: `n${index}`,
    device: `d${index}`,
    domain: 'farm',
    mail: 'forwarder',
    browser: 'linux',
    hosting: false,
    institution: false,
    confirmed: true,
    accused: false,
    outcome: null,
    ...more(index),
  }));
}

const crowd = (found: readonly CrowdPerson[], more: Partial<CrowdCase> = {}): CrowdCase => ({
  people: found,
  since: found[0]?.at ?? NOW,
  older: 0,
  isFull: false,
  now: NOW,
  mail: 'forwarder',
  network: 'elsewhere',
  institution: false,
  ...more,
});

const ruleOf = (...judged: Parameters<typeof judgeCrowd>) => judgeCrowd(...judged)?.rule;
const domain = (found: readonly CrowdPerson[], more: Partial<CrowdCase> = {}, project = PROJECT) =>
  ruleOf('domain', crowd(found, more), project);

it('whom strangers claim excuses nobody whom a backend confirmed', () => {
  const claims = people(10, (index) => ({ confirmed: false, network: 'one', inbox: `c${index}` }));
  const judged = judgeCrowd('domain', crowd([...claims, ...people(12)], { mail: 'own' }), PROJECT);
  expect(judged).toMatchObject({ rule: 'own-domain', people: 12 });
  expect(judged).not.toHaveProperty('flagsOnly');
});

describe('a domain', () => {
  it('on a forwarder is a crowd from five people in seven days on', () => {
    expect([domain(people(4)), domain(people(5))]).toEqual([undefined, 'rented-domain']);
    const inOnePlace = (count: number) => domain(people(count, () => ({ network: 'home' })));
    expect([inOnePlace(9), inOnePlace(10)]).toEqual([undefined, 'rented-domain']);
    expect(domain(people(5, (index) => ({ at: NOW - (9 - index) * DAY_MS })))).toBeUndefined();
  });

  it('on a web host is one only if its people are in different networks, as no office is', () => {
    const webhost = { mail: 'webhost' } as const;
    expect(domain(people(5), webhost)).toBe('rented-domain');
    expect(
      domain(
        people(20, () => ({ network: 'office' })),
        webhost,
      ),
    ).toBeUndefined();
  });

  it('that is new is one from the second person of a day on while a campaign is remembered', () => {
    const campaign = { ...PROJECT, campaignAt: NOW - 13 * DAY_MS };
    expect(domain(people(1), {}, campaign)).toBe('campaign-domain');
    expect(domain(people(1), { network: 'n0' }, campaign)).toBeUndefined();
    expect(domain(people(1), { since: NOW - 8 * DAY_MS }, campaign)).toBeUndefined();
    expect(domain(people(1), { mail: 'hosted' }, campaign)).toBeUndefined();
    expect(domain(people(1), {}, { ...PROJECT, campaignAt: NOW - 15 * DAY_MS })).toBeUndefined();
  });

  it('is one of a wave while many rented domains bring a second person, however slowly', () => {
    const wave = { ...PROJECT, rentedDomains: 20, rentedPairs: 6 };
    const slow = people(3, (index) => ({ at: NOW - (7 - 2 * index) * DAY_MS + HOUR_MS }));
    const old = { since: NOW - 20 * DAY_MS };
    expect([domain(slow, old, wave), domain(slow, old)]).toEqual(['campaign-domain', undefined]);
    expect(domain(slow.slice(0, 1), old, wave)).toBeUndefined();
    expect(domain(people(1), {}, wave)).toBe('campaign-domain');
    expect(domain(slow, { ...old, older: 1 }, wave)).toBeUndefined();
    expect(domain(slow, old, { ...PROJECT, rentedThrees: 6 })).toBe('campaign-domain');
    // Some clubs, and people who share a domain of their own.
    expect(domain(slow, old, { ...PROJECT, rentedThrees: 5 })).toBeUndefined();
    expect(domain(slow, old, { ...PROJECT, rentedDomains: 20, rentedPairs: 5 })).toBeUndefined();
  });

  it('of a company is one from 25 people on, on a host of its own from 10, and an institution’s never', () => {
    const hosted = { mail: 'hosted' } as const;
    expect([domain(people(24), hosted), domain(people(25), hosted)]).toEqual([undefined, 'company-domain']);
    expect(
      domain(
        people(25, () => ({ at: NOW - HOUR_MS })),
        hosted,
      ),
    ).toBeUndefined();
    expect(domain(people(10), { mail: 'own' })).toBe('own-domain');
    for (const mail of ['hosted', 'own', 'forwarder'] as const)
      expect(domain(people(150), { mail, institution: true })).toBeUndefined();
  });

  it('whose DNS does not answer is judged by what it said before, else as a company’s', () => {
    const unknown = { mail: 'unknown' } as const;
    expect(domain(people(5), unknown)).toBe('rented-domain');
    expect(
      domain(
        people(24, () => unknown),
        unknown,
      ),
    ).toBeUndefined();
    expect(
      domain(
        people(25, () => unknown),
        unknown,
      ),
    ).toBe('company-domain');
  });

  it('may bring twice as many once ten people came quietly long ago', () => {
    expect([domain(people(9), { older: 10 }), domain(people(10), { older: 10 })]).toEqual([
      undefined,
      'rented-domain',
    ]);
  });
});

it('a mail server is a crowd if several domains each bring more than one', () => {
  const host = (domains: number) =>
    ruleOf('mailHost', crowd(people(16, (index) => ({ domain: `of ${index % domains}` }))), PROJECT);
  expect([1, 2, 10, 16].map(host)).toEqual([undefined, 'mail-host', 'mail-host', undefined]);
});

describe('a network', () => {
  const network = (found: readonly CrowdPerson[]) => ruleOf('network', crowd(found), PROJECT);
  const here = (count: number, more: (index: number) => Partial<CrowdPerson> = () => ({})) =>
    people(count, (index) => ({ network: 'n', domain: '', mail: 'provider', ...more(index) }));

  it('is a crowd from 30 people and 1% of the week’s on, if they come for days or around the clock', () => {
    expect([network(here(30)), network(here(31))]).toEqual([undefined, 'network']);
    const evenings = (index: number) => ({ at: NOW - (index % 2) * DAY_MS - (index % 6) * HOUR_MS });
    expect(network(here(120, evenings))).toBeUndefined();
    expect(network(here(160, evenings))).toBe('network');
    const large = { ...PROJECT, week: 7_000 };
    const inLarge = (count: number) => ruleOf('network', crowd(here(count, evenings)), large);
    expect([inLarge(189), inLarge(190)]).toEqual([undefined, 'network']);
  });

  it('may bring five times as many phones, three times a company, and any number of an institution', () => {
    expect(network(here(100, () => ({ browser: 'android' })))).toBeUndefined();
    expect(network(here(100, () => ({ browser: 'android', device: 'one' })))).toBe('network');
    expect(network(here(90, () => ({ domain: 'company', mail: 'hosted' })))).toBeUndefined();
    expect(network(here(100, () => ({ domain: 'company', mail: 'hosted' })))).toBe('network');
    expect(network(here(150, () => ({ domain: 'school', institution: true })))).toBeUndefined();
  });
});

describe('a device', () => {
  const device = (found: readonly CrowdPerson[], project = PROJECT) =>
    ruleOf('device', crowd(found), project);
  const at =
    (mail: CrowdPerson['mail'], more: Partial<CrowdPerson> = {}) =>
    () => ({
      ...{ device: 'd', domain: '', mail },
      ...more,
    });

  it('that shows its hardware is a crowd from three people and 3% of the others with the browser on', () => {
    expect([3, 4, 5].map((count) => device(people(count, at('provider'))))).toEqual([
      ...[undefined, undefined, 'device-share'],
    ]);
    expect(device(people(20, at('provider', { network: 'one' })))).toBeUndefined();
    expect(device(people(20, at('hosted', { domain: 'company' })))).toBeUndefined();
  });

  it('is one sooner within a day, and of people with rented mail, in a project with many people', () => {
    const many = { ...PROJECT, month: 30_000, byBrowser: { linux: 3_000 } };
    expect([15, 16].map((count) => device(people(count, at('provider')), many))).toEqual([
      ...[undefined, 'device-share'],
    ]);
    const slowly = (count: number, mailOf: (index: number) => CrowdPerson['mail']) =>
      people(count, (index) => ({ ...at(mailOf(index))(), at: NOW - (count - index) * DAY_MS }));
    expect(
      device(
        slowly(16, () => 'provider'),
        many,
      ),
    ).toBeUndefined();
    expect(
      [7, 8].map((count) =>
        device(
          slowly(count, () => 'webhost'),
          many,
        ),
      ),
    ).toEqual([...[undefined, 'device-mix']]);
    expect(
      device(
        slowly(8, (index) => (index % 2 ? 'webhost' : 'provider')),
        many,
      ),
    ).toBeUndefined();
  });

  it('of more people than are remembered is judged by their pace', () => {
    const many = { ...PROJECT, month: 30_000, byBrowser: { linux: 10_000 } };
    const full = (days: number) => {
      const found = people(200, (index) => ({
        ...at('provider')(),
        at: NOW - ((200 - index) * days * DAY_MS) / 200,
      }));
      return judgeCrowd('device', crowd(found, { isFull: true }), many)?.rule;
    };
    expect([full(30), full(5)]).toEqual([undefined, 'device-share']);
  });

  it('that hides its hardware is judged by how the mail of its people is received, whatever the networks', () => {
    const phones = (mail: CrowdPerson['mail']) => people(60, at(mail, { browser: 'ios' }));
    expect(device(phones('provider'))).toBeUndefined();
    expect(device(phones('forwarder'))).toBe('device-mix');
    expect(device(phones('forwarder'), { ...PROJECT, byMail: { forwarder: 300 } })).toBeUndefined();
  });
});

describe('nobody is accused', () => {
  it('by a young project, which says so', () => {
    const judged = (project: ProjectPeople) => judgeCrowd('domain', crowd(people(9)), project)?.learning;
    expect(judged(PROJECT)).toBeUndefined();
    expect(judged({ ...PROJECT, since: NOW - DAY_MS })).toBe(true);
    expect(judged({ ...PROJECT, month: 28 })).toBe(true);
  });

  it('because of a thing with two good people and no bad one', () => {
    const known = (...outcomes: CrowdPerson['outcome'][]) =>
      domain(people(9, (index) => ({ outcome: outcomes[index] ?? null })));
    expect(known('good', 'good')).toBeUndefined();
    expect(known('good', 'good', 'bad')).toBe('rented-domain');
    expect(known('good')).toBe('rented-domain');
  });

  it('for good because of what only client keys claim', () => {
    const judged = (confirmed: number) =>
      judgeCrowd('domain', crowd(people(9, (index) => ({ confirmed: index < confirmed }))), PROJECT)
        ?.flagsOnly;
    expect([judged(4), judged(5)]).toEqual([true, undefined]);
  });
});
