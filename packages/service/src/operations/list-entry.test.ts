import { PROJECT_FIELDS } from '@postern/contract/project-fields';
import { expect, test } from 'vitest';
import { InvalidInput } from './administration.ts';
import { readListEntries } from './list-entry.ts';

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
  expect(read).toThrow(/Always allow: 'nonsense'.*AS<number>.*2001:db8::\/32/);
});
