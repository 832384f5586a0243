import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../test/support/seeded-random.ts';
import { findProposals, type KnownPerson } from './find-proposals.ts';

const KINDS = 12;
const VALUES = 6;
const SEEDS = process.env.TEST_SLOW === '1' ? 100 : 20;

/** People with twelve facts of six values each, and what `isBad` makes of them. */
function peopleWith(
  seed: number,
  count: number,
  isBad: (has: ReadonlySet<string>, next: () => number) => boolean,
): KnownPerson[] {
  const next = seededRandom(seed);
  return Array.from({ length: count }, (_, at) => {
    const conditions = Array.from(
      { length: KINDS },
      (_each, kind) => `fact${kind} == ${Math.floor(next() * VALUES)}`,
    );
    return { at, bad: isBad(new Set(conditions), next), blocked: false, conditions };
  });
}

describe('proposals', () => {
  it.each([0.02, 0.1, 0.3])(`are none in noise, with ${SEEDS} seeds and a base rate of %d`, (rate) => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { proposals } = findProposals(peopleWith(seed, 1_000, (_has, next) => next() < rate));
      expect([seed, proposals]).toEqual([seed, []]);
    }
  });

  it('find the pair that was planted, and neither half of it', () => {
    const pair = ['fact3 == 2', 'fact7 == 5'];
    for (let seed = 1; seed <= SEEDS / 5; seed += 1) {
      const people = peopleWith(seed, 2_000, (has, next) =>
        pair.every((condition) => has.has(condition)) ? next() < 0.97 : next() < 0.05,
      );
      const { proposals, baseRate, known, bad, good } = findProposals(people);
      expect([seed, proposals[0]?.conditions.toSorted()]).toEqual([seed, pair]);
      expect(proposals.filter(({ conditions }) => conditions.length === 1)).toEqual([]);
      expect(proposals[0]?.newer.low).toBeGreaterThan(2 * (baseRate ?? 1));
      expect(known).toBe(bad + good);
    }
  });

  it('find a single condition without a second one beside it', () => {
    const people = peopleWith(7, 2_000, (has, next) =>
      has.has('fact1 == 1') && next() < 0.3 ? true : has.has('fact2 == 2') ? next() < 0.02 : next() < 0.04,
    );
    const planted = people.map((person, index) =>
      index % 20 === 0 ? { ...person, bad: true, conditions: [...person.conditions, 'planted'] } : person,
    );
    expect(findProposals(planted).proposals[0]?.conditions).toEqual(['planted']);
  });

  it('are not made of what was true only of older people', () => {
    const people = peopleWith(3, 2_000, (_has, next) => next() < 0.05).map((person, index) => {
      if (index % 20 !== 0) return person;
      return { ...person, bad: index < 1_400, conditions: [...person.conditions, 'was'] };
    });
    expect(findProposals(people).proposals).toEqual([]);
  });

  it('are not made of what hits one in a hundred good people, or of people who are all blocked', () => {
    const marked = (isBad: (index: number) => boolean, blocked = false) =>
      peopleWith(5, 2_000, (_has, next) => next() < 0.05).map((person, index) => {
        if (index % 10 !== 0) return person;
        return { ...person, blocked, bad: isBad(index), conditions: [...person.conditions, 'mark'] };
      });
    const conditionsOf = (people: readonly KnownPerson[]) =>
      findProposals(people).proposals.map(({ conditions }) => conditions);
    expect(conditionsOf(marked(() => true))).toContainEqual(['mark']);
    expect(conditionsOf(marked((index) => index % 100 !== 0))).not.toContainEqual(['mark']);
    expect(conditionsOf(marked(() => true, true))).toEqual([]);
  });

  it('need five bad people among the newer ones', () => {
    expect(findProposals([])).toEqual({ proposals: [], known: 0, bad: 0, good: 0, baseRate: null });
    const few = peopleWith(2, 60, () => false).map((person, index) => ({ ...person, bad: index % 15 === 0 }));
    expect(findProposals(few).proposals).toEqual([]);
  });
});
