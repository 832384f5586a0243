import { DAY_MS, HOUR_MS } from '@postern/contract';
import { browserOf, own, type Place, somebody, whole } from './people.ts';
import type { SignUp } from './world.ts';

interface Farm {
  /** How many accounts it may get of this many tries. */
  readonly goal: (tries: number, classPeople: number, perDay: number) => number;
  /** Accounts an hour. */
  readonly pace: readonly [number, number];
  readonly days: number;
  readonly dayHours?: true;
  readonly account: (place: Place) => (index: number) => Partial<SignUp>;
}

const TEN_AND_A_TWENTIETH = (tries: number) => 10 + tries / 20;
const UNSEEN = () => Number.POSITIVE_INFINITY;
const proxy = () => own('proxy');
const domains = (count: number) => Array.from({ length: count }, () => own('farm'));
const provider = { mail: 'provider', domain: null } as const;

/** Sign-up farms as they were published, and shapes beside them. What cannot be seen is here too. */
export const FARMS: Readonly<Record<string, Farm>> = {
  'one browser, one forwarder domain, a network each': {
    goal: TEN_AND_A_TWENTIETH,
    pace: [0.5, 3],
    days: 20,
    account() {
      const [domain, device] = [own('farm'), own('browser')];
      return () => ({ mail: 'forwarder', domain, device, browser: 'chrome-windows', network: proxy() });
    },
  },
  'five forwarder domains, all different otherwise': {
    goal: TEN_AND_A_TWENTIETH,
    pace: [1, 3],
    days: 20,
    account(place) {
      const five = domains(5);
      return () => ({ mail: 'forwarder', domain: five[whole(place.random, 0, 4)] ?? '', network: proxy() });
    },
  },
  'a new forwarder domain every 10 to 40 accounts': {
    goal: TEN_AND_A_TWENTIETH,
    pace: [0.3, 2],
    days: 20,
    account(place) {
      let [domain, left] = ['', 0];
      return () => {
        if (left === 0) [domain, left] = [own('farm'), whole(place.random, 10, 40)];
        left -= 1;
        return { mail: 'forwarder', domain, network: proxy() };
      };
    },
  },
  'ten forwarder domains, fast': {
    goal: TEN_AND_A_TWENTIETH,
    pace: [15, 25],
    days: 2,
    account(place) {
      const ten = domains(10);
      return () => ({ mail: 'forwarder', domain: ten[whole(place.random, 0, 9)] ?? '', network: proxy() });
    },
  },
  'one forwarder domain, by day only': {
    goal: TEN_AND_A_TWENTIETH,
    pace: [0.5, 2],
    days: 20,
    dayHours: true,
    account() {
      const domain = own('farm');
      return () => ({ mail: 'forwarder', domain, network: proxy() });
    },
  },
  'web host’s catch-all, five domains': {
    goal: TEN_AND_A_TWENTIETH,
    pace: [0.5, 3],
    days: 20,
    account(place) {
      const five = domains(5);
      return () => ({ mail: 'webhost', domain: five[whole(place.random, 0, 4)] ?? '', network: proxy() });
    },
  },
  'eight domains on one mail server': {
    goal: TEN_AND_A_TWENTIETH,
    pace: [0.5, 3],
    days: 20,
    account(place) {
      const [eight, mailHost] = [domains(8), own('server')];
      return () => ({
        mail: 'own',
        domain: eight[whole(place.random, 0, 7)] ?? '',
        mailHost,
        network: proxy(),
      });
    },
  },
  'one domain on a server of its own': {
    goal: TEN_AND_A_TWENTIETH,
    pace: [0.5, 3],
    days: 20,
    account() {
      const [domain, mailHost] = [own('farm'), own('server')];
      return () => ({ mail: 'own', domain, mailHost, network: proxy() });
    },
  },
  'one desktop browser, provider addresses, a network each': {
    goal: (_tries, classPeople) => 3 + 0.03 * classPeople,
    pace: [0.5, 3],
    days: 20,
    account() {
      const device = own('browser');
      return () => ({ ...provider, device, browser: 'chrome-windows', network: proxy() });
    },
  },
  'four desktop browsers, 30 networks, provider addresses': {
    goal: (_tries, classPeople) => 4 * (3 + 0.03 * classPeople),
    pace: [0.5, 3],
    days: 20,
    account(place) {
      const browsers = Array.from({ length: 4 }, () => own('browser'));
      const networks = Array.from({ length: 30 }, proxy);
      return () => ({
        ...provider,
        device: browsers[whole(place.random, 0, 3)] ?? null,
        browser: 'chrome-windows',
        network: networks[whole(place.random, 0, 29)] ?? '',
      });
    },
  },
  'one network, a browser each': {
    // 30 and 1% of the week’s people, and until it has lasted for 16 hours.
    goal: (tries, _classPeople, perDay) => 45 + 0.07 * perDay + tries / 20,
    pace: [1, 3],
    days: 7,
    account() {
      const network = own('network');
      return () => ({ ...provider, network, device: own('browser') });
    },
  },
  'company mail’s catch-all, two domains': {
    goal: (tries) => 2 * 25 + tries / 20,
    pace: [0.5, 3],
    days: 20,
    account(place) {
      const two = domains(2);
      return () => ({ mail: 'hosted', domain: two[whole(place.random, 0, 1)] ?? '', network: proxy() });
    },
  },
  'a forwarder domain for each one or two (cannot be seen)': {
    goal: UNSEEN,
    pace: [0.5, 3],
    days: 20,
    account() {
      let domain = '';
      return (index) => {
        if (index % 2 === 0) domain = own('farm');
        return { mail: 'forwarder', domain, network: proxy() };
      };
    },
  },
  'a browser that says it is an iPhone (cannot be seen)': {
    goal: UNSEEN,
    pace: [0.5, 3],
    days: 20,
    account() {
      const device = own('browser');
      return () => ({ ...provider, device, browser: 'ios', network: proxy() });
    },
  },
  'nothing shared (cannot be seen)': {
    goal: UNSEEN,
    pace: [0.5, 3],
    days: 20,
    account: () => () => ({ ...provider, network: proxy(), device: own('browser') }),
  },
};

/** The tries of a farm, at a pace that it keeps. */
export function workOf(place: Place, name: string, { pace, days, dayHours, account }: Farm): SignUp[] {
  const { random, from, end } = place;
  const [slow, fast] = pace;
  const perHour = slow + random() * (fast - slow);
  const start = from + random() * Math.max(0, end - from - days * DAY_MS);
  const tries = Math.round(perHour * days * (dayHours ? 14 : 24));
  const times = Array.from({ length: tries }, () =>
    dayHours
      ? Math.floor(start / DAY_MS + random() * days) * DAY_MS + (8 + 14 * random()) * HOUR_MS
      : start + random() * days * DAY_MS,
  ).sort((one, other) => one - other);
  const accountOf = account(place);
  return times.map((at, index) =>
    somebody(place, at, name, { browser: browserOf(random), ...accountOf(index) }),
  );
}

export const isForwarderFarm = (name: string): boolean => /forwarder|web host/.test(name);
