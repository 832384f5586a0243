/** The entry point `@postern/contract/bulk-file`: a file of addresses to check, and the file with the results. */

import { CsvFault, type CsvOptions, type CsvRow, csvLine, findSeparator, readCsv } from './csv.ts';
import type { BulkResult } from './dashboard/bulk.ts';

export interface BulkFile {
  /** The columns’ names. A file without a header gets `email`, and `column 2` and so on for the others. */
  readonly titles: readonly string[];
  readonly rows: readonly BulkFileRow[];
}

export interface BulkFileRow extends CsvRow {
  readonly email: string;
  /** Empty if the file has no such column. */
  readonly ip: string;
}

export type BulkFileLimits = Required<Pick<CsvOptions, 'maxRows' | 'maxRowLength'>>;

const EMAIL_TITLE = /^(e-?mail|e-?mail[ _-]?address|address)$/i;
const IP_TITLE = /^(client[ _-]?)?ip([ _-]?address)?$/i;
/** Longer than any address. What is cut off was not an address. */
const MAX_CELL_LENGTH = 400;

/**
 * Reads a list of addresses: a table with a header, in which `email` is the column to check and `ip` the client’s IP
 * address, or a table without one, in which the first column with an @ is checked. Throws CsvFault.
 */
export function readBulkFile(text: string, { maxRows, maxRowLength }: BulkFileLimits): BulkFile {
  const separator = findSeparator(text);
  // One more for the header.
  const all = readCsv(text, { separator, maxRows: maxRows + 1, maxRowLength }).filter(isNotComment);
  const [first] = all;
  if (first === undefined) throw new CsvFault('the file has no rows');
  const titled = first.cells.findIndex((cell) => EMAIL_TITLE.test(cell));
  const hasTitles = titled >= 0;
  const emailColumn = hasTitles
    ? titled
    : Math.max(
        0,
        first.cells.findIndex((cell) => cell.includes('@')),
      );
  const ipColumn = hasTitles ? first.cells.findIndex((cell) => IP_TITLE.test(cell)) : -1;
  const rows = hasTitles ? all.slice(1) : all;
  if (rows.length === 0) throw new CsvFault('the file has a header, but no rows');
  if (rows.length > maxRows) throw new CsvFault(`the file has more than ${maxRows} rows`);
  const width = all.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  const titles = Array.from({ length: width }, (_, column) => {
    const title = hasTitles ? (first.cells[column] ?? '') : column === emailColumn ? 'email' : '';
    return title === '' ? `column ${column + 1}` : title;
  });
  const cellOf = (row: CsvRow, column: number) => (row.cells[column] ?? '').slice(0, MAX_CELL_LENGTH);
  return {
    titles,
    rows: rows.map((row) => ({ ...row, email: cellOf(row, emailColumn), ip: cellOf(row, ipColumn) })),
  };
}

/** The header of the file with the results: the columns of the file, and what was found. */
export function bulkResultHeader({ titles }: BulkFile): string {
  return csvLine([...titles, 'recommendation', 'failedChecks', 'reason']);
}

export function bulkResultLine(
  { titles }: BulkFile,
  { cells }: BulkFileRow,
  { recommendation, failed, reason }: Omit<BulkResult, 'index'>,
): string {
  const filled = titles.map((_, column) => cells[column] ?? '');
  return csvLine([...filled, recommendation, failed.join(' '), reason]);
}

/** `# a remark` in a hand-written list. An address can begin with # too, but it has an @. */
function isNotComment({ cells }: CsvRow): boolean {
  const [first = ''] = cells;
  return !first.startsWith('#') || first.includes('@');
}
