import { CHECK_METADATA, CHECK_NAMES, type CheckName, SIGNALS } from '@postern/contract';
import { CHECKS } from '../../components/check-names.ts';

/** A common condition that can be filled in instead of written. */
export interface ConditionShape {
  readonly label: string;
  /** What is asked for. `texts` and `numbers`: several, with commas between them. */
  readonly input: 'texts' | 'numbers' | 'number' | 'choice' | 'none';
  readonly placeholder?: string;
  /** Value and name of each, for a choice. */
  readonly options?: readonly (readonly [string, string])[];
  readonly write: (values: readonly string[]) => string;
}

const quoted = (text: string) => JSON.stringify(text);

function oneOf(fact: string, values: readonly string[]): string {
  const [first = ''] = values;
  return values.length === 1 ? `${fact} == ${first}` : `${fact} in [${values.join(', ')}]`;
}

function anyOf(values: readonly string[], test: (value: string) => string): string {
  const tests = values.map(test);
  return tests.length === 1 ? (tests[0] ?? '') : `(${tests.join(' || ')})`;
}

const names = (values: readonly string[]) => values.map((value) => [value, value] as const);

/** Signals of checks: rules do not see those of rules and lists. */
const SIGNAL_NAMES = Object.entries(SIGNALS)
  .filter(([, { check }]) => check !== null)
  .map(([name]) => name);

export const CONDITION_SHAPES = {
  country: {
    label: 'Country is',
    input: 'texts',
    placeholder: 'DE, AT',
    write: (values) =>
      oneOf(
        'ip.country',
        values.map((value) => quoted(value.toUpperCase())),
      ),
  },
  operator: {
    label: 'Network operator (AS number) is',
    input: 'numbers',
    placeholder: '64500, 64501',
    write: (values) =>
      oneOf(
        'ip.asn',
        values.map((value) => value.replace(/^as/i, '')),
      ),
  },
  ipKind: {
    label: 'Kind of IP address is',
    input: 'choice',
    options: names(CHECK_METADATA.ip.kind.type),
    write: ([value = '']) => `ip.kind == ${quoted(value)}`,
  },
  domain: {
    label: 'Domain is',
    input: 'texts',
    placeholder: 'example.com',
    write: (values) =>
      oneOf(
        'email.domain',
        values.map((value) => quoted(value.toLowerCase())),
      ),
  },
  domainEnd: {
    label: 'Domain ends with',
    input: 'texts',
    placeholder: '.xyz, .top',
    write: (values) => anyOf(values, (value) => `email.domain.endsWith(${quoted(value.toLowerCase())})`),
  },
  domainClass: {
    label: 'Class of the domain is',
    input: 'choice',
    options: names(['free', 'business', 'relay', 'disposable']),
    write: ([value = '']) => `email.class == ${quoted(value)}`,
  },
  signal: {
    label: 'Signal is raised',
    input: 'choice',
    options: names(SIGNAL_NAMES),
    write: ([value = '']) => `${quoted(value)} in signals`,
  },
  check: {
    label: 'Check fails',
    input: 'choice',
    options: CHECK_NAMES.map((name: CheckName) => [name, CHECKS[name].title] as const),
    write: ([value = '']) => `${quoted(value)} in failed`,
  },
  failures: {
    label: 'Failed checks, at least',
    input: 'number',
    write: ([value = '']) => `size(failed) >= ${value}`,
  },
  networkCount: {
    label: 'New inboxes from the network in an hour, more than',
    input: 'number',
    write: ([value = '']) => `crowd.network.hour > ${value}`,
  },
  domainCount: {
    label: 'New people at the domain in 7 days, more than',
    input: 'number',
    write: ([value = '']) => `crowd.domain.week > ${value}`,
  },
  device: {
    label: 'Another inbox signed up from the device',
    input: 'none',
    write: () => 'device.reused',
  },
} as const satisfies Record<string, ConditionShape>;

export type ConditionShapeName = keyof typeof CONDITION_SHAPES;

/** What was typed, as values: split at commas where several can be given. */
export function valuesOf({ input }: ConditionShape, typed: string): string[] {
  if (input === 'none') return [];
  const parts = input === 'texts' || input === 'numbers' ? typed.split(',') : [typed];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

export type Join = 'and' | 'or';

/** The condition with another one. What binds less than the new operator gets brackets. */
export function withCondition(when: string, join: Join, added: string, negated: boolean): string {
  const next = negated ? `!(${added})` : added;
  const before = when.trim();
  if (before === '') return next;
  const loose = join === 'and' ? /\|\||\?/ : /\?/;
  const kept = loose.test(before) ? `(${before})` : before;
  return `${kept} ${join === 'and' ? '&&' : '||'} ${next}`;
}
