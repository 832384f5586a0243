import { csvLine } from '@postern/contract/csv';
import type { LOG_COLUMNS, LogColumn, ValidationRow } from '@postern/contract/dashboard';
import { stepUpOfRow } from '../outcomes/step-up-figures.ts';
import type { LogRow } from '../store/store.ts';
import type { LogFilter } from '../store/tables/log-filter.ts';
import { type Administration, InvalidInput } from './administration.ts';
import { judgementOf } from './judgements.ts';
import type { ConcurrencyLimit } from './operation.ts';
import { operatorOf } from './validation-row.ts';

const ROWS_AT_ONCE = 500;

/** The names of the columns that the table of the log has too. */
type NamedColumn = (typeof LOG_COLUMNS)[LogColumn][number];
type Known = Pick<ValidationRow, 'outcome' | 'stepUp'>;
type ReadColumn = (row: LogRow, known: Known) => string;

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
  outcome: (_row, { outcome }) => outcome ?? '',
  stepUp: (_row, { stepUp }) => (stepUp === null ? '' : `${stepUp.kind} ${stepUp.result}`),
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

/** What is known of people of the log by now: how they turned out, and what became of what a flag asked of them. */
export async function knownOfRows(
  { store, now }: Administration,
  projectId: string,
  rows: readonly LogRow[],
): Promise<(row: LogRow) => Known> {
  const people = [...new Set(rows.map(({ inboxHash }) => inboxHash))];
  const outcomes = await store.outcomes.findMany(projectId, people);
  const logIds = rows.flatMap(({ recommendation, id }) => (recommendation === 'flag' ? [id] : []));
  const asked = logIds.length === 0 ? [] : await store.challenges.asked(projectId, { logIds });
  const stepUps = new Map(asked.map((person) => [person.logId, stepUpOfRow(person, now())]));
  return ({ id, inboxHash }) => ({
    outcome: judgementOf(outcomes.get(inboxHash))?.outcome ?? null,
    stepUp: stepUps.get(id) ?? null,
  });
}

export async function* exportedLog(
  admin: Administration,
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
      const page = await admin.store.log.page(projectId, filter, ROWS_AT_ONCE, from);
      const knownOf = await knownOfRows(admin, projectId, page.rows);
      const lines = page.rows.map((row) => csvLine(columns.map((name) => COLUMNS[name](row, knownOf(row)))));
      return { next: page.next, lines: lines.join('') };
    });
    cursor = next;
    if (lines !== '') yield lines;
  } while (cursor !== null);
}
