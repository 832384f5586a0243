import type { Recommendation } from '@postern/contract';
import { describe, expect, it } from 'vitest';
import type { LogRow } from '../store/store.ts';
import { createChangeTally } from './change-tally.ts';

const row = (recommendation: Recommendation) =>
  ({
    recommendation,
    maskedAddress: 'j***@gmail.com',
    failed: [],
    signals: [],
    rules: [],
    shadowRules: [],
    lists: [],
    deviceHash: null,
    facts: { operator: '' },
  }) as unknown as LogRow;

function tallyOf(changes: readonly (readonly [from: Recommendation, to: Recommendation, count: number])[]) {
  const tally = createChangeTally();
  const read = { allow: 0, flag: 0, block: 0 };
  for (const [from, to, count] of changes) {
    read[from] += count;
    for (let at = 0; at < count; at += 1) tally.add(row(from), from, to);
  }
  return tally.report({ read, total: read });
}

describe('the changes of a replay', () => {
  it('tell who would newly be blocked and who would no longer be, whatever they were before', () => {
    const report = tallyOf([
      ['allow', 'block', 2],
      ['flag', 'block', 3],
      ['block', 'flag', 4],
      ['block', 'block', 5],
      ['allow', 'flag', 9],
      ['flag', 'allow', 1],
    ]);
    expect([report.newlyBlocked.count, report.noLongerBlocked.count]).toEqual([5, 4]);
    expect([report.newlyFlagged.count, report.noLongerFlagged.count]).toEqual([9, 1]);
    expect([report.after.allow.count, report.after.flag.count, report.after.block.count]).toEqual([
      1, 13, 10,
    ]);
    expect(report.newlyBlocked).toEqual({ count: 5, low: 5, high: 5 });
  });

  it('are those from today’s answers, with a range where a sample shows that these are not the logged ones', () => {
    const tally = createChangeTally();
    const read = { allow: 100, flag: 10, block: 10 };
    for (let at = 0; at < 100; at += 1) tally.add(row('allow'), at < 5 ? 'flag' : 'allow', 'allow');
    for (let at = 0; at < 10; at += 1) tally.add(row('flag'), 'flag', 'flag');
    for (let at = 0; at < 10; at += 1) tally.add(row('block'), 'block', 'block');
    const report = tally.report({ read, total: { ...read, allow: 1_000 } });
    expect(report.before).toMatchObject({
      allow: { count: 950 },
      flag: { count: 60 },
      block: { count: 10 },
    });
    expect(report.before.flag.low).toBeGreaterThan(10);
    expect(report.before.flag.high).toBeLessThan(150);
    expect(report.changes).toMatchObject([{ from: 'flag', to: 'allow', count: 50 }]);
    expect(report.noLongerFlagged).toEqual(report.otherThen);
    expect(report.otherThen.count).toBe(50);
  });

  it('come with those about blocking first, and without what stays', () => {
    const { changes } = tallyOf([
      ['allow', 'flag', 90],
      ['allow', 'allow', 7],
      ['allow', 'block', 1],
    ]);
    expect(changes.map(({ to, count }) => [to, count])).toEqual([
      ['block', 1],
      ['flag', 90],
    ]);
    expect(changes.map(({ examples }) => examples.length)).toEqual([1, 5]);
  });
});
