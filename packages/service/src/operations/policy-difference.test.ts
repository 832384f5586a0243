import { defaultValues, POLICY_FIELDS, type ProjectPolicy } from '@postern/contract/project-fields';
import type { Rule } from '@postern/contract/rules';
import { expect, it } from 'vitest';
import { policyDifference } from './policy-difference.ts';

const POLICY: ProjectPolicy = { ...defaultValues(POLICY_FIELDS) };
const rule = (id: string, traits: Partial<Rule> = {}): Rule => ({
  id,
  name: `The ${id}`,
  when: 'email.role',
  then: 'flag',
  mode: 'live',
  ...traits,
});

it('says every change of the policy with what was before', () => {
  const before = {
    ...POLICY,
    actions: { mx: 'block', ip: 'flag' },
    signals: {},
    deviceThreshold: 3,
  } as const;
  const after = {
    ...POLICY,
    actions: { ip: 'block' },
    signals: { new_domain: 'flag' },
    deviceThreshold: 5,
    messages: { de: { disposable: 'Bitte nicht.' } },
  } as const;
  expect(policyDifference({ policy: before, rules: [] }, { policy: after, rules: [] })).toEqual([
    'Check mx: off, was block.',
    'Check ip: block, was flag.',
    'Signal new_domain: flag, was off.',
    expect.stringMatching(/: 5 .*, was 3 /),
    'Message of disposable in de: “Bitte nicht.”, was the usual one.',
  ]);
});

it('says what became of each rule, and whether the order changed', () => {
  const before = [rule('one'), rule('two'), rule('three')];
  const after = [
    rule('new_one', { mode: 'shadow', when: 'email.role\n  && ip.known' }),
    rule('two', { then: 'block', note: 'Too many.', expiresAt: 0 }),
    rule('one'),
  ];
  expect(policyDifference({ policy: POLICY, rules: before }, { policy: POLICY, rules: after })).toEqual([
    'Rule new_one (The new_one) is new: flag if email.role && ip.known, in shadow.',
    'Rule two (The two): answer block, was flag.',
    'Rule two (The two): note Too many., was none.',
    'Rule two (The two): end 1970-01-01T00:00:00.000Z, was none.',
    'Rule three (The three) is deleted.',
    'Rules are asked in another order: new_one, two, one.',
  ]);
});

it('is empty if only the time of a rule’s change differs', () => {
  const both = { policy: POLICY, rules: [rule('one')] };
  const again = { policy: { ...POLICY }, rules: [rule('one', { changedAt: 5, changedBy: 'cli' })] };
  expect(policyDifference(both, again)).toEqual([]);
});
