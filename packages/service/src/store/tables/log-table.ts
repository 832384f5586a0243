import type { Recommendation } from '@postern/contract';
import type { LinkedThing } from '@postern/contract/dashboard';
import { chunksOf } from '../../model/chunks.ts';
import { integer, text, textOrNull } from '../columns.ts';
import { allOf, type Condition, type Database, type Statement } from '../database.ts';
import { type LogRow, NEWEST_FIRST, toLogRow } from '../log-row.ts';
import type { Dialect } from '../migrations/dialect.ts';
import type { AnswerTimes } from '../statistics/answer-times.ts';
import { rowOf } from '../table-of.ts';
import { timeOfId, timePrefix } from '../timed-id.ts';
import { filterConditions, type LogFilter } from './log-filter.ts';
import { type LogSample, logSample, type SampledShares } from './log-sample.ts';
import { rowsOfPeople } from './rows-of-people.ts';
import { seenRows } from './seen-rows.ts';
import { VALIDATION_LOG } from './settle-tables.ts';
import { countWords } from './statistics-table.ts';

/** A filtered page reads at most this many rows, and then returns what it has with a cursor. */
const ROWS_LOOKED_AT = 10_000;
/** Sorts after every character of an ID. */
const LAST = '~';

const IDS_AT_ONCE = 500;

/** Those of the rows that exist and match. */
export async function rowsById(
  { read }: Pick<Database, 'read'>,
  projectId: string,
  ids: readonly string[],
  condition = '',
): Promise<LogRow[]> {
  const found: LogRow[] = [];
  for (const id of chunksOf(ids, IDS_AT_ONCE))
    found.push(...(await read(VALIDATION_LOG.select({ projectId, id }, condition))).map(toLogRow));
  return found;
}

export interface LogPage {
  readonly rows: LogRow[];
  /** Pass it on for the next page; `null` at the end. */
  readonly next: string | null;
}

/** Who came since a time. A person can come any number of times. */
export interface PeopleCounted {
  readonly times: number;
  readonly good: number;
  readonly bad: number;
  readonly unknown: number;
}

/** A column by which people are counted. */
export type LinkedColumn = 'inbox' | 'device' | 'domain' | 'network' | 'asn' | 'country';
export type LinkedRow = Omit<LinkedThing, 'title'>;
const COUNTED = { people: integer, good: integer, bad: integer, validations: integer, blocked: integer };
const STEP = rowOf({ step: integer, recommendation: text<Recommendation>, times: integer });
const KNOWN = rowOf({ known: text<'good' | 'bad' | 'unknown'>, people: integer, times: integer });
const FIRST = rowOf({ id: textOrNull });
const NETWORK = rowOf({ network: text });
const WRITTEN = rowOf({ at: integer });
const LINKED = rowOf({ name: text, ...COUNTED, lastAt: integer });

/** A request that a limit refused. It has no log row, but the statistics count it. */
export type RefusalKind = 'rate-limited' | 'quota-exceeded';

type AnswerCounts = Readonly<Record<Recommendation, number>>;

export type LogStore = ReturnType<typeof logStore>;

export function logStore(database: Database, dialect: Dialect) {
  const rowsOf = async (query: Statement): Promise<LogRow[]> => (await database.browse(query)).map(toLogRow);
  return {
    /** Newest first. With `shares`, only a sample of the rows. */
    async page(
      projectId: string,
      filter: LogFilter,
      limit: number,
      cursor: string | null,
      shares?: SampledShares,
    ): Promise<LogPage> {
      const from = timePrefix(filter.from ?? 0);
      const to = cursor ?? (filter.to === undefined ? LAST : timePrefix(filter.to));
      const conditions = filterConditions(filter);
      const sample = shares && logSample(shares);
      if (sample) conditions.push(sample.condition);
      const selective = conditions.length > 0;
      const lookedAt = sample?.rowsLookedAt ?? ROWS_LOOKED_AT;
      const floor = selective ? await idAfter(database, projectId, from, to, lookedAt) : null;
      const chosen = idsBetween(projectId, floor ?? from, to, sample && { ...sample, dialect });
      const { sql, values } = allOf(chosen, ...conditions);
      const newest = `AND ${sql} ORDER BY id DESC LIMIT ?`;
      const found = await rowsOf(VALIDATION_LOG.select({ projectId }, newest, ...values, limit + 1));
      const rows = found.slice(0, limit);
      return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : floor };
    },
    find: async (projectId: string, id: string): Promise<LogRow | undefined> =>
      (await rowsOf(VALIDATION_LOG.select({ projectId, id })))[0],
    /** Those of the rows that exist. */
    findMany: (projectId: string, ids: readonly string[]): Promise<LogRow[]> =>
      rowsById(database, projectId, ids),
    /** The newest row with that request ID. */
    findByRequest: async (projectId: string, requestId: string): Promise<LogRow | undefined> =>
      (await rowsOf(VALIDATION_LOG.select({ projectId, requestId }, `${NEWEST_FIRST} LIMIT 1`)))[0],
    /** The newest live rows of these people, in the order of time. */
    async ofPeople(projectId: string, inboxes: readonly string[]): Promise<LogRow[]> {
      const found: LogRow[] = [];
      for (const query of rowsOfPeople(projectId, VALIDATION_LOG.list, inboxes))
        found.push(...(await rowsOf(query)));
      return found;
    },
    /** Whether there are more rows than that between two times, `to` not included. */
    async isLongerThan(
      projectId: string,
      { from, to }: { from: number; to: number },
      rows: number,
    ): Promise<boolean> {
      return (await idAfter(database, projectId, timePrefix(from), timePrefix(to), rows)) !== null;
    },
    /** From when on the newest rows of the filter’s time are, if there are more than that; `null` if not. */
    async countableFrom(
      projectId: string,
      { from = 0, to }: Pick<LogFilter, 'from' | 'to'>,
      rows: number,
    ): Promise<number | null> {
      const last = to === undefined ? LAST : timePrefix(to);
      const id = await idAfter(database, projectId, timePrefix(from), last, rows);
      return id === null ? null : timeOfId(id);
    },
    /** How many rows of a time span match, by answer, for each step of time from the epoch on. */
    async countByTime(
      projectId: string,
      filter: LogFilter & { readonly from: number; readonly to: number },
      stepMs: number,
    ): Promise<ReadonlyMap<number, AnswerCounts>> {
      const { sql, values } = since(projectId, filter);
      const rows = await STEP.findAll(
        database.browse,
        `SELECT at / ${stepMs} AS step, recommendation, count(*) AS times FROM validation_log
         WHERE ${sql} GROUP BY at / ${stepMs}, recommendation`,
        ...values,
      );
      const counts = new Map<number, AnswerCounts>();
      for (const { step, recommendation, times } of rows) {
        const before = counts.get(step * stepMs) ?? { allow: 0, flag: 0, block: 0 };
        counts.set(step * stepMs, { ...before, [recommendation]: times });
      }
      return counts;
    },
    /** The people of live rows since that time that pass at least one of the filters, and what is known of them. */
    async countPeople(
      projectId: string,
      from: number,
      filters: readonly LogFilter[],
    ): Promise<PeopleCounted> {
      const any = filters.map((filter) => allOf(...filterConditions(filter)));
      const tests = any.map(({ sql }) => `(${sql})`);
      const rows = await KNOWN.findAll(
        database.browse,
        `SELECT coalesce(judgement, 'unknown') AS known, count(*) AS people, CAST(sum(times) AS bigint) AS times
           FROM (SELECT inbox, count(*) AS times FROM validation_log
             WHERE project_id = ? AND id >= ? AND mode = 'live' AND (${tests.join(' OR ') || 'FALSE'})
             GROUP BY inbox) AS came
           LEFT JOIN outcome ON outcome.project_id = ? AND outcome.inbox = came.inbox
           GROUP BY coalesce(judgement, 'unknown')`,
        ...[projectId, timePrefix(from), ...any.flatMap(({ values }) => values), projectId],
      );
      const counted = { times: 0, good: 0, bad: 0, unknown: 0 };
      for (const { known, people, times } of rows) {
        counted[known] = people;
        counted.times += times;
      }
      return counted;
    },
    /** What the live rows since that time came with, by a column, those with the most people first. */
    linked(
      projectId: string,
      filter: LogFilter & { readonly from: number },
      column: LinkedColumn,
      limit: number,
    ): Promise<LinkedRow[]> {
      const { sql, values } = since(projectId, filter);
      const sum = (what: string) => `CAST(sum(${what}) AS bigint)`;
      const known = (outcome: string) => sum(`CASE WHEN judgement = '${outcome}' THEN 1 ELSE 0 END`);
      return LINKED.findAll(
        database.browse,
        `SELECT CAST(name AS TEXT) AS name, count(*) AS people, ${known('good')} AS good, ${known('bad')} AS bad,
             ${sum('times')} AS validations, ${sum('blocks')} AS blocked, max(last) AS last_at
           FROM (SELECT ${column} AS name, inbox AS person, count(*) AS times, max(at) AS last,
               sum(CASE WHEN recommendation = 'block' THEN 1 ELSE 0 END) AS blocks FROM validation_log
             WHERE mode = 'live' AND ${column} IS NOT NULL AND ${sql} GROUP BY ${column}, inbox) AS came
           LEFT JOIN outcome ON outcome.project_id = ? AND outcome.inbox = came.person
           GROUP BY name ORDER BY people DESC, last_at DESC LIMIT ${limit}`,
        ...[...values, projectId],
      );
    },
    /** When the first live row since that time that passes the filter was written. */
    async firstAt(projectId: string, filter: LogFilter & { readonly from: number }): Promise<number | null> {
      const { sql, values } = since(projectId, filter);
      const first = `SELECT min(id) AS id FROM validation_log WHERE ${sql}`;
      const { id = null } = (await FIRST.find(database.browse, first, ...values)) ?? {};
      return id === null ? null : timeOfId(id);
    },
    /** The networks of the rows since that time. */
    async networksSince(projectId: string, from: number): Promise<string[]> {
      const networks =
        'SELECT DISTINCT network FROM validation_log WHERE project_id = ? AND id >= ? AND network IS NOT NULL';
      const rows = await NETWORK.findAll(database.browse, networks, projectId, timePrefix(from));
      return rows.map(({ network }) => network);
    },
    /** The newest live rows since that time, at most `limit`, in portions, the newest portion first. */
    seen: (projectId: string, from: number, limit: number) =>
      seenRows(database, dialect, projectId, from, limit),
    /** When the oldest row was written. `null` if there is none. */
    async oldestAt(projectId: string): Promise<number | null> {
      const oldest = 'SELECT at FROM validation_log WHERE project_id = ? ORDER BY id LIMIT 1';
      return (await WRITTEN.find(database.browse, oldest, projectId))?.at ?? null;
    },
    /** Counts a refusal that `settle` did not see. */
    async countRefusal(projectId: string, at: number, kind: RefusalKind): Promise<void> {
      await database.write([countWords(projectId, at, `1 ${kind}`)]);
    },
    /** Counts how long callers waited. `settle` ends before their answers are sent. */
    async countAnswerTimes(times: readonly AnswerTimes[]): Promise<void> {
      await database.write(times.map(({ projectId, at, lines }) => countWords(projectId, at, lines)));
    },
  };
}

/** The ID of the row that comes after this many of the newest. `null` if there are fewer. */
async function idAfter(
  database: Database,
  projectId: string,
  from: string,
  to: string,
  rows: number,
): Promise<string | null> {
  // With a parameter, PostgreSQL would expect to skip a tenth of the log and sort it.
  const next = `SELECT id FROM validation_log WHERE project_id = ? AND id >= ? AND id < ? ORDER BY id DESC LIMIT 1 OFFSET ${rows}`;
  return (await FIRST.find(database.browse, next, projectId, from, to))?.id ?? null;
}

/**
 * Rows with these IDs. SQLite looks at an ID before it reads the row; PostgreSQL reads the row first, unless the IDs are
 * asked for by themselves.
 */
function idsBetween(
  projectId: string,
  from: string,
  to: string,
  sample?: Pick<LogSample, 'ids' | 'rowsLookedAt'> & { readonly dialect: Dialect },
): Condition {
  const between = { sql: 'id >= ? AND id < ?', values: [from, to] };
  if (sample?.ids === undefined) return between;
  const sql = `${between.sql} AND ${sample.ids}`;
  if (sample.dialect === 'sqlite') return { ...between, sql };
  return {
    sql: `id = ANY (ARRAY(SELECT id FROM validation_log WHERE project_id = ? AND ${sql}
      ORDER BY id DESC LIMIT ${sample.rowsLookedAt}))`,
    values: [projectId, from, to],
  };
}

/** Rows of a project’s log since a time, or of a time span, that pass the filter. */
function since(projectId: string, filter: LogFilter & { readonly from: number }): Condition {
  return allOf(
    { sql: 'project_id = ? AND id >= ?', values: [projectId, timePrefix(filter.from)] },
    ...(filter.to === undefined ? [] : [{ sql: 'id < ?', values: [timePrefix(filter.to)] }]),
    ...filterConditions(filter),
  );
}
