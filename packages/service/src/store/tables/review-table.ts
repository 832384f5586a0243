import { type Database, hasRows, integer, json, type SqlValue, statement, text } from '../database.ts';
import { LOG_COLUMNS, type LogRow, toLogRow } from '../log-row.ts';
import type { Dialect } from '../migrations/dialect.ts';
import { tableOf } from '../table-of.ts';
import { type TimedId, timePrefix } from '../timed-id.ts';
import type { Condition } from './condition.ts';
import { type JudgedPerson, judgePeople } from './judge-people.ts';
import { filterConditions, type LogFilter } from './log-filter.ts';
import { markPeople } from './mark-people.ts';
import { decideRows, type ReviewDecision, type ReviewNote, WAITING } from './review-decisions.ts';
import { type JudgementTakenBack, takeBackJudgements } from './take-back-judgements.ts';

/** The queue looks different to each member: it leaves out what that member passed on. */
export interface QueueReader {
  readonly projectId: string;
  readonly memberId: string;
  readonly now: number;
  readonly filter?: LogFilter;
}

export const REVIEW_PASS = tableOf('review_pass', {
  projectId: text,
  logId: text,
  memberId: text,
  until: integer,
});

/** Test keys’ validations are not about real people. */
const LIVE = "mode = 'live'";
/** Whether no judgement about the person is newer than the validation. The judgement can come from anywhere. */
const WITHOUT_JUDGEMENT = `NOT EXISTS (SELECT 1 FROM outcome o WHERE o.project_id = validation_log.project_id
  AND o.inbox = validation_log.inbox AND o.judgement IS NOT NULL AND o.decided_at >= validation_log.at)`;

/** With the plus, SQLite finds the row by its key, and not all that lasts by its end. */
const NOT_PASSED = `NOT EXISTS (SELECT 1 FROM review_pass p WHERE p.project_id = validation_log.project_id
  AND p.log_id = validation_log.id AND p.member_id = ? AND +p.until > ?)`;

export type ReviewStore = ReturnType<typeof reviewStore>;

/**
 * Validations that were answered `flag` and wait for a member’s decision. A row also leaves the queue when a `good` or
 * `bad` that is newer than it is reported about the person.
 */
export function reviewStore(database: Database, timedId: TimedId, dialect: Dialect) {
  return {
    /** How many wait, counted up to `limit`. */
    async count(reader: QueueReader, limit: number): Promise<number> {
      const queue = queueOf(reader);
      const [row] = await database.browse(
        statement(
          // With the ID, SQLite uses the index of the queue, also if the filter asks for a column that the index lacks.
          `SELECT count(*) AS open FROM (SELECT 1 FROM validation_log WHERE ${queue.sql} AND id > '' LIMIT ?) AS waiting`,
          ...queue.values,
          limit,
        ),
      );
      return row ? integer(row, 'open') : 0;
    },
    /** Oldest first, after the row with the ID `after`. */
    async open(reader: QueueReader, after: string | null, limit: number): Promise<LogRow[]> {
      const queue = queueOf(reader);
      const rows = await database.browse(
        statement(
          `SELECT ${LOG_COLUMNS} FROM validation_log WHERE ${queue.sql} AND id > ? ORDER BY id LIMIT ?`,
          ...queue.values,
          after ?? '',
          limit,
        ),
      );
      return rows.map(toLogRow);
    },
    /**
     * Takes rows out of the queue, each with the person’s outcome and the event, in one transaction. Returns for each
     * whether it was done: nothing is changed for a row that somebody has already decided.
     */
    async decide(decisions: readonly ReviewDecision[]): Promise<boolean[]> {
      const done = await decideRows(database, timedId, dialect, decisions);
      for (const { projectId, inbox } of decisions) await markPeople(database, projectId, [inbox]);
      return done;
    },
    /**
     * Leaves the row to the other members: this member does not see it until then. `false` if somebody has already
     * decided it.
     */
    pass: (projectId: string, logId: string, memberId: string, until: number) =>
      pass(database, projectId, logId, memberId, until),
    /** Records what people are, wherever they were seen, each with an event, all in one transaction. */
    async judge(projectId: string, people: readonly JudgedPerson[]): Promise<void> {
      await judgePeople(database, timedId, dialect, projectId, people);
      await markPeople(database, projectId, inboxesOf(people));
    },
    /**
     * Gives people their earlier judgements back, each with an event, all in one transaction. Somebody about whom
     * something else was recorded since keeps that. Returns for how many it was done.
     */
    async takeBack(projectId: string, judgements: readonly JudgementTakenBack[]): Promise<number> {
      const taken = await takeBackJudgements(database, timedId, projectId, judgements);
      await markPeople(database, projectId, inboxesOf(judgements));
      return taken;
    },
    /** The decision about a row. `undefined` if there is none. */
    async decisionOn(projectId: string, logId: string): Promise<ReviewNote | undefined> {
      const [row] = await database.browse(
        statement(
          'SELECT review FROM validation_log WHERE project_id = ? AND id = ? AND review IS NOT NULL',
          projectId,
          logId,
        ),
      );
      return row && json<ReviewNote>(row, 'review');
    },
  };
}

function queueOf({ projectId, memberId, now, filter = {} }: QueueReader): Condition {
  const values: SqlValue[] = [projectId, memberId, now];
  const tests = [WAITING, LIVE, WITHOUT_JUDGEMENT, NOT_PASSED];
  const add = (sql: string, ...given: readonly SqlValue[]) => {
    tests.push(sql);
    values.push(...given);
  };
  if (filter.from !== undefined) add('id >= ?', timePrefix(filter.from));
  if (filter.to !== undefined) add('id < ?', timePrefix(filter.to));
  for (const condition of filterConditions(filter)) add(condition.sql, ...condition.values);
  return { sql: tests.join(' AND '), values };
}

async function pass(
  database: Database,
  projectId: string,
  logId: string,
  memberId: string,
  until: number,
): Promise<boolean> {
  const [passed] = await database.write([
    statement(
      `INSERT INTO review_pass (project_id, log_id, member_id, until)
       SELECT project_id, id, CAST(? AS TEXT), CAST(? AS BIGINT) FROM validation_log WHERE ${WAITING} AND id = ?
       ON CONFLICT (project_id, log_id, member_id) DO UPDATE SET until = excluded.until RETURNING log_id`,
      ...[memberId, until, projectId, logId],
    ),
  ]);
  return hasRows(passed);
}

const inboxesOf = (people: readonly { readonly inbox: string }[]) => people.map(({ inbox }) => inbox);
