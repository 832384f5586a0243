import { csvLine } from '@postern/contract/csv';
import type { LOG_COLUMNS, LogColumn } from '@postern/contract/dashboard';
import type { LogRow, Store } from '../store/store.ts';
import type { LogFilter } from '../store/tables/log-filter.ts';
import { InvalidInput } from './administration.ts';
import { judgementOf } from './judgements.ts';
import type { ConcurrencyLimit } from './operation.ts';
import { operatorOf } from './validation-row.ts';

const ROWS_AT_ONCE = 500;

/** The names of the columns that the table of the log has too. */
type NamedColumn = (typeof LOG_COLUMNS)[LogColumn][number];
type ReadColumn = (row: LogRow, outcome: string) => string;

/** Every column of the file, in its order. */
const COLUMNS = {
  time: (row) => new Date(row.at).toISOString(),
  request: (row) => row.requestId,
  mode: (row) => row.mode,
  key: (row) => row.keyType,
  address: (row) => row.maskedAddress,
  domain: (row) => row.domain,
  network: (row) => row.maskedIp ?? '',
  country: (row) => row.country ?? '',
  asn: (row) => (row.asn === null ? '' : String(row.asn)),
  operator: (row) => operatorOf(row) ?? '',
  recommendation: (row) => row.recommendation,
  failed: (row) => row.failed.join(' '),
  signals: (row) => row.signals.join(' '),
  rules: (row) => [...row.rules, ...row.shadowRules].join(' '),
  device: (row) => row.deviceHash ?? '',
  deviceInboxes: (row) => (row.deviceHash === null ? '' : String(row.history.device?.otherAddresses ?? 0)),
  inbox: (row) => row.inboxHash,
  sdk: (row) => row.sdkVersion ?? '',
  latencyMs: (row) => String(row.latencyMs),
  outcome: (_row, outcome) => outcome,
} as const satisfies Record<string, ReadColumn> & Record<NamedColumn, ReadColumn>;

type CsvColumn = keyof typeof COLUMNS;
const NAMES = Object.keys(COLUMNS) as CsvColumn[];

/** The wanted columns in the order of the file; all without a text. */
export function csvColumns(text: string | undefined): readonly CsvColumn[] {
  if (text === undefined) return NAMES;
  const wanted = text.split(',');
  const stranger = wanted.find((name) => !NAMES.some((known) => known === name));
  if (stranger !== undefined)
    throw new InvalidInput('columns', `columns must be names of columns: ${NAMES.join(', ')}.`);
  return NAMES.filter((name) => wanted.includes(name));
}

export async function* exportedLog(
  { log, outcomes }: Pick<Store, 'log' | 'outcomes'>,
  projectId: string,
  filter: LogFilter,
  columns: readonly CsvColumn[],
  longReads: ConcurrencyLimit,
): AsyncGenerator<string> {
  yield csvLine(columns);
  let cursor: string | null = null;
  do {
    const from: string | null = cursor;
    const { next, lines } = await longReads(async () => {
      const page = await log.page(projectId, filter, ROWS_AT_ONCE, from);
      const people = [...new Set(page.rows.map(({ inboxHash }) => inboxHash))];
      const outcomeOf = await outcomes.findMany(projectId, people);
      const lines = page.rows.map((row) => {
        const outcome = judgementOf(outcomeOf.get(row.inboxHash))?.outcome ?? '';
        return csvLine(columns.map((name) => COLUMNS[name](row, outcome)));
      });
      return { next: page.next, lines: lines.join('') };
    });
    cursor = next;
    if (lines !== '') yield lines;
  } while (cursor !== null);
}
