import { DEFAULT_ACTIONS } from '@postern/contract';
import type { OutcomeRowView } from '@postern/contract/dashboard';
import { describe, expect, it } from 'vitest';
import type { ChangeEffect } from './outcome-report.ts';
import { nearlyKnown, suggestChanges, suggestLoosening } from './suggestions.ts';
import { wilsonInterval } from './wilson-interval.ts';

const CURRENT: Parameters<typeof suggestChanges>[2] = { actions: DEFAULT_ACTIONS, signals: {} };
const TOTALS = { bad: 40, good: 1_900 };
const effect = (traits: Partial<ChangeEffect> = {}): ChangeEffect => ({
  kind: 'check',
  name: 'ip',
  known: 60,
  bad: 12,
  good: 3,
  ...traits,
});
const suggest = (effects: readonly ChangeEffect[], current = CURRENT) =>
  suggestChanges(effects, TOTALS, current, 90);

describe('suggestions', () => {
  it('say in a sentence what blocking on a check would have done', () => {
    expect(suggest([effect()])).toMatchObject([
      {
        sentence: 'Blocking on `ip` would have stopped 12 of 40 bad and 3 of 1,900 good sign-ups in 90 days.',
        policy: { actions: { ip: 'block' } },
      },
    ]);
  });

  it('flag a signal that no check fails for', () => {
    expect(suggest([effect({ kind: 'signal', name: 'random_local_part' })])).toMatchObject([
      {
        sentence:
          'Flagging on `random_local_part` would have sent 12 of 40 bad and 3 of 1,900 good sign-ups to review in 90 days.',
        policy: { signals: { random_local_part: 'flag' } },
      },
    ]);
  });

  it.each([
    ['fewer than thirty known people had it', effect({ known: 29 })],
    ['it would stop nobody bad', effect({ bad: 0, good: 0 })],
    ['it hits the good nearly as often', effect({ bad: 12, good: 150 })],
    ['the policy blocks on the check', effect({ name: 'disposable' })],
    ['the policy has no setting for the signal', effect({ kind: 'signal', name: 'hosting_ip' })],
    ['the check is unknown', effect({ name: 'later' })],
  ])('are not made when %s', (_why, one) => {
    expect(suggest([one])).toEqual([]);
  });

  it('are not made for a signal that is flagged, or whose check is off', () => {
    const signal = effect({ kind: 'signal', name: 'new_domain' });
    expect(suggest([signal], { ...CURRENT, signals: { new_domain: 'flag' } })).toEqual([]);
    const { disposable: _off, ...actions } = DEFAULT_ACTIONS;
    expect(suggest([signal], { ...CURRENT, actions })).toEqual([]);
  });

  it('begin with the one that would have caught the most', () => {
    const many = effect({ name: 'alias', bad: 20 });
    expect(suggest([effect(), many]).map(({ name }) => name)).toEqual(['alias', 'ip']);
  });
});

describe('suggestions to do less', () => {
  const row = (name: string, known: number, bad: number): OutcomeRowView => {
    const { low = null, high = null } = wilsonInterval(bad, known) ?? {};
    return { kind: 'check', name, people: known, known, bad, share: bad / known, low, high, lift: null };
  };

  it('name checks that act on people who are surely better than average, by how many they hit', () => {
    const rows = [row('roleEmail', 40, 1), row('syntax', 76, 7), row('mx', 76, 14), row('alias', 29, 0)];
    expect(suggestLoosening(rows, 0.19, CURRENT)).toMatchObject([
      {
        name: 'syntax',
        to: 'flag',
        policy: { actions: { syntax: 'flag' } },
        sentence:
          '`syntax` blocks 76 people whose outcome is known, and only 7 of them are bad: 9%, against 19% of everybody.',
      },
      { name: 'roleEmail', to: 'allow' },
    ]);
    expect(suggestLoosening(rows, 0.19, { actions: {} })).toEqual([]);
    expect(suggestLoosening(rows, null, CURRENT)).toEqual([]);
  });

  it('say what is nearly known', () => {
    const effects = [effect({ name: 'device', known: 27 }), effect({ name: 'ip', known: 9 }), effect()];
    expect(nearlyKnown(effects, TOTALS, CURRENT)).toEqual([
      { kind: 'check', name: 'device', known: 27, needed: 30 },
    ]);
  });
});
