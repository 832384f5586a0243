import { integer } from '../columns.ts';
import { allOf, type Condition, type Database, type Statement, statement } from '../database.ts';
import { type LogRow, toLogRow } from '../log-row.ts';
import type { Dialect } from '../migrations/dialect.ts';
import { rowOf } from '../table-of.ts';
import { type TimedId, timePrefix } from '../timed-id.ts';
import {
  decideRows,
  type JudgedPerson,
  type JudgementTakenBack,
  judgePeople,
  type ReviewNote,
  takeBackJudgements,
  UNDECIDED,
  WAITING,
} from './judgements.ts';
import { filterConditions, type LogFilter } from './log-filter.ts';
import { rowsById } from './log-table.ts';
import { markPeople } from './mark-people.ts';
import { VALIDATION_LOG } from './settle-tables.ts';

/** The queue looks different to each member: it leaves out what that member passed on. */
export interface QueueReader {
  readonly projectId: string;
  readonly memberId: string;
  readonly now: number;
  readonly filter?: LogFilter;
  /** Only what the member passed on. */
  readonly passed?: boolean;
}

const COUNTED = rowOf({ open: integer });
/** Test keys’ validations are not about real people. */
const LIVE = "mode = 'live'";
/** Whether no judgement about the person is newer than the validation. The judgement can come from anywhere. */
const WITHOUT_JUDGEMENT = `NOT EXISTS (SELECT 1 FROM outcome o WHERE o.project_id = validation_log.project_id
  AND o.inbox = validation_log.inbox AND o.judgement IS NOT NULL AND o.decided_at >= validation_log.at)`;

/** With the plus, SQLite finds the row by its key, and not all that lasts by its end. */
const NOT_PASSED = `NOT EXISTS (SELECT 1 FROM review_pass p WHERE p.project_id = validation_log.project_id
  AND p.log_id = validation_log.id AND p.member_id = ? AND +p.until > ?)`;

/**
 * Validations that were answered `flag` and wait for a member’s decision. A row also leaves the queue when a `good` or
 * `bad` that is newer than it is reported about the person.
 */
export function reviewStore(database: Database, timedId: TimedId, dialect: Dialect) {
  return {
    /** How many wait, counted up to `limit`. */
    async count(reader: QueueReader, limit: number): Promise<number> {
      const queue = queueOf(reader);
      const counted = await COUNTED.find(
        database.browse,
        // With the ID, SQLite uses the index of the queue, also if the filter asks for a column that the index lacks.
        `SELECT count(*) AS open FROM (SELECT 1 FROM validation_log WHERE ${queue.sql} AND id > '' LIMIT ?) AS waiting`,
        ...[...queue.values, limit],
      );
      return counted?.open ?? 0;
    },
    /** Oldest first, after the row with the ID `after`. */
    async open(reader: QueueReader, after: string | null, limit: number): Promise<LogRow[]> {
      const queue = queueOf(reader);
      const next = `AND ${queue.sql} AND id > ? ORDER BY id LIMIT ?`;
      const rows = await database.browse(
        VALIDATION_LOG.select({}, next, ...queue.values, after ?? '', limit),
      );
      return rows.map(toLogRow);
    },
    /** Those of the rows that are undecided. */
    waiting: (projectId: string, ids: readonly string[]): Promise<LogRow[]> =>
      rowsById(database, projectId, ids, `AND ${UNDECIDED}`),
    decision: (projectId: string, decisions: readonly JudgedPerson[]) =>
      decideRows(timedId, dialect, projectId, decisions),
    /** Leaves a row to the other members: this member does not see it until then. */
    passing: (projectId: string, logId: string, memberId: string, until: number): Statement =>
      statement(
        `INSERT INTO review_pass (project_id, log_id, member_id, until)
         SELECT project_id, id, CAST(? AS TEXT), CAST(? AS BIGINT) FROM validation_log WHERE ${WAITING} AND id = ?
         ON CONFLICT (project_id, log_id, member_id) DO UPDATE SET until = excluded.until`,
        ...[memberId, until, projectId, logId],
      ),
    judgement: (projectId: string, people: readonly JudgedPerson[]) =>
      judgePeople(timedId, dialect, projectId, people),
    takingBack: (projectId: string, judgements: readonly JudgementTakenBack[]) =>
      takeBackJudgements(timedId, projectId, judgements),
    /** To be called when what is known of these people has changed. */
    mark: (projectId: string, people: readonly { readonly inbox: string }[]) =>
      markPeople(database, projectId, inboxesOf(people)),
    /** The decision about a row. `undefined` if there is none. */
    async decisionOn(projectId: string, logId: string): Promise<ReviewNote | undefined> {
      const row = await VALIDATION_LOG.find(database.browse, { projectId, id: logId });
      return row?.review == null ? undefined : (JSON.parse(row.review) as ReviewNote);
    },
  };
}

const inboxesOf = (people: readonly { readonly inbox: string }[]) => people.map(({ inbox }) => inbox);

function queueOf({ projectId, memberId, now, filter = {}, passed }: QueueReader): Condition {
  const { from, to } = filter;
  return allOf(
    {
      sql: `${WAITING} AND ${LIVE} AND ${WITHOUT_JUDGEMENT} AND ${passed ? 'NOT ' : ''}${NOT_PASSED}`,
      values: [projectId, memberId, now],
    },
    ...(from === undefined ? [] : [{ sql: 'id >= ?', values: [timePrefix(from)] }]),
    ...(to === undefined ? [] : [{ sql: 'id < ?', values: [timePrefix(to)] }]),
    ...filterConditions(filter),
  );
}
