import { DAY_MS, HOUR_MS } from '@postern/contract';
import type { BrowserClass } from '../../packages/service/src/model/browser-class.ts';
import type { MailKind } from '../../packages/service/src/model/mail-facts.ts';
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

const USUAL = { goal: (tries: number) => 10 + tries / 20, pace: [0.5, 3], days: 20 } as const;
const UNSEEN = () => Number.POSITIVE_INFINITY;
const proxy = () => own('proxy');
const several = (count: number, kind: string) => Array.from({ length: count }, () => own(kind));
const oneOf = ({ random }: Place, names: readonly string[]) =>
  names[whole(random, 0, names.length - 1)] ?? '';
const provider = { mail: 'provider', domain: null } as const;

/** Accounts on some domains, each of a network of its own. */
const onDomains =
  (count: number, mail: MailKind, mailHost?: string): Farm['account'] =>
  (place) => {
    const [domains, shared] = [
      several(count, 'farm'),
      mailHost === undefined ? {} : { mailHost: own(mailHost) },
    ];
    return () => ({ mail, domain: oneOf(place, domains), ...shared, network: proxy() });
  };

/** Provider addresses in one browser, each of a network of its own. */
const inOneBrowser = (browser: BrowserClass) => () => {
  const device = own('browser');
  return () => ({ ...provider, device, browser, network: proxy() });
};

/** Sign-up farms as they were published, and shapes beside them. What cannot be seen is here too. */
export const FARMS: Readonly<Record<string, Farm>> = {
  'one browser, one forwarder domain, a network each': {
    ...USUAL,
    account() {
      const [domain, device] = [own('farm'), own('browser')];
      return () => ({ mail: 'forwarder', domain, device, browser: 'chrome-windows', network: proxy() });
    },
  },
  'five forwarder domains, all different otherwise': {
    ...USUAL,
    pace: [1, 3],
    account: onDomains(5, 'forwarder'),
  },
  'a new forwarder domain every 10 to 40 accounts': {
    ...USUAL,
    pace: [0.3, 2],
    account(place) {
      let [domain, left] = ['', 0];
      return () => {
        if (left === 0) [domain, left] = [own('farm'), whole(place.random, 10, 40)];
        left -= 1;
        return { mail: 'forwarder', domain, network: proxy() };
      };
    },
  },
  'ten forwarder domains, fast': { ...USUAL, pace: [15, 25], days: 2, account: onDomains(10, 'forwarder') },
  'one forwarder domain, by day only': {
    ...USUAL,
    pace: [0.5, 2],
    dayHours: true,
    account() {
      const domain = own('farm');
      return () => ({ mail: 'forwarder', domain, network: proxy() });
    },
  },
  'web host’s catch-all, five domains': { ...USUAL, account: onDomains(5, 'webhost') },
  'eight domains on one mail server': { ...USUAL, account: onDomains(8, 'own', 'server') },
  'one domain on a server of its own': {
    ...USUAL,
    account() {
      const [domain, mailHost] = [own('farm'), own('server')];
      return () => ({ mail: 'own', domain, mailHost, network: proxy() });
    },
  },
  'one desktop browser, provider addresses, a network each': {
    ...USUAL,
    goal: (_tries, classPeople) => 3 + 0.03 * classPeople,
    account: inOneBrowser('chrome-windows'),
  },
  'four desktop browsers, 30 networks, provider addresses': {
    ...USUAL,
    goal: (_tries, classPeople) => 4 * (3 + 0.03 * classPeople),
    account(place) {
      const [browsers, networks] = [several(4, 'browser'), several(30, 'proxy')];
      return () => ({
        ...{ ...provider, browser: 'chrome-windows' },
        device: oneOf(place, browsers),
        network: oneOf(place, networks),
      });
    },
  },
  'one network, a browser each': {
    ...USUAL,
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
    ...USUAL,
    goal: (tries) => 2 * 25 + tries / 20,
    account: onDomains(2, 'hosted'),
  },
  'a forwarder domain for each one or two (cannot be seen)': {
    ...USUAL,
    goal: UNSEEN,
    account() {
      let domain = '';
      return (index) => {
        if (index % 2 === 0) domain = own('farm');
        return { mail: 'forwarder', domain, network: proxy() };
      };
    },
  },
  'a browser that says it is an iPhone (cannot be seen)': {
    ...USUAL,
    goal: UNSEEN,
    account: inOneBrowser('ios'),
  },
  'nothing shared (cannot be seen)': {
    ...USUAL,
    goal: UNSEEN,
    account: () => () => ({ ...provider, network: proxy(), device: own('browser') }),
  },
};

/** The tries of a farm, at a pace that it keeps. */
export function workOf(place: Place, name: string, { pace, days, dayHours, account }: Farm): SignUp[] {
  const [slow, fast] = pace;
  const { random, from, end } = place;
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
