import { createColors } from 'picocolors';
import { expect, test } from 'vitest';
import { formatFacts, formatTable } from './table.ts';

const columns = [
  { title: 'id', cell: (row: [string, string]) => row[0] },
  { title: 'count', cell: (row: [string, string]) => row[1], align: 'right' as const },
];

test('columns are as wide as their widest cell, numbers to the right', () => {
  const table = formatTable(
    [
      ['a', '1'],
      ['straße', '1000'],
    ],
    columns,
    createColors(false),
  );
  expect(table).toBe('ID      COUNT\na           1\nstraße   1000\n');
});

test('colours do not count as width', () => {
  const colors = createColors(true);
  const table = formatTable(
    [
      [colors.red('ab'), '1'],
      ['abc', '2'],
    ],
    columns,
    colors,
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is to be removed
  expect(table.replace(/\u001b\[\d+m/g, '')).toBe('ID   COUNT\nab       1\nabc      2\n');
});

test('facts are aligned below each other', () => {
  const facts = formatFacts(
    [
      ['id', 'demo'],
      ['plan', 'free'],
    ],
    createColors(false),
  );
  expect(facts).toBe('id    demo\nplan  free\n');
});
