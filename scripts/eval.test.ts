import { describe, expect, it } from 'vitest';
import { type Judgement, ratio, scoreOf } from '../eval/figures.ts';
import { breaches, type Measured } from '../eval/floors.ts';
import { table } from '../eval/report.ts';

const judged = (entry: string, expected: boolean, found: boolean): Judgement => ({
  entry,
  expected,
  found,
  why: 'a reason',
});

/** Four to find: three found, one missed. Two to leave alone: one wrongly found. */
const score = scoreOf([
  judged('a', true, true),
  judged('b', true, true),
  judged('c', true, true),
  judged('d', true, false),
  judged('e', false, true),
  judged('f', false, false),
]);
const outcomes = new Map<string, Measured>([['alias', { entries: 6, ...score }]]);

describe('the figures', () => {
  it('compute what was found, and what was spared of the others', () => {
    expect(score.figures).toEqual({ recall: { hits: 3, of: 4 }, spared: { hits: 1, of: 2 } });
  });

  it('list the misses in both directions', () => {
    expect(score.misses).toEqual([
      { entry: 'd', what: 'missed: a reason' },
      { entry: 'e', what: 'wrongly found: a reason' },
    ]);
  });

  it('count nothing out of nothing as 100%', () => {
    expect(ratio({ hits: 0, of: 0 })).toBe(1);
  });
});

describe('the floors', () => {
  it('accept a value that is exactly as high', () => {
    expect(breaches({ alias: { recall: 0.75, spared: 0.5 } }, outcomes)).toEqual([]);
  });

  it('report a value that is below', () => {
    expect(breaches({ alias: { recall: 0.76 } }, outcomes)).toEqual([
      'alias.recall: 3 of 4 is below the floor of 0.76',
    ]);
  });

  it('report a missing suite or value', () => {
    const missing = new Map<string, Measured>([['ip', { missing: 'no corpus' }]]);
    expect(breaches({ ip: { recall: 0.5 } }, missing)).toEqual(['ip: no corpus']);
    expect(breaches({ mx: { recall: 0.5 } }, missing)).toEqual(['mx: no such suite']);
    expect(breaches({ alias: { kind: 0.5 } }, outcomes)).toEqual(['alias.kind: not measured']);
  });
});

describe('the table', () => {
  it('shows counts next to shares, and lists the misses', () => {
    const text = table(outcomes, false);
    expect(text).toContain('75.0% 3/4');
    expect(text).toContain('50.0% 1/2');
    expect(text).toContain('alias: 2 misses');
    expect(text).toContain('  d  missed: a reason');
  });

  it('says clearly what could not run', () => {
    expect(table(new Map([['ip', { missing: 'no corpus' }]]), false)).toContain('MISSING: no corpus');
  });
});
