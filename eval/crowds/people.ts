import { DAY_MS, HOUR_MS } from '@postern/contract';
import type { BrowserClass } from '../../packages/service/src/model/browser-class.ts';
import type { SignUp } from './world.ts';

export type Random = () => number;

/** Where the stories of a run take place. The numbers of people and devices are estimates, not measurements. */
export interface Place {
  readonly random: Random;
  /** When the run begins, and when crowds and farms may. */
  readonly start: number;
  readonly from: number;
  readonly end: number;
  /** How large the commonest share of people with one fingerprint is, by browser. */
  readonly commonest: Readonly<Record<BrowserClass, number>>;
}

export const between = (random: Random, low: number, high: number): number => low + random() * (high - low);
export const whole = (random: Random, low: number, high: number): number =>
  Math.floor(between(random, low, high + 1));

const BROWSERS: readonly (readonly [BrowserClass, number])[] = [
  ['ios', 0.27],
  ['android', 0.26],
  ['chrome-windows', 0.22],
  ['mac', 0.11],
  ['edge-windows', 0.06],
  ['firefox', 0.04],
  ['linux', 0.02],
  ['other', 0.02],
];

export function placeOf(random: Random, start: number, from: number, end: number): Place {
  const commonest = {
    ios: between(random, 0.2, 0.5),
    mac: between(random, 0.08, 0.2),
    firefox: between(random, 0.3, 0.6),
    android: between(random, 0.01, 0.04),
    'chrome-windows': between(random, 0.002, 0.01),
    'edge-windows': between(random, 0.002, 0.012),
    linux: between(random, 0.005, 0.03),
    other: 0.001,
  };
  return { random, start, from, end, commonest };
}

let strangers = 0;
/** A name that no other person has. */
export const own = (kind: string): string => {
  strangers += 1;
  return `${kind} ${strangers}`;
};

export function browserOf(random: Random): BrowserClass {
  let rest = random();
  for (const [browser, share] of BROWSERS) {
    rest -= share;
    if (rest < 0) return browser;
  }
  return 'other';
}

/** The fingerprint of a person’s machine: the commonest one, one of some common ones, or one of its own. */
export function deviceOf({ random, commonest }: Place, browser: BrowserClass): string {
  if (random() < commonest[browser]) return `${browser} commonest`;
  return random() < 0.4 ? `${browser} model ${Math.floor(400 * random() ** 2)}` : own(`${browser} machine`);
}

/** Phones often come through a carrier’s gateways; homes have a network of their own. */
function networkOf(random: Random, browser: BrowserClass, country = 'home'): string {
  const isPhone = browser === 'ios' || browser === 'android';
  if (isPhone && random() < 0.5)
    return `${country} carrier ${Math.floor(8 * random() ** 1.5)} gateway ${Math.floor(60 * random())}`;
  return random() < 0.1 ? `${country} isp block ${Math.floor(3_000 * random())}` : own(`${country} line`);
}

/** An ordinary person, with what is said about them besides. */
export function somebody(place: Place, at: number, group = '', more: Partial<SignUp> = {}): SignUp {
  const { random } = place;
  const browser = more.browser ?? browserOf(random);
  const device = random() < 0.05 ? null : deviceOf(place, browser);
  return {
    at: Math.floor(at),
    group,
    ...(more.mail === undefined ? mailOf(random) : NO_DOMAIN),
    browser,
    device,
    network: networkOf(random, browser),
    ...more,
  };
}

const NO_DOMAIN = { mail: 'provider', domain: null } as const;

/** Most people are at a provider; others have a domain of their own, a company’s or a school’s. */
function mailOf(random: Random): Pick<SignUp, 'mail' | 'domain' | 'mailHost' | 'institution'> {
  const share = random();
  if (share < 0.85) return { mail: 'provider', domain: null };
  if (share < 0.865) return { mail: 'forwarder', domain: own('private') };
  if (share < 0.9)
    return { mail: 'webhost', domain: random() < 0.9 ? own('shop') : `shop ${whole(random, 0, 400)}` };
  if (share < 0.95)
    return { mail: 'hosted', domain: random() < 0.7 ? own('company') : `company ${whole(random, 0, 600)}` };
  if (share < 0.975) {
    const host = `regional host ${whole(random, 0, 40)}`;
    return { mail: 'own', domain: own('firm'), mailHost: random() < 0.5 ? host : own('mail host') };
  }
  return { mail: 'hosted', domain: `university ${whole(random, 0, 30)}`, institution: true };
}

/** A time of day when people are awake. */
function atDaytime(random: Random, from: number, to: number): number {
  for (;;) {
    const at = between(random, from, to);
    const hour = (at / HOUR_MS) % 24;
    const isNight = hour < 6;
    if (!isNight || random() < 0.15) return at;
  }
}

/** Everybody who comes by themselves, as many a day as the project’s size says, fewer at night. */
export function ordinaryLife(place: Place, perDay: number): SignUp[] {
  const { random, start, end } = place;
  const days = Math.round((end - start) / DAY_MS);
  return Array.from({ length: Math.round(perDay * days) }, () =>
    somebody(place, atDaytime(random, start, end)),
  );
}
