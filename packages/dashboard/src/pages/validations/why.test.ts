import type { ValidationRow } from '@postern/contract/dashboard';
import { expect, it } from 'vitest';
import { reasonsOf } from './why.tsx';

const ROW = { lists: [], rules: [], failed: [], signals: [], recommendation: 'block' };
const why = (row: Partial<ValidationRow>) =>
  reasonsOf({ ...ROW, ...row } as unknown as ValidationRow, (id) => `named ${id}`).map(({ text }) => text);

it('names the list or else the rule that decided, the failed checks, and the signals that fail none', () => {
  expect(why({ lists: ['block:domain'], rules: ['a'], failed: ['ip'] })).toEqual([
    'block list: its domain',
    'IP address',
  ]);
  expect(why({ rules: ['a', 'b'] })).toEqual(['rule: named a']);
  expect(
    why({ failed: ['disposable'], signals: ['disposable_email', 'domain_turned_bad', 'role_email'] }),
  ).toEqual(['Disposable']);
  expect(why({ signals: ['domain_turned_bad', 'relay_address'] })).toEqual(['domain turned bad']);
  expect(why({})).toEqual([]);
});
