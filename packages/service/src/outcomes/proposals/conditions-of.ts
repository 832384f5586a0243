import type { RuleFacts } from '@postern/contract/rules';

/** Facts that are true or false, in the direction in which they can speak against a person. */
const FLAGS = [
  'email.role',
  'email.tagged',
  'email.relay',
  'device.automated',
  'device.reused',
  'device.overThreshold',
  'inbox.reused',
] as const;
const ABSENCES = ['ip.known', 'device.known'] as const;
/** Facts whose value is compared. Hashes of people and devices are left out: a rule is not about one person. */
const VALUES = [
  'email.domain',
  'email.tld',
  'email.class',
  'email.shape',
  'mail.kind',
  'mail.host',
  'ip.kind',
  'ip.country',
  'ip.asn',
  'ip.range',
  'key.type',
] as const;
const COUNTS = [
  'crowd.network.day',
  'crowd.domain.week',
  'crowd.mailHost.month',
  'crowd.device.month',
] as const;
const STEPS = [5, 20, 50];
const HOURS_PER_PART = 6;

/** Every condition with one fact that holds for these facts, as an expression of a rule. */
export function conditionsOf(facts: RuleFacts): string[] {
  const hour = Math.floor(facts['time.hour'] / HOURS_PER_PART) * HOURS_PER_PART;
  return [
    ...FLAGS.filter((name) => facts[name]),
    ...ABSENCES.filter((name) => !facts[name]).map((name) => `!${name}`),
    ...VALUES.flatMap((name) => equals(name, facts[name])),
    ...facts.signals.map((signal) => `${JSON.stringify(signal)} in signals`),
    ...facts.failed.map((check) => `${JSON.stringify(check)} in failed`),
    ...COUNTS.flatMap((name) =>
      STEPS.filter((step) => facts[name] >= step).map((step) => `${name} >= ${step}`),
    ),
    `time.hour >= ${hour} && time.hour < ${hour + HOURS_PER_PART}`,
    ...(facts['time.weekday'] >= 6 ? ['time.weekday >= 6'] : []),
  ];
}

/** A neutral value means that nothing is known. */
function equals(name: string, value: string | number): string[] {
  return value === '' || value === 0 ? [] : [`${name} == ${JSON.stringify(value)}`];
}
