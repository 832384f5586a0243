import { DAY_MS, HOUR_MS } from '@postern/contract';
import type { MailKind } from '../../packages/service/src/model/mail-facts.ts';
import { between, deviceOf, own, type Place, somebody, whole } from './people.ts';
import type { SignUp } from './world.ts';

interface Crowd {
  /** At most this share of them may be flagged. */
  readonly promise: number;
  readonly people: (place: Place, group: string, perDay: number) => SignUp[];
}

/** People who come within some time, each ordinary but for what the crowd says. */
function gathering(
  place: Place,
  group: string,
  { people, days, hours }: { people: number; days: number; hours?: readonly [number, number] },
  more: (index: number) => Partial<SignUp> = () => ({}),
): SignUp[] {
  const { random, from, end } = place;
  const first = Math.floor(between(random, from, Math.max(from, end - days * DAY_MS)) / DAY_MS) * DAY_MS;
  return Array.from({ length: people }, (_, index) => {
    const [open, close] = hours ?? [7, 23];
    const day = first + Math.floor(random() * days) * DAY_MS;
    return somebody(place, day + between(random, open, close) * HOUR_MS, group, more(index));
  });
}

const office = (place: Place, mail: MailKind) => {
  const network = own('office');
  const domain = own('company');
  const models = Array.from({ length: 3 }, () => deviceOf(place, 'chrome-windows'));
  return (index: number): Partial<SignUp> => ({
    ...{ network, domain, mail, browser: 'chrome-windows' },
    device: models[index % 3] ?? null,
  });
};

type When = Parameters<typeof gathering>[2];

/** People who share nothing but a network. */
const onOneNetwork = (promise: number, name: string, when: When): Crowd => ({
  promise,
  people(place, group) {
    const network = own(name);
    return gathering(place, group, when, () => ({ network }));
  },
});

/** An office with machines of three models. */
const inOneOffice = (promise: number, mail: MailKind, when: When): Crowd => ({
  promise,
  people: (place, group) => gathering(place, group, when, office(place, mail)),
});

/** People who have something in common and harm no one. */
export const CROWDS: Readonly<Record<string, Crowd>> = {
  'club on a forwarder, over a month': {
    promise: 0.3,
    people(place, group) {
      const domain = own('club');
      const people = whole(place.random, 5, 15);
      return gathering(place, group, { people, days: 30 }, () => ({ mail: 'forwarder', domain }));
    },
  },
  'club on a forwarder, in one evening': {
    promise: 0.3,
    people(place, group) {
      const domain = own('club');
      const people = whole(place.random, 4, 9);
      const more = { mail: 'forwarder', domain } as const;
      return gathering(place, group, { people, days: 2, hours: [18, 23] }, () => more);
    },
  },
  'small company on a forwarder': inOneOffice(0.3, 'forwarder', { people: 10, days: 30 }),
  'company rolls out in one office': inOneOffice(0.05, 'hosted', { people: 45, days: 1, hours: [8, 12] }),
  'remote company': {
    promise: 0.01,
    people(place, group) {
      const domain = own('company');
      const people = whole(place.random, 10, 24);
      return gathering(place, group, { people, days: 14 }, () => ({ mail: 'hosted', domain }));
    },
  },
  'web host’s staff': inOneOffice(0.01, 'webhost', { people: 30, days: 5 }),
  'university’s first week': {
    promise: 0.01,
    people(place, group) {
      const domain = own('university');
      const campus = own('campus');
      return gathering(place, group, { people: 150, days: 7 }, (index) => ({
        ...(index % 3 > 0 && { network: campus }),
        ...(index % 4 > 0 && { mail: 'hosted', domain, institution: true }),
      }));
    },
  },
  dormitory: onOneNetwork(0.01, 'dormitory', { people: 40, days: 14, hours: [8, 26] }),
  hackathon: onOneNetwork(0.2, 'hall', { people: 80, days: 2, hours: [9, 22] }),
  conference: onOneNetwork(0.2, 'hall', { people: 120, days: 3, hours: [9, 18] }),
  'village behind one address': onOneNetwork(0.01, 'village', { people: 60, days: 25 }),
  'one phone model': {
    promise: 0.05,
    people(place, group) {
      const device = own('phone');
      return gathering(place, group, { people: 60, days: 20 }, () => ({ browser: 'ios', device }));
    },
  },
  'newsletter mention': {
    promise: 0.01,
    people: (place, group, perDay) =>
      gathering(place, group, { people: Math.max(30, 3 * perDay), days: 1, hours: [9, 15] }),
  },
  'country’s launch day': {
    promise: 0.01,
    people(place, group, perDay) {
      const carrier = () =>
        `abroad carrier ${whole(place.random, 0, 7)} gateway ${whole(place.random, 0, 15)}`;
      return gathering(place, group, { people: Math.max(60, 4 * perDay), days: 1 }, () =>
        place.random() < 0.5 ? { browser: 'android', network: carrier() } : {},
      );
    },
  },
  'Apple relay users': {
    promise: 0.01,
    people: (place, group) =>
      gathering(place, group, { people: 60, days: 10 }, () => ({
        ...{ mail: 'provider', domain: null, browser: 'ios', sharesNetwork: true },
        network: `relay ${whole(place.random, 0, 5)}`,
      })),
  },
  'school’s tablets': {
    promise: 0.05,
    people(place, group) {
      const network = own('school');
      const [domain, device] = [own('school'), deviceOf(place, 'ios')];
      return gathering(place, group, { people: 25, days: 1, hours: [8, 12] }, () => ({
        ...{ network, domain, device, mail: 'hosted', browser: 'ios' },
      }));
    },
  },
  'agency with clients’ domains': {
    promise: 0.01,
    people(place, group) {
      const network = own('agency');
      const domains = Array.from({ length: 8 }, () => own('client'));
      return gathering(place, group, { people: 16, days: 20 }, (index) => ({
        ...{ network, mail: 'webhost', domain: domains[index % 8] ?? '' },
      }));
    },
  },
  'customers of a regional web host': {
    promise: 0.01,
    people(place, group) {
      const mailHost = own('regional host');
      return gathering(place, group, { people: 40, days: 25 }, () => ({
        ...{ mail: 'own', domain: own('customer'), mailHost },
      }));
    },
  },
  'privacy browsers': {
    promise: 0.01,
    people: (place, group) =>
      gathering(place, group, { people: 40, days: 20 }, () => ({
        browser: 'firefox',
        device: 'firefox private',
      })),
  },
};
