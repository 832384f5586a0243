import { ACTIONS, type Recommendation } from '@postern/contract';
import { chunksOf } from '../../model/chunks.ts';
import type { History } from '../../model/history.ts';
import { integer, integerOrNull, json, text, textOrNull } from '../columns.ts';
import { type Database, type Row, type SqlValue, type Statement, statement } from '../database.ts';
import { wordsReader } from '../log-words.ts';
import { FIRST_SHARED } from '../statistics/statistics-words.ts';
import { tableOf } from '../table-of.ts';

/**
 * People whose log rows are gone, for as long as an outcome about them counts. A row keeps the validation that let the
 * person in: the one with the mildest answer, of equal ones the newest. It has no address, network or device.
 */
export interface PastPerson {
  readonly inbox: string;
  readonly at: number;
  readonly recommendation: Recommendation;
  readonly checks: readonly string[];
  readonly signals: readonly string[];
  readonly rules: readonly string[];
  readonly shadowRules: readonly string[];
  readonly history: History;
  /** The checks’ results in the log’s form, with the metadata that a policy can judge again. */
  readonly checksJson: string;
}

export const PERSON = tableOf('person', {
  projectId: text,
  inbox: text,
  seenAt: integer,
  at: integerOrNull,
  answer: integerOrNull,
  words: textOrNull,
  rules: textOrNull,
  lists: textOrNull,
  history: textOrNull,
  checks: textOrNull,
});

export const PERSON_REQUEST = tableOf('person_request', {
  projectId: text,
  requestId: text,
  inbox: text,
  at: integer,
});

/** What is read of a log row that is about to be dropped. */
export const DROPPED_COLUMNS =
  'id, at, request_id, mode, inbox, recommendation, words, rules, lists, history, checks';

/**
 * Moves what is known about the people of these log rows, oldest first, to their own rows. Repeating it changes nothing.
 * People whose rows were deleted since they were read are not moved: they were erased, or the whole project was.
 */
export function keepPeople(projectId: string, rows: readonly Row[]): Statement[] {
  const people = new Map<string, SqlValue[]>();
  const requests = new Map<string, SqlValue[]>();
  for (const row of rows) {
    if (row.mode !== 'live') continue;
    const inbox = text(row, 'inbox');
    const at = integer(row, 'at');
    const answer = ACTIONS.indexOf(text<Recommendation>(row, 'recommendation'));
    const id = text(row, 'id');
    requests.set(`${inbox} ${text(row, 'request_id')}`, [id, text(row, 'request_id'), inbox, at]);
    const before = people.get(inbox);
    if (before !== undefined && Number(before[4]) < answer) before[2] = at;
    else
      people.set(inbox, [
        id,
        inbox,
        at,
        at,
        answer,
        wordsOfResults(text(row, 'words')),
        text(row, 'rules'),
        text(row, 'lists'),
        text(row, 'history'),
        compactChecks(text(row, 'checks')),
      ]);
  }
  if (people.size === 0) return [];
  const better = '(person.answer IS NULL OR excluded.answer <= person.answer)';
  const kept = ['at', 'answer', 'words', 'rules', 'lists', 'history', 'checks'].map(
    (column) => `${column} = CASE WHEN ${better} THEN excluded.${column} ELSE person.${column} END`,
  );
  return [
    insert(
      `person (${PERSON.list})`,
      projectId,
      [...people.values()],
      `ON CONFLICT (project_id, inbox) DO UPDATE SET ${kept.join(', ')},
         seen_at = CASE WHEN excluded.seen_at > person.seen_at THEN excluded.seen_at ELSE person.seen_at END`,
    ),
    insert(
      `person_request (${PERSON_REQUEST.list})`,
      projectId,
      [...requests.values()],
      'ON CONFLICT (project_id, inbox, request_id) DO UPDATE SET at = excluded.at',
    ),
  ];
}

/** The first value of each row is the ID of its log row. */
function insert(
  into: string,
  projectId: string,
  rows: readonly (readonly SqlValue[])[],
  ending: string,
): Statement {
  // PostgreSQL does not know the types of values that are selected.
  const places = rows.map((row) => `(${row.map((value) => `CAST(? AS ${typeOf(value)})`).join(', ')})`);
  const columns = rows[0]?.slice(1).map((_, index) => `moved.column${index + 2}`) ?? [];
  return statement(
    // With CROSS JOIN, SQLite looks each row up. With JOIN it would read the keys of the whole log for more than ten of them.
    `INSERT INTO ${into} SELECT logged.project_id, ${columns.join(', ')} FROM (VALUES ${places.join(', ')}) AS moved
     CROSS JOIN validation_log AS logged WHERE logged.project_id = ? AND logged.id = moved.column1 ${ending}`,
    ...[...rows.flat(), projectId],
  );
}

const typeOf = (value: SqlValue) => (typeof value === 'number' ? 'BIGINT' : 'TEXT');

/** Without the words that differ from request to request. */
function wordsOfResults(words: string): string {
  return words.slice(Math.max(0, words.indexOf(FIRST_SHARED)));
}

/** What a check’s `replay` and the policy look at. */
const KEPT_METADATA = ['kind', 'status', 'reason', 'automated'];

function compactChecks(checksJson: string): string {
  const checks = JSON.parse(checksJson) as Record<string, [string | 1, number, Record<string, unknown>?]>;
  const compact = Object.entries(checks).map(([check, [error, , metadata = {}]]) => {
    const kept = Object.entries(metadata).filter(([name]) => KEPT_METADATA.includes(name));
    return [check, kept.length === 0 ? [error, 0] : [error, 0, Object.fromEntries(kept)]];
  });
  return JSON.stringify(Object.fromEntries(compact));
}

const PEOPLE_AT_ONCE = 500;

/** The people among these whose log rows are gone. */
export async function readPastPeople(
  database: Database,
  projectId: string,
  inboxes: readonly string[],
): Promise<PastPerson[]> {
  const found: PastPerson[] = [];
  const read = wordsReader();
  for (const inbox of chunksOf(inboxes, PEOPLE_AT_ONCE)) {
    const rows = await database.browse(PERSON.select({ projectId, inbox }, 'AND answer IS NOT NULL'));
    for (const row of rows) {
      const { failed, signals } = read(text(row, 'words'));
      const { rules, shadowRules } = read(text(row, 'rules'));
      found.push({
        inbox: text(row, 'inbox'),
        at: integer(row, 'at'),
        recommendation: ACTIONS[integer(row, 'answer')] ?? 'allow',
        checks: failed,
        signals,
        rules,
        shadowRules,
        history: json<History>(row, 'history'),
        checksJson: text(row, 'checks'),
      });
    }
  }
  return found;
}
