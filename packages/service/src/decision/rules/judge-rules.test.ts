import type { Rule } from '@postern/contract/rules';
import { describe, expect, it } from 'vitest';
import { ruleFactsWith } from '../../../test/support/rule-facts.ts';
import { NO_FACTS } from '../../model/facts-for-rules.ts';
import { HISTORY_STATES } from '../../model/history.ts';
import { matchedRules } from '../own-decision.ts';
import {
  decidingRule,
  failingRules,
  judgeRules,
  matchingRules,
  type RuleSurroundings,
} from './judge-rules.ts';
import { ruleFacts } from './rule-facts.ts';

const ADDED = [
  { failed: ['alias'], signals: ['alias_reuse'] },
  { failed: [], signals: ['device_reuse'] },
  { failed: [], signals: ['device_seen_<N>_times'] },
  { failed: ['device'], signals: [] },
];
const FACTS = ruleFactsWith({
  'email.domain': 'shop.example',
  signals: ['role_email'],
  failed: ['roleEmail'],
});

const rule = (when: string, more: Partial<Rule> = {}): Rule => ({
  id: 'r',
  name: 'R',
  when,
  then: 'block',
  mode: 'live',
  ...more,
});

function judge(rules: readonly Rule[], more: Partial<RuleSurroundings> = {}, hasDevice = true) {
  const faults: string[] = [];
  const matches = judgeRules(
    rules,
    FACTS,
    { added: ADDED, hasDevice },
    { inList: () => false, now: 1_000, onFault: ({ id }) => faults.push(id), ...more },
  );
  return { matches, faults };
}

/** The states in which the rule matches. */
function statesOf(when: string, hasDevice = true): number[] {
  const { matches } = judge([rule(when)], {}, hasDevice);
  return Array.from({ length: HISTORY_STATES }, (_, state) => state).filter(
    (state) => matchingRules(matches, state).length > 0,
  );
}
const ALL = Array.from({ length: HISTORY_STATES }, (_, state) => state);

it('rules that no longer fit into the steps of all of them fail, and never match', () => {
  // About 1,500 steps each, so that six of them fit.
  const long = `true || signals.exists(s, ${Array.from({ length: 3 }, () => 's.contains("a")').join(' || ')})`;
  const rules = Array.from({ length: 8 }, (_, at) => rule(long, { id: `r${at}` }));
  const { matches, faults } = judge(rules);
  expect(matchingRules(matches, 0).map(({ id }) => id)).toEqual(['r0', 'r1', 'r2', 'r3', 'r4', 'r5']);
  expect(failingRules(matches, 0).map(({ id }) => id)).toEqual(['r6', 'r7']);
  expect(faults).toEqual(['r6', 'r7']);
});

describe('a rule', () => {
  it('that does not look at history matches for all of them or for none', () => {
    expect(statesOf('email.domain == "shop.example"')).toEqual(ALL);
    expect(statesOf('email.domain == "other.example"')).toEqual([]);
    expect(statesOf('"role_email" in signals && "roleEmail" in failed')).toEqual(ALL);
  });

  it.each([
    ['inbox.reused', (state: number) => (state & 1) !== 0],
    ['!device.reused', (state: number) => (state & 2) === 0],
    ['device.overThreshold && inbox.reused', (state: number) => (state & 9) === 9],
    ['"alias_reuse" in signals', (state: number) => (state & 1) !== 0],
    ['"device_seen_<N>_times" in signals', (state: number) => (state & 4) !== 0],
    ['"device" in failed', (state: number) => (state & 8) !== 0],
    ['size(failed) == 2', (state: number) => ((state & 1) !== 0) !== ((state & 8) !== 0)],
    ['signals.exists(s, s.startsWith("device_"))', (state: number) => (state & 6) !== 0],
  ])('%s matches for exactly the histories that it describes', (when, expected) => {
    expect(statesOf(when)).toEqual(ALL.filter(expected));
  });

  it('sees no device’s history without a device', () => {
    expect(statesOf('device.reused', false)).toEqual([]);
    expect(statesOf('inbox.reused', false)).toEqual(ALL.filter((state) => state & 1));
  });

  it('is evaluated once if it does not look at history, and else once for each combination', () => {
    let read = 0;
    const facts = {
      ...FACTS,
      get 'email.domain'() {
        read += 1;
        return 'shop.example';
      },
    };
    const judgeOne = (when: string) =>
      judgeRules(
        [rule(when)],
        facts,
        { added: ADDED, hasDevice: true },
        { inList: () => false, now: 1_000, onFault: () => {} },
      );
    judgeOne('email.domain == "a"');
    expect(read).toBe(1);
    judgeOne('email.domain == "a" || inbox.reused');
    expect(read).toBe(3);
    judgeOne('email.domain == "a" || inbox.reused || device.reused');
    expect(read).toBe(7);
    // Whatever the history is, this is false.
    judgeOne('inbox.reused && device.reused && email.domain == "a"');
    expect(read).toBe(8);
  });

  it('whose part without history is true matches for the histories of the other part', () => {
    const { matches } = judge([rule('inbox.reused && email.domain == "shop.example" && device.reused')]);
    expect(ALL.filter((state) => matchingRules(matches, state).length > 0)).toEqual(
      ALL.filter((state) => (state & 3) === 3),
    );
  });

  it('does not match from its end on', () => {
    expect(judge([rule('true', { expiresAt: 1_000 })]).matches).toEqual([]);
    expect(judge([rule('true', { expiresAt: 1_001 })]).matches).toHaveLength(1);
  });

  it('does not match if its evaluation fails, and the others go on', () => {
    const { matches, faults } = judge([rule('1 / ip.asn == 1', { id: 'bad' }), rule('true', { id: 'good' })]);
    expect(matchingRules(matches, 0).map(({ id }) => id)).toEqual(['good']);
    expect(failingRules(matches, 0).map(({ id }) => id)).toEqual(['bad']);
    expect(faults).toEqual(['bad']);
  });

  it('fails for exactly the histories for which its evaluation fails', () => {
    const { matches } = judge([rule('inbox.reused && 1 / ip.asn == 1')]);
    expect(ALL.filter((state) => failingRules(matches, state).length > 0)).toEqual(
      ALL.filter((state) => state & 1),
    );
    expect(matchedRules({ listing: undefined, matches }).map(({ failed }) => failed.length)).toEqual(
      ALL.map((state) => state & 1),
    );
  });
});

it('the first live rule decides, and a shadow rule never', () => {
  const rules = [
    rule('true', { id: 'shadow', mode: 'shadow' }),
    rule('inbox.reused', { id: 'first', then: 'allow' }),
    rule('true', { id: 'second' }),
  ];
  const { matches } = judge(rules);
  expect(decidingRule(matchingRules(matches, 0))?.id).toBe('second');
  expect(decidingRule(matchingRules(matches, 1))?.id).toBe('first');
  expect(matchingRules(matches, 1).map(({ id }) => id)).toEqual(['shadow', 'first', 'second']);
});

it('weeks begin on Monday, which is 1, and end on Sunday, which is 7', () => {
  const weekday = (at: number) =>
    ruleFacts({
      ...{ facts: NO_FACTS, domain: 'shop.example', shape: null, maskedIp: null, country: null, asn: null },
      ...{ deviceHash: null, inboxHash: '', keyType: 'server', signals: [], failed: [], at },
    })['time.weekday'];
  const days = Array.from({ length: 7 }, (_, day) => weekday(Date.UTC(2026, 10, 16 + day, 23, 59)));
  expect(days).toEqual([1, 2, 3, 4, 5, 6, 7]);
});
