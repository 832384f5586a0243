import { PROJECT_FIELDS } from '@postern/contract/project-fields';
import { expect, test } from 'vitest';
import { InvalidInput } from './administration.ts';
import { maskListValue, normalizeListValue, readListEntries } from './list-entry.ts';

test.each([
  ['Jane@Example.COM', 'jane@example.com'],
  [' example.com ', 'example.com'],
  ['@example.com', 'example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['jane@bücher.example', 'jane@xn--bcher-kva.example'],
  ['203.0.113.7', '203.0.113.7'],
  ['2001:DB8::/32', '2001:db8::/32'],
])('%j is kept as %j', (typed, kept) => {
  expect(normalizeListValue(typed)).toBe(kept);
});

test.each([
  '',
  'com',
  'a b.com',
  'jane@',
  'two words@example.com',
  '203.0.113.0/33',
  '203.0.113',
  'http://example.com',
  `${'a'.repeat(65)}@example.com`,
])('%j is no entry', (typed) => {
  expect(normalizeListValue(typed)).toBeUndefined();
});

test('the last of several equal entries stays, with its note', () => {
  const written = [
    { value: 'example.com', note: 'first' },
    { value: '@EXAMPLE.com', note: 'second', expiresAt: 5 },
  ];
  const entries = readListEntries('blockList', written, PROJECT_FIELDS.blockList);
  expect(entries).toEqual([{ value: 'example.com', note: 'second', expiresAt: 5 }]);
});

test('an error names the list and the value, and shows what is possible', () => {
  const read = () => readListEntries('allowList', [{ value: 'nonsense' }], PROJECT_FIELDS.allowList);
  expect(read).toThrow(InvalidInput);
  expect(read).toThrow(/Always allow: 'nonsense'.*2001:db8::\/32/);
});

test('shows no person once it is masked', () => {
  expect(['jane@example.com', 'example.com', '203.0.113.7', '203.0.113.0/24'].map(maskListValue)).toEqual([
    '***@example.com',
    'example.com',
    '203.0.113.0/24',
    '203.0.113.0/24',
  ]);
});
