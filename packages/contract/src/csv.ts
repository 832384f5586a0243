/** The entry point `@postern/contract/csv`: CSV tables (RFC 4180), read and written the same way everywhere. */

export interface CsvRow {
  /** The number of the line on which the row begins. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The text is not a table, or it is too large. The message names the line. */
export class CsvFault extends Error {
  override readonly name = 'CsvFault';
}

export type CsvSeparator = ',' | ';' | '\t';

export interface CsvOptions {
  readonly separator?: CsvSeparator;
  readonly maxRows?: number;
  /** In characters, line breaks inside quotes included. */
  readonly maxRowLength?: number;
}

/** The rows of a table. A quoted cell can contain separators, doubled quotes and line breaks. Empty rows are left out. */
export function readCsv(text: string, options: CsvOptions = {}): CsvRow[] {
  const {
    separator = ',',
    maxRows = Number.POSITIVE_INFINITY,
    maxRowLength = Number.POSITIVE_INFINITY,
  } = options;
  const source = withoutByteOrderMark(text);
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let line = 1;
  let rowLine = 1;
  let rowStart = 0;
  let at = 0;
  while (at < source.length) {
    const cell = readCell(source, at, line, CELLS[separator]);
    cells.push(cell.text);
    line += lineBreaks(source.slice(at, cell.end));
    at = cell.end;
    if (at - rowStart > maxRowLength)
      throw new CsvFault(`line ${rowLine}: the row is longer than ${maxRowLength} characters`);
    if (source.charAt(at) === separator) {
      at += 1;
      if (at < source.length) continue;
      cells.push('');
    }
    if (cells.some((text) => text !== '')) rows.push({ line: rowLine, cells });
    if (rows.length > maxRows) throw new CsvFault(`the file has more than ${maxRows} rows`);
    cells = [];
    at += source.startsWith('\r\n', at) ? 2 : 1;
    line += 1;
    rowLine = line;
    rowStart = at;
  }
  return rows;
}

/** The separator in the first line, outside quotes. A comma counts before a semicolon, and that before a tab. */
export function findSeparator(text: string): CsvSeparator {
  const found = new Set<string>();
  let quoted = false;
  for (const character of withoutByteOrderMark(text)) {
    if (character === '"') quoted = !quoted;
    if (quoted) continue;
    if (character === '\n' || character === '\r') {
      if (found.size > 0) break;
    }
    found.add(character);
  }
  return SEPARATORS.find((separator) => found.has(separator)) ?? ',';
}

/** One line of CSV. A cell that a spreadsheet would run as a formula is protected. */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

const SEPARATORS: readonly CsvSeparator[] = [',', ';', '\t'];

function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

interface CellPatterns {
  readonly quoted: RegExp;
  readonly openingQuote: RegExp;
  readonly plain: RegExp;
}

const CELLS: Readonly<Record<CsvSeparator, CellPatterns>> = {
  ',': { quoted: /[ \t]*"([^"]*(?:""[^"]*)*)"([^,\r\n]*)/y, openingQuote: /[ \t]*"/y, plain: /[^,\r\n]*/y },
  ';': { quoted: /[ \t]*"([^"]*(?:""[^"]*)*)"([^;\r\n]*)/y, openingQuote: /[ \t]*"/y, plain: /[^;\r\n]*/y },
  '\t': { quoted: / *"([^"]*(?:""[^"]*)*)"([^\t\r\n]*)/y, openingQuote: / *"/y, plain: /[^\t\r\n]*/y },
};

interface Cell {
  readonly text: string;
  /** Where the separator or the line break after it is. */
  readonly end: number;
}

function readCell(
  source: string,
  at: number,
  line: number,
  { quoted, openingQuote, plain }: CellPatterns,
): Cell {
  const found = matchAt(quoted, source, at);
  if (found !== null) {
    const [whole, text = '', after = ''] = found;
    if (after.trim() !== '')
      throw new CsvFault(
        `line ${line}: the quoted text that begins here is followed by other text; check its quotes`,
      );
    return { text: text.replaceAll('""', '"').trim(), end: at + whole.length };
  }
  if (matchAt(openingQuote, source, at) !== null)
    throw new CsvFault(`line ${line}: the quote that begins here is never closed`);
  const text = matchAt(plain, source, at)?.[0] ?? '';
  return { text: text.trim(), end: at + text.length };
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

function lineBreaks(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

/**
 * A spreadsheet runs a field that begins with one of these as a formula, and outsiders choose domains and request IDs.
 * An apostrophe in front makes it text (https://owasp.org/www-community/attacks/CSV_Injection). In much of Europe a
 * spreadsheet separates cells at semicolons, and some at tabs, so what follows one of them may begin a cell too.
 */
const FORMULA = /^[\t\r\n]|(?:^|(?<=[;\t\r\n]))[=+\-@]/g;

function csvField(text: string): string {
  const safe = text.replace(FORMULA, "'$&");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
