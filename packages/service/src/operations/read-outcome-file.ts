import { type ReadOutcome, readOutcome } from '@postern/contract';
import { CsvFault, type CsvRow, readCsv } from '@postern/contract/csv';
import { InvalidInput } from './administration.ts';

/** An outcome from a file. */
export interface OutcomeLine extends ReadOutcome {
  readonly line: number;
}

const COLUMNS = ['requestId', 'email', 'outcome', 'reason', 'at'] as const;

/** Reads a CSV file of outcomes. An error names its line. A file with an error is not used at all. */
export function readOutcomeFile(text: string, now: number): OutcomeLine[] {
  const [first, ...rows] = readTable(text);
  const titles = (first?.cells ?? []).map((title) => title.toLowerCase());
  const columns = COLUMNS.map((name) => [name, titles.indexOf(name.toLowerCase())] as const);
  const has = (name: string) => columns.some(([column, index]) => column === name && index >= 0);
  if (!has('outcome') || !(has('requestId') || has('email')))
    throw new InvalidInput(
      'file',
      `The first line must name the columns: requestId or email, outcome, and optionally reason and at.`,
    );
  return rows.map(({ line, cells }) => {
    const fields = columns.flatMap(([name, column]) => {
      const cell = cells[column] ?? '';
      return cell === '' ? [] : [[name, cell] as const];
    });
    const read = readOutcome(Object.fromEntries(fields), `line ${line}`, now, ': ');
    if (!read.ok) throw new InvalidInput('file', `${read.error.body.error}. Nothing was recorded.`);
    return { ...read.value, line };
  });
}

function readTable(text: string): CsvRow[] {
  try {
    return readCsv(text);
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    throw new InvalidInput('file', `${error.message}. Nothing was recorded.`);
  }
}
