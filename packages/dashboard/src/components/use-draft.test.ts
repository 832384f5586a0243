import { expect, it } from 'vitest';
import { merge } from './use-draft.ts';

const base = { name: 'a', actions: { ip: 'flag', mx: 'block' }, messages: { de: { mx: 'Nein.' } } };

it('takes each field from the one who changed it, whatever depth it has', () => {
  const mine = { ...base, actions: { mx: 'block', ip: 'allow' }, messages: { en: { mx: 'No.' } } };
  const theirs = { ...base, name: 'b', actions: { ip: 'flag' } };
  expect(merge<object>(base, mine, theirs)).toEqual({
    values: { name: 'b', actions: { ip: 'allow' }, messages: { en: { mx: 'No.' } } },
    base: theirs,
    clashes: [],
  });
});

it('keeps mine where both changed it differently, and says so', () => {
  const mine = { ...base, name: 'mine', actions: { mx: 'block' } };
  const theirs = { ...base, name: 'theirs', actions: { ip: 'block', mx: 'block' } };
  expect(merge<object>(base, mine, theirs)).toEqual({
    values: mine,
    base,
    clashes: [
      { path: ['name'], mine: 'mine', theirs: 'theirs' },
      { path: ['actions', 'ip'], mine: undefined, theirs: 'block' },
    ],
  });
  expect(merge<object>(base, mine, { ...base, name: 'mine' }).clashes).toEqual([]);
});

it('merges lists by their lines', () => {
  const { values, clashes } = merge(['a', 'b', 'c'], ['a', 'c', 'mine'], ['b', 'c', 'theirs']);
  expect(values).toEqual(['c', 'theirs', 'mine']);
  expect(clashes).toEqual([]);
});
