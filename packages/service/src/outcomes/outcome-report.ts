import { signalFamily } from '@postern/contract';
import type { OutcomeReportView, OutcomeRowView } from '@postern/contract/dashboard';
import { getOrMake } from '../model/get-or-make.ts';
import type { PersonOutcome, ValidationMarks } from '../store/tables/outcome-table.ts';
import { addToEffect, noEffect, STRENGTH } from './effect-tally.ts';
import { wilsonInterval } from './wilson-interval.ts';

type CountedOutcomes = 'people' | 'estimated' | 'known' | 'bad' | 'baseRate' | 'rows' | 'policy';

/** With `estimated`, `people` is approximate, and so is that of each row. The rows with the most people come first. */
export type OutcomeReport = Pick<OutcomeReportView, CountedOutcomes>;

interface Person {
  readonly names: Set<string>;
  recommendation: ValidationMarks['recommendation'];
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
      const person = getOrMake<string, Person>(people, inbox, () => ({ names: new Set(), recommendation }));
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
    },
    /** With `estimates`, only people with an outcome were added, and everybody’s numbers come from there. */
    report: (
      outcomes: ReadonlyMap<string, PersonOutcome>,
      estimates?: ReadonlyMap<string, number>,
    ): OutcomeReport => report(people, outcomes, estimates),
  };
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
  };
}

function countOf(byName: Map<string, Count>, name: string): Count {
  const count = byName.get(name) ?? { people: 0, known: 0, bad: 0 };
  byName.set(name, count);
  return count;
}

function toRow(key: string, { people, known, bad }: Count, baseRate: number | null): OutcomeRowView {
  const share = known === 0 ? null : bad / known;
  const interval = wilsonInterval(bad, known);
  const [kind, name = ''] = key.split(' ') as [OutcomeRowView['kind'], string];
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
