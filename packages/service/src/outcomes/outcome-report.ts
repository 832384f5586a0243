import { type CheckName, isCheckName } from '@postern/contract';
import type { PersonOutcome, ValidationMarks } from '../store/outcome-store.ts';
import { addToEffect, noEffect, type PolicyEffect, STRENGTH } from './effect-tally.ts';
import { wilsonInterval } from './wilson-interval.ts';

/** How one signal or check did: of the people who had it, how many are known, and how many of those are bad. */
export interface SignalRow {
  readonly kind: 'signal' | 'check';
  readonly name: string;
  readonly people: number;
  /** Those with the outcome `good` or `bad`. */
  readonly known: number;
  readonly bad: number;
  /** The share of bad people among the known ones; `null` if none is known. */
  readonly share: number | null;
  /** The share’s 95% interval. */
  readonly low: number | null;
  readonly high: number | null;
  /** The share divided by the share among all known people; `null` if one of them is missing. */
  readonly lift: number | null;
}

/** Known people who failed a check and were not blocked. Blocking on the check would add them. */
export interface CheckEffect {
  readonly check: CheckName;
  readonly bad: number;
  readonly good: number;
}

export interface OutcomeReport {
  readonly people: number;
  readonly known: number;
  readonly bad: number;
  /** The share of bad people among all known ones. */
  readonly baseRate: number | null;
  /** Most people first. */
  readonly rows: readonly SignalRow[];
  readonly policy: PolicyEffect;
  readonly effects: readonly CheckEffect[];
}

interface Person {
  readonly names: Set<string>;
  recommendation: ValidationMarks['recommendation'];
}

/**
 * Adds up validations by person. Somebody who tried five times counts once, with all their findings and the mildest
 * answer they got, because that answer let them in.
 */
export function createOutcomeTally() {
  const people = new Map<string, Person>();
  return {
    size: () => people.size,
    add({ inbox, recommendation, checks, signals }: ValidationMarks): void {
      const person = people.get(inbox) ?? { names: new Set<string>(), recommendation };
      people.set(inbox, person);
      if (STRENGTH[recommendation] < STRENGTH[person.recommendation]) person.recommendation = recommendation;
      for (const check of checks) person.names.add(`check ${check}`);
      for (const signal of signals) person.names.add(`signal ${signalFamily(signal)}`);
    },
    report: (outcomes: ReadonlyMap<string, PersonOutcome>): OutcomeReport => report(people, outcomes),
  };
}

/** `device_seen_3_times` and `device_seen_4_times` are one signal with a count in its name. */
export function signalFamily(signal: string): string {
  return signal.replace(/^device_seen_\d+_times$/, 'device_seen_<N>_times');
}

function report(
  people: ReadonlyMap<string, Person>,
  outcomes: ReadonlyMap<string, PersonOutcome>,
): OutcomeReport {
  const total = { people: 0, known: 0, bad: 0 };
  const byName = new Map<string, { people: number; known: number; bad: number }>();
  const effects = new Map<CheckName, { bad: number; good: number }>();
  const policy = noEffect();
  for (const [inbox, person] of people) {
    const verdict = outcomes.get(inbox)?.verdict ?? null;
    for (const name of ['', ...person.names]) {
      const count = name === '' ? total : (byName.get(name) ?? { people: 0, known: 0, bad: 0 });
      if (name !== '') byName.set(name, count);
      count.people += 1;
      if (verdict !== null) count.known += 1;
      if (verdict === 'bad') count.bad += 1;
    }
    if (verdict === null) continue;
    if (person.recommendation !== 'block') addEffects(effects, person, verdict);
    addToEffect(policy, verdict, person.recommendation);
  }
  const baseRate = total.known === 0 ? null : total.bad / total.known;
  const rows = [...byName].map(([name, count]) => toRow(name, count, baseRate));
  rows.sort((one, other) => other.people - one.people || (one.name < other.name ? -1 : 1));
  return {
    ...total,
    baseRate,
    rows,
    policy,
    effects: [...effects].map(([check, hit]) => ({ check, ...hit })),
  };
}

function addEffects(
  effects: Map<CheckName, { bad: number; good: number }>,
  person: Person,
  verdict: 'good' | 'bad',
): void {
  for (const name of person.names) {
    const check = name.startsWith('check ') ? name.slice('check '.length) : '';
    if (!isCheckName(check)) continue;
    const hit = effects.get(check) ?? { bad: 0, good: 0 };
    hit[verdict] += 1;
    effects.set(check, hit);
  }
}

function toRow(
  key: string,
  { people, known, bad }: { people: number; known: number; bad: number },
  baseRate: number | null,
): SignalRow {
  const [kind, name = ''] = key.split(' ') as ['signal' | 'check', string];
  const share = known === 0 ? null : bad / known;
  const interval = wilsonInterval(bad, known);
  return {
    kind,
    name,
    people,
    known,
    bad,
    share,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    lift: share === null || baseRate === null || baseRate === 0 ? null : share / baseRate,
  };
}
