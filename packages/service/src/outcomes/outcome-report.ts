import { signalFamily } from '@postern/contract';
import type { OutcomeReportView, OutcomeRowView } from '@postern/contract/dashboard';
import type { PersonOutcome, ValidationMarks } from '../store/tables/outcome-table.ts';
import { addToEffect, noEffect, STRENGTH } from './effect-tally.ts';
import { wilsonInterval } from './wilson-interval.ts';

/** Known people whose answer would have been stricter: blocked on a check, or flagged on a signal. */
export interface ChangeEffect {
  readonly kind: 'signal' | 'check';
  readonly name: string;
  /** All known people who had it, whatever they were answered. */
  readonly known: number;
  readonly bad: number;
  readonly good: number;
}

type CountedOutcomes = 'people' | 'estimated' | 'known' | 'bad' | 'baseRate' | 'rows' | 'policy';

/** With `estimated`, `people` is approximate, and so is that of each row. The rows with the most people come first. */
export interface OutcomeReport extends Pick<OutcomeReportView, CountedOutcomes> {
  readonly effects: readonly ChangeEffect[];
}

interface Person {
  readonly names: Set<string>;
  recommendation: ValidationMarks['recommendation'];
  /** The findings that all validations share that were not blocked; `undefined` if all were blocked. */
  notBlocked: readonly string[] | undefined;
  /** The findings that all allowed validations share; `undefined` if none was allowed. */
  allowed: readonly string[] | undefined;
}

/** How many people had something, and in how many validations. */
export interface PeopleCount {
  people: number;
  validations: number;
}

/** People by what they had, such as `check ip`. The empty name is everybody. */
export type PeopleCounts = ReadonlyMap<string, PeopleCount>;

/**
 * Adds up validations by person. A person who tried five times counts once, with all their findings and the mildest
 * answer they got, because that answer let them in.
 */
export function createOutcomeTally() {
  const people = new Map<string, Person>();
  const counts = new Map<string, PeopleCount>();
  return {
    inboxes: (): string[] => [...people.keys()],
    counts: (): PeopleCounts => counts,
    add({ inbox, recommendation, checks, signals, rules }: Omit<ValidationMarks, 'at'>): void {
      let person = people.get(inbox);
      if (person === undefined) {
        person = { names: new Set(), recommendation, notBlocked: undefined, allowed: undefined };
        people.set(inbox, person);
      }
      if (STRENGTH[recommendation] < STRENGTH[person.recommendation]) person.recommendation = recommendation;
      const names = [
        ...checks.map((check) => `check ${check}`),
        ...signals.map((signal) => `signal ${signalFamily(signal)}`),
        ...rules.map((id) => `rule ${id}`),
      ];
      for (const name of new Set(['', ...names])) {
        const count = counts.get(name) ?? { people: 0, validations: 0 };
        counts.set(name, count);
        count.validations += 1;
        if (!person.names.has(name)) count.people += 1;
        person.names.add(name);
      }
      if (recommendation !== 'block') person.notBlocked = inCommon(person.notBlocked, names);
      if (recommendation === 'allow') person.allowed = inCommon(person.allowed, names);
    },
    /** With `estimates`, only people with an outcome were added, and everybody’s numbers come from there. */
    report: (
      outcomes: ReadonlyMap<string, PersonOutcome>,
      estimates?: ReadonlyMap<string, number>,
    ): OutcomeReport => report(people, outcomes, estimates),
  };
}

function inCommon(before: readonly string[] | undefined, names: readonly string[]): readonly string[] {
  return before === undefined ? names : before.filter((name) => names.includes(name));
}

interface Count {
  people: number;
  known: number;
  bad: number;
}

function report(
  people: ReadonlyMap<string, Person>,
  outcomes: ReadonlyMap<string, PersonOutcome>,
  estimates: ReadonlyMap<string, number> | undefined,
): OutcomeReport {
  const byName = new Map<string, Count>();
  const effects = new Map<string, { bad: number; good: number }>();
  const policy = noEffect();
  for (const [inbox, person] of people) {
    const judgement = outcomes.get(inbox)?.judgement ?? null;
    for (const name of person.names) {
      const count = countOf(byName, name);
      count.people += 1;
      if (judgement !== null) count.known += 1;
      if (judgement === 'bad') count.bad += 1;
    }
    if (judgement === null) continue;
    addEffects(effects, person, judgement);
    addToEffect(policy, judgement, person.recommendation);
  }
  for (const [name, estimate] of estimates ?? []) {
    const count = countOf(byName, name);
    count.people = Math.max(count.people, estimate);
  }
  const total = countOf(byName, '');
  byName.delete('');
  const baseRate = total.known === 0 ? null : total.bad / total.known;
  const rows = [...byName].map(([name, count]) => toRow(name, count, baseRate));
  rows.sort((one, other) => other.people - one.people || (one.name < other.name ? -1 : 1));
  return {
    ...total,
    estimated: estimates !== undefined,
    baseRate,
    rows,
    policy,
    effects: [...effects].map(([key, hit]) => ({
      ...nameOf<ChangeEffect['kind']>(key),
      known: byName.get(key)?.known ?? 0,
      ...hit,
    })),
  };
}

function countOf(byName: Map<string, Count>, name: string): Count {
  const count = byName.get(name) ?? { people: 0, known: 0, bad: 0 };
  byName.set(name, count);
  return count;
}

/** A change stops a person only if it applies to every answer that let the person in. */
function addEffects(
  effects: Map<string, { bad: number; good: number }>,
  { notBlocked = [], allowed = [] }: Person,
  judgement: 'good' | 'bad',
): void {
  const hits = [
    ...notBlocked.filter((name) => name.startsWith('check ')),
    ...allowed.filter((name) => name.startsWith('signal ')),
  ];
  for (const name of new Set(hits)) {
    const hit = effects.get(name) ?? { bad: 0, good: 0 };
    hit[judgement] += 1;
    effects.set(name, hit);
  }
}

function nameOf<Kind extends OutcomeRowView['kind']>(
  key: string,
): { readonly kind: Kind; readonly name: string } {
  const [kind, name = ''] = key.split(' ') as [Kind, string];
  return { kind, name };
}

function toRow(key: string, { people, known, bad }: Count, baseRate: number | null): OutcomeRowView {
  const share = known === 0 ? null : bad / known;
  const interval = wilsonInterval(bad, known);
  return {
    ...nameOf<OutcomeRowView['kind']>(key),
    people,
    known,
    bad,
    share,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    lift: share === null || baseRate === null || baseRate === 0 ? null : share / baseRate,
  };
}
