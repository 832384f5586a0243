import type { Rule } from '@postern/contract/rules';
import { describe, expect, it } from 'vitest';
import { validationOf } from '../../test/support/store-fixtures.ts';
import { builtInChecks } from '../checks/built-in-checks.ts';
import { RECALLS } from '../checks/recall-checks.ts';
import type { History } from '../model/history.ts';
import { DEFAULT_POLICY } from '../model/project.ts';
import { judge } from './judge.ts';

const NEW: History = { device: null, inboxReused: false };
const AGAIN: History = { device: null, inboxReused: true };
const NOW = 1_000;

const rule = (id: string, when: string, more: Partial<Rule> = {}): Rule => ({
  ...{ id, name: id, when, then: 'block', mode: 'live' },
  ...more,
});

function judged(rules: readonly Rule[], history = NEW, visit: Parameters<typeof validationOf>[0] = {}) {
  const terms = { policy: DEFAULT_POLICY, rules, namedLists: { friends: [{ value: 'jane@example.com' }] } };
  return judge(validationOf({ now: NOW, ...visit }), terms, history, (name) => name.padEnd(22, '-'));
}

describe('a request', () => {
  it('is decided by the policy, with the check that decided', () => {
    expect(judged([])).toMatchObject({ recommendation: 'allow', check: null, failed: [], signals: [] });
    expect(judged([], AGAIN, { failed: ['disposable'] })).toMatchObject({
      recommendation: 'block',
      check: 'disposable',
      failed: ['disposable', 'alias'],
      signals: ['alias_reuse'],
    });
  });

  it('is decided by the first live rule that matches, whatever the checks say', () => {
    const rules = [
      rule('no', 'false'),
      rule('try', 'true', { mode: 'shadow' }),
      rule('over', 'true', { expiresAt: NOW }),
      rule('again', 'inbox.reused', { then: 'allow' }),
      rule('all', 'true', { then: 'flag' }),
    ];
    const found = { failed: ['disposable'] } as const;
    expect(judged(rules, AGAIN, found)).toMatchObject({
      ...{ recommendation: 'allow', rule: 'again', check: null },
      ...{ rules: ['again', 'all'], shadowRules: ['try'], faultyRules: [] },
    });
    expect(judged(rules, NEW, found)).toMatchObject({ recommendation: 'flag', rule: 'all', rules: ['all'] });
  });

  it('is decided by the project’s own lists before every rule, which still are noted', () => {
    const record = { listing: { action: 'allow', kind: 'domain' } } as const;
    expect(judged([rule('all', 'true')], NEW, { record })).toMatchObject({
      ...{ recommendation: 'allow', rule: null, rules: ['all'], signals: ['allow_listed'] },
    });
  });

  it('is shown to rules with what history adds, in the order of the checks', () => {
    const rules = [rule('both', 'failed == ["alias", "ip"] && signals == ["alias_reuse"]')];
    expect(judged(rules, AGAIN, { failed: ['ip'] }).rules).toEqual(['both']);
    expect(judged(rules, NEW, { failed: ['ip'] }).rules).toEqual([]);
  });

  it('does not match a rule that cannot be evaluated, and names it once', () => {
    const rules = [rule('broken', 'email.domain =='), rule('divides', '1 / ip.asn == 1')];
    expect(judged(rules)).toMatchObject({
      recommendation: 'allow',
      rules: [],
      faultyRules: ['broken', 'divides'],
    });
  });

  it('is looked up in named lists by the hash of the person', () => {
    const rules = [rule('friend', 'inList("friends", inbox.hash)')];
    expect(judged(rules, NEW, { inbox: 'jane@example.com'.padEnd(22, '-') }).rules).toEqual([]);
    const record = { inboxHash: 'jane_example_com------' };
    const terms = { policy: DEFAULT_POLICY, rules, namedLists: { friends: [{ value: 'jane@example.com' }] } };
    const hash = (name: string) => name.replaceAll(/[@.]/g, '_').padEnd(22, '-');
    expect(judge({ ...validationOf({ now: NOW }), ...record }, terms, NEW, hash).rules).toEqual(['friend']);
  });
});

it('the checks that look at history are those that the store knows', () => {
  const data = { domainList: () => undefined, ipRanges: () => undefined } as never;
  const recalling = Object.entries(builtInChecks(data)).filter(([, { recall }]) => recall !== undefined);
  expect(recalling.map(([name, { recall }]) => [name, recall])).toEqual(Object.entries(RECALLS));
});
