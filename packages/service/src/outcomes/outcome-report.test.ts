import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PersonOutcome, ValidationMarks } from '../store/tables/outcome-table.ts';
import { createOutcomeTally } from './outcome-report.ts';

type Findings = Omit<ValidationMarks, 'at'>;

const validation = fc.record({
  inbox: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  recommendation: fc.constantFrom('allow', 'flag', 'block'),
  checks: fc.uniqueArray(fc.constantFrom('disposable', 'ip', 'device')),
  signals: fc.uniqueArray(fc.constantFrom('hosting_ip', 'device_seen_2_times', 'device_seen_3_times')),
  rules: fc.uniqueArray(fc.constantFrom('night', 'far_away')),
});
const judgements = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd', 'x'),
  fc.constantFrom('good', 'bad', null),
);

function outcomesOf(said: Record<string, 'good' | 'bad' | null>): Map<string, PersonOutcome> {
  return new Map(
    Object.entries(said).map(([inbox, judgement]) => [
      inbox,
      { acceptedAt: null, judgement, reason: null, decidedAt: null },
    ]),
  );
}

/** The same result in the simplest and slowest way: for each name, look at every validation of every person. */
function bruteForce(rows: readonly Findings[], said: Record<string, string | null>, name: string) {
  const has = (row: Findings) =>
    [...row.checks, ...row.rules, ...row.signals.map((signal) => signal.replace(/\d+/, '<N>'))].includes(
      name,
    );
  const people = [...new Set(rows.map((row) => row.inbox))].filter((inbox) =>
    rows.some((row) => row.inbox === inbox && has(row)),
  );
  const known = people.filter((inbox) => said[inbox] === 'good' || said[inbox] === 'bad');
  return {
    people: people.length,
    known: known.length,
    bad: known.filter((inbox) => said[inbox] === 'bad').length,
  };
}

it('counts people, not validations, exactly as counting by hand does', () => {
  fc.assert(
    fc.property(fc.array(validation, { maxLength: 40 }), judgements, (rows, said) => {
      const tally = createOutcomeTally();
      for (const row of rows) tally.add(row);
      const report = tally.report(outcomesOf(said));
      const names = new Set(
        rows.flatMap((row) => [
          ...row.checks,
          ...row.rules,
          ...row.signals.map((signal) => signal.replace(/\d+/, '<N>')),
        ]),
      );
      expect(new Set(report.rows.map((row) => row.name))).toEqual(names);
      for (const row of report.rows) expect(row).toMatchObject(bruteForce(rows, said, row.name));
      const inboxes = [...new Set(rows.map((row) => row.inbox))];
      expect(report).toMatchObject({
        people: inboxes.length,
        bad: inboxes.filter((inbox) => said[inbox] === 'bad').length,
        policy: { good: inboxes.filter((inbox) => said[inbox] === 'good').length },
      });
    }),
  );
});

it('computes share, interval and lift', () => {
  const tally = createOutcomeTally();
  const said: Record<string, 'good' | 'bad'> = {};
  for (let index = 0; index < 40; index += 1) {
    const inbox = `p${index}`;
    const hosted = index < 10;
    tally.add({
      inbox,
      recommendation: hosted ? 'flag' : 'allow',
      checks: [],
      signals: hosted ? ['hosting_ip'] : [],
      rules: [],
    });
    said[inbox] = index < 8 || index === 20 ? 'bad' : 'good';
  }
  const { rows, baseRate, policy } = tally.report(outcomesOf(said));
  expect(baseRate).toBeCloseTo(9 / 40);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    kind: 'signal',
    name: 'hosting_ip',
    people: 10,
    known: 10,
    bad: 8,
    share: 0.8,
  });
  expect(rows[0]?.lift).toBeCloseTo(0.8 / (9 / 40));
  expect(rows[0]?.low).toBeCloseTo(0.4902, 3);
  expect(rows[0]?.high).toBeCloseTo(0.9433, 3);
  expect(policy).toEqual({ bad: 9, badBlocked: 0, badFlagged: 8, good: 31, goodBlocked: 0, goodFlagged: 2 });
});

it('uses the mildest answer that a person got, because it let them in', () => {
  const tally = createOutcomeTally();
  for (const recommendation of ['block', 'flag', 'block'] as const)
    tally.add({ inbox: 'a', recommendation, checks: [], signals: [], rules: [] });
  expect(tally.report(outcomesOf({ a: 'bad' })).policy).toMatchObject({ badBlocked: 0, badFlagged: 1 });
});
