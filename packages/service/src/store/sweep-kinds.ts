import { DAY_MS } from '@postern/contract';
import { integer, text } from './columns.ts';
import {
  type Condition,
  type Database,
  lockProject,
  type Row,
  type SqlValue,
  type Statement,
  statement,
} from './database.ts';
import { WINDOW_MS } from './rate-rules.ts';
import { CROWD_MS, crowdSince } from './settle/crowd.ts';
import { since } from './settle/device.ts';
import { dayOf, sinceCutoff } from './settle/inbox.ts';
import type { SweepLimits } from './store.ts';
import { rowOf, type Table } from './table-of.ts';
import { ANSWERS_KEPT_MS } from './tables/answer-table.ts';
import { PAUSED } from './tables/delivery-table.ts';
import { DROPPED_COLUMNS, keepPeople } from './tables/past-people.ts';
import { CROWD, DEVICE, INBOX, RATE_BUCKET, VALIDATION_LOG } from './tables/settle-tables.ts';
import { replaceCrowd, replaceDevice, replaceInbox } from './tables/sighting-table.ts';
import { STATISTICS_KEPT_DAYS } from './tables/statistics-table.ts';
import { timePrefix, timePrefixSql } from './timed-id.ts';

/** What is older is deleted. Each project has its own times; the names are those of the columns. */
export interface Cutoffs {
  /** For what is remembered of devices and inboxes. */
  readonly seen_before: number;
  /** For the log and what is kept as long as it: events, deliveries, campaigns. */
  readonly log_before: number;
  /** The same as the beginning of an ID. */
  readonly log_before_id: string;
  /** An outcome about a person who was last seen before this does not count any more. */
  readonly people_before: number;
  readonly claims_before: number;
}

/** SQLite would divide a bound number as a fraction. */
const TIME = 'CAST(? AS BIGINT)';

/**
 * SQL for some projects with their cut-offs. The log of a project is kept as long as the project says, and
 * never longer than the installation allows.
 */
export function projectsWithCutoffs(
  now: number,
  { logRetentionMs, outcomeRetentionMs }: SweepLimits,
  which: Condition,
): Condition {
  const ownLogMs = `log_retention_days * ${DAY_MS}`;
  const keptMs = `retention_days * ${DAY_MS}`;
  const claimsMs = `claim_retention_days * ${DAY_MS}`;
  const peopleBefore = now - outcomeRetentionMs;
  return {
    sql: `(SELECT id, seen_before, claims_before, log_before, ${timePrefixSql('log_before')} AS log_before_id,
        CASE WHEN log_before < ${TIME} THEN log_before ELSE ${TIME} END AS people_before
      FROM (SELECT id, seen_before, claims_before, CASE WHEN ${TIME} > log_kept_ms THEN ${TIME} - log_kept_ms ELSE 0 END AS log_before
        FROM (SELECT id, CASE WHEN ${TIME} > ${keptMs} THEN ${TIME} - ${keptMs} ELSE 0 END AS seen_before,
            CASE WHEN ${TIME} > ${claimsMs} THEN ${TIME} - ${claimsMs} ELSE 0 END AS claims_before,
            CASE WHEN ${ownLogMs} < ${TIME} THEN ${ownLogMs} ELSE ${TIME} END AS log_kept_ms
          FROM project WHERE ${which.sql}) kept) logs)`,
    values: [
      peopleBefore,
      peopleBefore,
      ...Array(6).fill(now),
      logRetentionMs,
      logRetentionMs,
      ...which.values,
    ],
  };
}

const CUTOFFS = rowOf({
  seen_before: integer,
  log_before: integer,
  log_before_id: text,
  people_before: integer,
  claims_before: integer,
});
export const readCutoffs: (row: Row) => Cutoffs = CUTOFFS.fromRow;

/** Requests merge the changes of a busy project. The sweep merges what a quiet one left. */
const CHANGES_MERGED_AFTER_MS = 60_000;
/** Counting a long log takes a while, so it is not done each time, and only if it grew since. */
const LONG_LOG_ROWS = 10_000;
const LONG_LOG_EVERY_MS = 5 * 60_000;
/** One statement asks about many projects, so it counts few rows of each. */
const ROWS_COUNTED_FIRST = 1_000;
/** The rest is counted in statements that take some milliseconds. All of a long log in one would reach the time limit. */
const ROWS_COUNTED_AT_ONCE = 20_000;
/** How long after the time in its row’s ID a request may be logged. */
const LOGGED_WITHIN_MS = 60_000;
/** No index has the times of what was counted. */
const RATES_EVERY_MS = 5 * 60_000;

/** Requests of the project wait for these, so they are fewer than of the rest: about the cost of ten requests. */
const LANES_PER_STEP = 200;

/** A table of which the rows of a project before a time are deleted. An index on the project and `time` finds them. */
interface AgedTable {
  readonly table: string;
  /** The key besides the project. */
  readonly key: string;
  readonly time: string;
  /** Rows that are deleted, besides their age. */
  readonly only?: string;
  /** One of the project’s cut-offs, or a time that is the same for all projects. */
  readonly before: keyof Cutoffs | ((now: number) => number);
}

/** What a step of the sweep is to delete. */
interface Due {
  readonly project: string;
  readonly now: number;
  readonly cutoffs: Cutoffs;
  readonly limits: SweepLimits;
  /** What the question whether there is anything to do was answered with. */
  readonly found: SqlValue;
}

interface Swept {
  /** How many rows were deleted. Looking at one that stays counts too. */
  readonly removed: number;
  /** Whether there may be more to delete. */
  readonly more: boolean;
}

/** One kind of expired data. */
export interface SweepKind {
  readonly name: string;
  /** SQL about a project `p` that is NULL if there is nothing to do. It must be found by an index. */
  due(now: number, limits: SweepLimits, lastAsked: number | undefined): Condition;
  /** Looks closer before the first step, for a question that is too long for one statement. NULL if there is nothing to do. */
  confirm?(due: Due): Promise<SqlValue>;
  /** Deletes a bounded number of rows. Each statement is its own transaction. No request waits for more than one. */
  step(due: Due): Promise<Swept>;
  /** The question takes longer with these limits, so it is asked this often only. */
  readonly pauseMs?: (limits: SweepLimits) => number;
}

const AGED_TABLES: readonly AgedTable[] = [
  {
    table: 'idempotent_answer',
    key: 'key_hash',
    time: 'created_at',
    before: (now) => now - ANSWERS_KEPT_MS,
  },
  { table: 'statistics', key: 'at', time: 'at', before: (now) => now - STATISTICS_KEPT_DAYS * DAY_MS },
  { table: 'outcome', key: 'inbox', time: 'seen_at', before: 'people_before' },
  { table: 'person', key: 'inbox', time: 'seen_at', before: 'people_before' },
  { table: 'person_request', key: 'inbox, request_id', time: 'at', before: 'people_before' },
  {
    table: 'timeline_entry',
    key: 'subject, id',
    time: 'at',
    only: "substr(subject, 1, 7) IN ('person:', 'device:')",
    before: 'people_before',
  },
  { table: 'challenge', key: 'id', time: 'at', before: 'log_before' },
  { table: 'claim', key: 'id', time: 'at', before: 'claims_before' },
  { table: 'claim_handle', key: 'claim, handle', time: 'at', before: 'claims_before' },
  { table: 'event', key: 'id', time: 'at', before: 'log_before' },
  { table: 'campaign', key: 'id', time: 'last_seen', before: 'log_before' },
  { table: 'campaign_person', key: 'inbox', time: 'last_seen', before: 'log_before' },
  {
    table: 'delivery',
    key: 'id',
    time: 'id',
    only: `(state <> 'pending' OR next_at = ${PAUSED})`,
    before: 'log_before_id',
  },
  { table: 'review_pass', key: 'log_id, member_id', time: 'until', before: (now) => now },
];

export function sweepKinds(
  database: Database,
  mergeStatistics: (project: string) => Promise<number>,
): readonly SweepKind[] {
  return [
    historyKind(database, DEVICE, (project, row, cutoff) => [
      replaceDevice(project, row, since(DEVICE.fromRow(row), cutoff)),
    ]),
    historyKind(
      database,
      CROWD,
      (project, row, cutoff) => [replaceCrowd(project, row, crowdSince(CROWD.fromRow(row), cutoff))],
      CROWD_MS,
    ),
    historyKind(database, INBOX, (project, row, cutoff) => {
      const left = sinceCutoff(INBOX.fromRow(row), cutoff);
      return [...(left === undefined ? [keepPerson(project, row)] : []), replaceInbox(project, row, left)];
    }),
    ...logKinds(database),
    {
      name: 'rates',
      due: (now) => any('rate_bucket', 'last_at <= ?', now - WINDOW_MS),
      step: (due) => sweepRates(database, due),
      pauseMs: () => RATES_EVERY_MS,
    },
    ...AGED_TABLES.map((table) => agedKind(database, table)),
    {
      name: 'changes',
      due: (now) => any('statistics_change', 'id < ?', timePrefix(now - CHANGES_MERGED_AFTER_MS)),
      async step({ project }) {
        const removed = await mergeStatistics(project);
        return { removed, more: removed > 0 };
      },
    },
  ];
}

/** Requests of the project wait for a step. */
const REMEMBERED_PER_STEP = 50;

/**
 * What was last seen of devices or inboxes before the project’s retention. A day is looked at once all of it is past, so
 * that no row is looked at again and again. Requests ignore what is past its time until then.
 */
function historyKind(
  database: Database,
  table: Table<{ readonly projectId: string }>,
  forget: (project: string, row: Row, cutoff: number) => readonly Statement[],
  keptMs?: number,
): SweepKind {
  const seenBefore = `p.seen_before / ${DAY_MS}`;
  return {
    name: table.name,
    due(now) {
      if (keptMs === undefined) return any(table.name, `oldest_day < ${seenBefore}`);
      const day = dayOf(now - keptMs);
      const later = `CASE WHEN ${seenBefore} > CAST(? AS BIGINT) THEN ${seenBefore} ELSE CAST(? AS BIGINT) END`;
      return any(table.name, `oldest_day < ${later}`, day, day);
    },
    async step({ project: projectId, now, cutoffs, limits }) {
      const cutoff = Math.max(cutoffs.seen_before, keptMs === undefined ? 0 : now - keptMs);
      const most = Math.min(REMEMBERED_PER_STEP, limits.maxRows);
      const oldest = `AND oldest_day < ? ORDER BY oldest_day LIMIT ${most}`;
      const rows = await database.browse(table.select({ projectId }, oldest, dayOf(cutoff)));
      const changes = rows.flatMap((row) => forget(projectId, row, cutoff));
      if (rows.length > 0) await database.write([lockProject(projectId), ...changes]);
      return { removed: rows.length, more: rows.length >= most };
    },
  };
}

/** An outcome may still name the person by the address. */
function keepPerson(project: string, row: Row): Statement {
  const { inbox, lastSeen } = INBOX.fromRow(row);
  return statement(
    `INSERT INTO person (project_id, inbox, seen_at) SELECT project_id, inbox, last_seen FROM inbox
     WHERE project_id = ? AND inbox = ? AND last_seen = ?
     ON CONFLICT (project_id, inbox) DO UPDATE SET
       seen_at = CASE WHEN excluded.seen_at > person.seen_at THEN excluded.seen_at ELSE person.seen_at END`,
    ...[project, inbox, lastSeen],
  );
}

/** A subselect with a limit is looked up in the index for each project, whatever the planner’s statistics say. */
function any(table: string, due: string, ...values: SqlValue[]): Condition {
  return { sql: `(SELECT 1 FROM ${table} WHERE project_id = p.id AND ${due} LIMIT 1)`, values };
}

function agedKind(database: Database, aged: AgedTable): SweepKind {
  const { table, key, time, before } = aged;
  const only = aged.only === undefined ? '' : ` AND ${aged.only}`;
  const due = `${time} < ?${only}`;
  return {
    name: table,
    due: (now) =>
      typeof before === 'string' ? any(table, `${time} < p.${before}${only}`) : any(table, due, before(now)),
    async step({ project, now, cutoffs, limits }) {
      const [dropped] = await database.write([
        statement(
          `DELETE FROM ${table} WHERE project_id = ? AND (${key}) IN
             (SELECT ${key} FROM ${table} WHERE project_id = ? AND ${due} ORDER BY ${time} LIMIT ?)
           RETURNING 1 AS dropped`,
          ...[project, project, typeof before === 'string' ? cutoffs[before] : before(now), limits.maxRows],
        ),
      ]);
      return swept(dropped?.length ?? 0, limits.maxRows);
    },
  };
}

const swept = (removed: number, limit: number): Swept => ({ removed, more: removed >= limit });

/** Log rows that are too old, and those beyond the limit. What they say about people is kept longer. */
function logKinds(database: Database): SweepKind[] {
  const drop = async (due: Due, condition: string, bound: SqlValue): Promise<Swept> => {
    const { project, limits } = due;
    const oldest = `SELECT ${DROPPED_COLUMNS} FROM validation_log WHERE project_id = ? AND id ${condition} ? ORDER BY id LIMIT ?`;
    const rows = await database.browse(statement(oldest, project, bound, limits.maxRows));
    if (rows.length === 0) return { removed: 0, more: false };
    const ids = rows.map((row) => text(row, 'id'));
    const dropped = await database.write([
      // If a person is erased or the project deleted meanwhile, nothing of the rows may be kept.
      lockProject(project),
      ...keepPeople(project, rows),
      // Exactly these: a request that is late may have written older ones meanwhile.
      VALIDATION_LOG.remove({ projectId: project, id: ids }, 'RETURNING 1 AS dropped'),
    ]);
    return { removed: dropped.at(-1)?.length ?? 0, more: rows.length >= limits.maxRows };
  };
  return [
    {
      name: 'log',
      due: () => any('validation_log', 'id < p.log_before_id'),
      step: (due) => drop(due, '<', due.cutoffs.log_before_id),
    },
    {
      name: 'surplus',
      pauseMs: ({ logMaxRows }) => (logMaxRows > LONG_LOG_ROWS ? LONG_LOG_EVERY_MS : 0),
      // The newest row that is too many, if the limit is low, and else one that is newer.
      due: (_now, { logMaxRows }, lastAsked) => ({
        sql: `CASE WHEN (SELECT id FROM validation_log WHERE project_id = p.id ORDER BY id DESC LIMIT 1) > ? THEN
          (SELECT id FROM validation_log WHERE project_id = p.id ORDER BY id DESC
           LIMIT 1 OFFSET ${Math.min(logMaxRows, ROWS_COUNTED_FIRST)}) END`,
        values: [lastAsked === undefined ? '' : timePrefix(lastAsked - LOGGED_WITHIN_MS)],
      }),
      confirm: (due) => newestSurplus(database, due),
      step: (due) => drop(due, '<=', due.found),
    },
  ];
}

/** Goes on counting from the row that was found. */
async function newestSurplus(database: Database, { project, limits, found }: Due): Promise<SqlValue> {
  let id = found;
  let left = limits.logMaxRows - ROWS_COUNTED_FIRST;
  while (left > 0 && id !== null) {
    const rows = Math.min(left, ROWS_COUNTED_AT_ONCE);
    const next = `SELECT id FROM validation_log WHERE project_id = ? AND id < ? ORDER BY id DESC LIMIT 1 OFFSET ${rows - 1}`;
    const [row] = await database.browse(statement(next, project, id));
    id = row?.id ?? null;
    left -= rows;
  }
  return id;
}

/**
 * What left the sliding hours of projects and visitors. Requests drop it from their own lanes, so this is about lanes in which
 * nothing was counted since. There may be many, and no index has their times, so they are looked for outside the transaction.
 */
async function sweepRates(database: Database, { project, now, limits }: Due): Promise<Swept> {
  const limit = Math.min(limits.maxRows, LANES_PER_STEP);
  const old =
    'SELECT DISTINCT lane FROM rate_bucket WHERE project_id = ? AND last_at <= ? ORDER BY lane LIMIT ?';
  const found = await database.browse(statement(old, project, now - WINDOW_MS, limit));
  if (found.length === 0) return swept(0, limit);
  const lanes = found.map((row) => text(row, 'lane'));
  const [, dropped] = await database.write([
    lockProject(project),
    RATE_BUCKET.remove(
      { projectId: project, lane: lanes },
      'AND last_at <= ? RETURNING 1 AS one',
      now - WINDOW_MS,
    ),
  ]);
  return { removed: dropped?.length ?? 0, more: found.length === limit };
}
