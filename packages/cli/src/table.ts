import { stripVTControlCharacters } from 'node:util';
import { printable } from './printable.ts';
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
