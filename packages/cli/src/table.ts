import { stripVTControlCharacters } from 'node:util';
import type { Colors } from './terminal.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly align?: 'right';
}

const GAP = '  ';

/** Rows under titles, each column as wide as its widest cell. Cells may be coloured. */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  colors: Colors,
): string {
  const lines = [
    columns.map(({ title }) => colors.dim(title.toUpperCase())),
    ...rows.map((row) => columns.map(({ cell }) => printable(cell(row)))),
  ];
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => widthOf(cells[index] ?? ''))));
  return lines
    .map((cells) =>
      cells
        .map((cell, index) => {
          const padding = ' '.repeat((widths[index] ?? 0) - widthOf(cell));
          return columns[index]?.align === 'right' ? padding + cell : cell + padding;
        })
        .join(GAP)
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** Name and value of each fact, one per line. */
export function formatFacts(facts: readonly (readonly [string, string])[], colors: Colors): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts
    .map(([name, value]) => `${colors.dim(name.padEnd(width))}${GAP}${printable(value)}\n`)
    .join('');
}

function widthOf(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character starts a colour
const COLOR_OR_CONTROL = /(\u001b\[\d+(?:;\d+)*m)|[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text from a file or a database, safe to print: colours stay, and every other character that could move the cursor,
 * break the line or turn the reading direction becomes �.
 */
export function printable(text: string): string {
  return text.replace(COLOR_OR_CONTROL, (_, color: string | undefined) => color ?? '\u{FFFD}');
}

/** The items that fit, and how many more there are: `a, b, c and 2 more`. */
export function andMore(shown: readonly (string | number)[], total: number): string {
  const more = total > shown.length ? ` and ${total - shown.length} more` : '';
  return `${shown.join(', ')}${more}`;
}
