import { expect, it } from 'vitest';
import { ruleAfter, withRuleAt } from './use-rule-changes.ts';

const RULES = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
const order = (id: string, place: number) => withRuleAt(RULES, id, place).map((rule) => rule.id);

it('moves a rule to its place among the others', () => {
  expect(order('c', 0)).toEqual(['c', 'a', 'b', 'd']);
  expect(order('a', 1)).toEqual(['b', 'a', 'c', 'd']);
  expect(order('b', 3)).toEqual(['a', 'c', 'd', 'b']);
});

it('stops at the ends, and leaves the order alone without the rule', () => {
  expect(order('d', 9)).toEqual(['a', 'b', 'c', 'd']);
  expect(order('a', -1)).toEqual(['a', 'b', 'c', 'd']);
  expect(order('x', 0)).toEqual(['a', 'b', 'c', 'd']);
});

it('knows which rule comes next', () => {
  expect(ruleAfter(RULES, 'b')).toBe('c');
  expect(ruleAfter(RULES, 'd')).toBeNull();
});
