import { type ReadOutcome, readOutcome } from '@postern/contract';
import { UsageFault } from './failure.ts';
import { splitRow } from './read-address-list.ts';

const COLUMNS = ['requestId', 'email', 'outcome', 'reason', 'at'] as const;

/** Reads a CSV file of outcomes. An error names its line. A file with an error is not used at all. */
export function readOutcomeFile(text: string, now: number): ReadOutcome[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const titles = splitRow(lines[0] ?? '', ',').map((title) => title.toLowerCase());
  const columns = COLUMNS.map((name) => [name, titles.indexOf(name.toLowerCase())] as const);
  const has = (name: string) => columns.some(([column, index]) => column === name && index >= 0);
  if (!has('outcome') || !(has('requestId') || has('email')))
    throw new UsageFault(
      `The first line must name the columns: requestId or email, outcome, and optionally reason and at.`,
    );
  const outcomes: ReadOutcome[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === '') continue;
    const cells = splitRow(line, ',');
    const fields = columns.flatMap(([name, column]) => {
      const cell = cells[column] ?? '';
      return cell === '' ? [] : [[name, cell] as const];
    });
    const read = readOutcome(Object.fromEntries(fields), `line ${index + 1}`, now);
    if (!read.ok) throw new UsageFault(`${read.error.body.error}.`);
    outcomes.push(read.value);
  }
  return outcomes;
}
