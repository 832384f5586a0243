import { UsageFault } from './failure.ts';

export interface CsvRow {
  /** The number of the line on which the row begins. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The rows of an RFC 4180 table. A quoted cell can contain commas, doubled quotes and line breaks. */
export function readCsv(text: string): CsvRow[] {
  const source = text.replace(/^\uFEFF/, '');
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let line = 1;
  let rowLine = 1;
  let at = 0;
  while (at < source.length) {
    const cell = readCell(source, at, line);
    cells.push(cell.text);
    line += lineBreaks(source.slice(at, cell.end));
    at = cell.end;
    if (source.charAt(at) === ',') {
      at += 1;
      if (at < source.length) continue;
      cells.push('');
    }
    rows.push({ line: rowLine, cells });
    cells = [];
    at += source.startsWith('\r\n', at) ? 2 : 1;
    line += 1;
    rowLine = line;
  }
  return rows.filter((row) => row.cells.some((cell) => cell !== ''));
}

interface Cell {
  readonly text: string;
  /** Where the comma or the line break after it is. */
  readonly end: number;
}

const QUOTED = /[ \t]*"([^"]*(?:""[^"]*)*)"([^,\r\n]*)/y;
const OPENING_QUOTE = /[ \t]*"/y;
const PLAIN = /[^,\r\n]*/y;

function readCell(source: string, at: number, line: number): Cell {
  const quoted = matchAt(QUOTED, source, at);
  if (quoted !== null) {
    const [whole, text = '', after = ''] = quoted;
    if (after.trim() !== '')
      throw new UsageFault(
        `line ${line}: the quoted text that begins here is followed by other text; check its quotes. Nothing was recorded.`,
      );
    return { text: text.replaceAll('""', '"').trim(), end: at + whole.length };
  }
  if (matchAt(OPENING_QUOTE, source, at) !== null)
    throw new UsageFault(`line ${line}: the quote that begins here is never closed. Nothing was recorded.`);
  const plain = matchAt(PLAIN, source, at)?.[0] ?? '';
  return { text: plain.trim(), end: at + plain.length };
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

function lineBreaks(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
