import type { Signal } from '@postern/contract';
import type { CheckInput } from '../../packages/service/src/checks/check.ts';
import { countedSignals } from '../../packages/service/src/checks/disposable/disposable-check.ts';
import { createActivityTracker } from '../../packages/service/src/lookup/activity-tracker.ts';
import { ipv4Address } from '../../packages/service/src/model/ip-address.ts';
import { addressOf } from '../check-input.ts';
import { type Figure, share } from '../figures.ts';
import { peoplesNames } from '../names.ts';
import { createRandom } from '../random.ts';
import type { Suite } from '../suite.ts';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 10, 9);
const DAYS = 3;
/** An hour after a mention in the news. */
const NEWS_AT = 2 * 24 + 15;
const NEWS_TIMES = 10;
/** Sign-ups in an average hour. */
const PROJECTS = [2, 40, 600];

const SIGNALS: readonly Signal[] = ['network_burst', 'pattern_burst', 'subdomain_churn'];

interface SignUp {
  readonly email: string;
  readonly network: number;
  readonly at: number;
}

/**
 * The signals that count a project’s requests, on invented sign-ups of real names: three days in three projects of
 * different size, with quiet nights and an hour of news, and then four campaigns. No sign-ups of real people are at
 * hand, so the shares of providers, networks and spellings below are estimates.
 */
export const countedSignalsSuite: Suite = {
  name: 'countedSignals',
  run: async () => {
    const names = await peoplesNames();
    const people = PROJECTS.flatMap((perHour, at) => runProject(ordinaryDays(names, perHour, at + 1)));
    const campaigns = campaignsOf(names).map(({ name, signUps }) => ({
      name,
      // A campaign begins after a day of ordinary sign-ups.
      answers: runProject([
        ...ordinaryDays(names, 40, 9).filter(({ at }) => at < START + 24 * HOUR_MS),
        ...signUps,
      ]).slice(-signUps.length),
    }));
    const spared = (signal: Signal) => share(people, ({ signals }) => !signals.includes(signal));
    const isFound = ({ signals }: { readonly signals: readonly Signal[] }) => signals.length > 0;
    const all = campaigns.flatMap(({ answers }) => answers);
    const figures: Record<string, Figure> = {
      recall: share(all, isFound),
      spared: share(people, (person) => !isFound(person)),
      ...Object.fromEntries(SIGNALS.map((signal) => [`${signal} spared`, spared(signal)])),
      ...Object.fromEntries(campaigns.map(({ name, answers }) => [name, share(answers, isFound)])),
    };
    const misses = people
      .filter(isFound)
      .map(({ email, signals }) => ({ entry: email, what: `wrongly found: ${signals.join(', ')}` }));
    return { entries: people.length, figures, misses };
  },
};

/** Which counted signals each sign-up gets, in order. */
function runProject(signUps: readonly SignUp[]) {
  const tracker = createActivityTracker();
  return signUps.map(({ email, network, at }) => {
    const address = addressOf(email);
    const ip = ipv4Address((network << 8) >>> 0);
    const activity = tracker.ofRequest({ projectId: 'project', address, ip, now: at });
    const unlisted = { result: 'passed', metadata: { source: 'none' } } as const;
    const { signals } = countedSignals(unlisted, { address, activity } as unknown as CheckInput);
    const burst = activity.networkBurst() === undefined ? [] : (['network_burst'] as const);
    activity.record(email);
    // Signals of the name alone are measured in newDomains.
    const counted = [...signals, ...burst].filter((signal) => SIGNALS.some((one) => one === signal));
    return { email, signals: counted };
  });
}

function ordinaryDays(names: readonly string[], perHour: number, seed: number): SignUp[] {
  const random = createRandom(seed);
  const signUps: SignUp[] = [];
  for (let hour = 0; hour < DAYS * 24; hour += 1) {
    // From a fifth of the mean at night to almost twice the mean in the evening.
    const daily = 1 + 0.8 * Math.sin(((hour % 24) - 10) * (Math.PI / 12));
    const mean = perHour * daily * (hour === NEWS_AT ? NEWS_TIMES : 1);
    const times = Array.from({ length: poisson(mean, random) }, () => random()).sort(
      (one, other) => one - other,
    );
    for (const time of times)
      signUps.push({
        email: ordinaryEmail(names, random),
        network: ordinaryNetwork(random),
        at: START + (hour + time) * HOUR_MS,
      });
  }
  return signUps;
}

const PROVIDERS = [
  ...['gmail.com', 'gmail.com', 'gmail.com', 'gmail.com', 'outlook.com'],
  ...['hotmail.com', 'yahoo.com', 'icloud.com', 'web.de', 'qq.com'],
];

function ordinaryEmail(names: readonly string[], random: () => number): string {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const [given, family] = [pick(names), pick(names)];
  const year = 1950 + Math.floor(random() * 60);
  const local = pick([
    `${given}.${family}`,
    `${given}${family}`,
    `${given.charAt(0)}${family}`,
    `${given}_${family}`,
    given + family + (year % 100),
    `${given}${year}`,
    `${given}.${family}${Math.floor(random() * 100)}`,
    `${given}${Math.floor(random() * 1_000)}`,
  ]);
  // One in six has the address of a company, and some companies name their departments in front of their domain.
  if (random() > 1 / 6) return `${local.slice(0, 64)}@${pick(PROVIDERS)}`;
  const company = `${pick(names)}-${pick(names)}.com`;
  return `${local.slice(0, 64)}@${random() < 0.1 ? `${pick(['mail', 'sales', 'berlin'])}.${company}` : company}`;
}

/** A third comes from mobile networks, of which the largest bring the most; the others from home networks. */
function ordinaryNetwork(random: () => number): number {
  if (random() < 1 / 3) return 0x51_00_00 + Math.floor(400 * random() ** 2);
  return 0x52_00_00 + Math.floor(random() * 60_000);
}

/** The number of independent events in a time in which `mean` are expected. */
function poisson(mean: number, random: () => number): number {
  const pause = () => -Math.log(1 - random());
  let count = 0;
  for (let time = pause(); time < mean; time += pause()) count += 1;
  return count;
}

/** Campaigns of 100 sign-ups within an hour, as scripts make them. */
function campaignsOf(
  names: readonly string[],
): { readonly name: string; readonly signUps: readonly SignUp[] }[] {
  const random = createRandom(99);
  const begin = START + 38 * HOUR_MS;
  const campaign = (name: string, emailOf: (at: number) => string, networkOf: (at: number) => number) => ({
    name,
    signUps: Array.from({ length: 100 }, (_, at) => ({
      email: emailOf(at),
      network: networkOf(at),
      at: begin + at * 30_000,
    })),
  });
  const word = () => names[Math.floor(random() * names.length)] ?? '';
  const digits = () => String(10_000 + Math.floor(random() * 90_000));
  const spread = () => ordinaryNetwork(random);
  return [
    campaign(
      'one network',
      () => ordinaryEmail(names, random),
      () => 0x2d_00_01,
    ),
    campaign('word and digits at gmail.com', () => `${word()}${digits()}@gmail.com`, spread),
    campaign('word and digits at own domain', () => `${word()}${digits()}@harbour-view.com`, spread),
    campaign('new names under one domain', (at) => `${word()}@${word()}${at}.harbour-view.com`, spread),
  ];
}
