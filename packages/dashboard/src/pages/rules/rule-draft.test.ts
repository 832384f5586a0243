import type { Rule } from '@postern/contract/rules';
import { expect, it } from 'vitest';
import { draftId, draftOf, EMPTY_DRAFT, localTime, newRule, ruleChange, rulesWith } from './rule-draft.ts';

const VIEW = {
  id: 'night',
  name: 'Night',
  when: 'time.hour < 5',
  then: 'block',
  mode: 'live',
  note: 'Why',
  expiresAt: Date.parse('2026-12-01T08:30:00Z'),
  changedByName: null,
  lists: [],
} as const;
const view = { ...VIEW, lists: [] };

it('writes only what is filled in', () => {
  expect(newRule({ ...EMPTY_DRAFT, name: ' A ', when: 'true' })).toEqual({
    name: 'A',
    when: 'true',
    then: 'flag',
    mode: 'shadow',
  });
  expect(newRule(draftOf(view)).expiresAt).toBe(VIEW.expiresAt);
});

it('changes only what is different, and takes away what was emptied', () => {
  const before = draftOf(view);
  expect(ruleChange(before, before)).toEqual({});
  expect(ruleChange(before, { ...before, then: 'flag', note: '', ends: '' })).toEqual({
    then: 'flag',
    note: null,
    expiresAt: null,
  });
});

it('replays a draft in the place of its rule, or as the last one', () => {
  const rules = [{ ...VIEW, id: 'first' }, VIEW];
  expect(rulesWith(rules, { ...draftOf(view), then: 'flag' }, 'first').map(({ then }) => then)).toEqual([
    'flag',
    'block',
  ]);
  const ids = (before: readonly Rule[]) =>
    rulesWith(before, draftOf(view), draftId(before)).map(({ id }) => id);
  expect(ids(rules)).toEqual(['first', 'night', 'draft_1']);
  expect(ids([{ ...VIEW, id: 'draft_1' }])).toEqual(['draft_1', 'draft_2']);
});

it('reads and writes local times', () => {
  const at = new Date(2026, 10, 17, 9, 30).getTime();
  expect(localTime(at)).toBe('2026-11-17T09:30');
});
