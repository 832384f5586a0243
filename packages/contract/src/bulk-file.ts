/** The entry point `@postern/contract/bulk-file`: a file of addresses to check, and the file with the results. */

import { CsvFault, type CsvOptions, type CsvRow, csvLine, findSeparator, readCsv } from './csv.ts';
import type { BulkResult } from './dashboard/bulk.ts';

export interface BulkFile {
  /** The columns’ names. A file without a header gets `email`, and `column 2` and so on for the others. */
  readonly titles: readonly string[];
  readonly rows: readonly BulkFileRow[];
  /** The column that is checked, and the one with the client’s IP address, from 0; -1 if there is none. */
  readonly emailColumn: number;
  readonly ipColumn: number;
  /** The file was not UTF-8, so that it was read as the encoding of older spreadsheets. */
  readonly windows1252: boolean;
}

export interface BulkFileRow extends CsvRow {
  readonly email: string;
  /** Empty if the file has no such column. */
  readonly ip: string;
}

export type BulkFileLimits = Required<Pick<CsvOptions, 'maxRows' | 'maxRowLength'>>;

const EMAIL_TITLE = /^e-?mail([ _-]?address)?$/i;
/** Often a street: only a column with an @ in it is meant. */
const ADDRESS_TITLE = /^address$/i;
const IP_TITLE = /^(client[ _-]?)?ip([ _-]?address)?$/i;
/** Longer than any address. What is cut off was not an address. */
const MAX_CELL_LENGTH = 400;

/**
 * Reads a list of addresses: a table with a header, in which `email` is the column to check and `ip` the client’s IP
 * address, or a table without one, in which the first column with an @ is checked. Throws CsvFault.
 */
export function readBulkFile(source: string | Uint8Array, limits: BulkFileLimits): BulkFile {
  const { maxRows, maxRowLength } = limits;
  const { text, windows1252 } =
    typeof source === 'string' ? { text: source, windows1252: false } : decode(source);
  const separator = findSeparator(text);
  const all = readCsv(text, { separator, maxRowLength }).filter(isNotComment);
  const [first] = all;
  if (first === undefined) throw new CsvFault('the file has no rows');
  const titled = titledColumn(all);
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
  if (rows.length > maxRows)
    throw new CsvFault(`the file has ${rows.length} rows; at most ${maxRows} can be checked at once`);
  const width = all.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  const titles = Array.from({ length: width }, (_, column) => {
    const title = hasTitles ? (first.cells[column] ?? '') : column === emailColumn ? 'email' : '';
    return title === '' ? `column ${column + 1}` : title;
  });
  const cellOf = (row: CsvRow, column: number) => (row.cells[column] ?? '').slice(0, MAX_CELL_LENGTH);
  return {
    titles,
    emailColumn,
    ipColumn,
    windows1252,
    rows: rows.map((row) => ({ ...row, email: cellOf(row, emailColumn), ip: cellOf(row, ipColumn) })),
  };
}

/** The header of the file with the results: the columns of the file, and what was found. */
export function bulkResultHeader({ titles }: BulkFile): string {
  return csvLine([...titles, ...RESULT_TITLES.map((title) => unusedTitle(title, titles))]);
}

const RESULT_TITLES = ['recommendation', 'failedChecks', 'reason'];

/** A file that was checked before has columns of these names already. */
function unusedTitle(title: string, titles: readonly string[]): string {
  let name = title;
  for (let number = 2; titles.includes(name); number += 1) name = `${title} ${number}`;
  return name;
}

/** The column whose title says that it has addresses; -1 if there is none. */
function titledColumn([first, ...rows]: readonly CsvRow[]): number {
  const named = (title: RegExp) => first?.cells.findIndex((cell) => title.test(cell)) ?? -1;
  const email = named(EMAIL_TITLE);
  if (email >= 0) return email;
  const address = named(ADDRESS_TITLE);
  return rows.some(({ cells }) => cells[address]?.includes('@')) ? address : -1;
}

/** Every browser and Node have it. This package has the types of neither. */
declare const TextDecoder: new (
  encoding: string,
  options?: { readonly fatal: boolean },
) => { decode(bytes: Uint8Array): string };

function decode(bytes: Uint8Array): { text: string; windows1252: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), windows1252: false };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), windows1252: true };
  }
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
