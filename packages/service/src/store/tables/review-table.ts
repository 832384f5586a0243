import { type Database, hasRows, integer, json, statement, text } from '../database.ts';
import { LOG_COLUMNS, type LogRow, toLogRow } from '../log-row.ts';
import type { Dialect } from '../migrations/dialect.ts';
import { tableOf } from '../table-of.ts';
import type { TimedId } from '../timed-id.ts';
import { addEvent } from './event-table.ts';
import { writeOutcomes } from './write-outcomes.ts';

/** The queue looks different to each member: it leaves out what that member passed on. */
export interface QueueReader {
  readonly projectId: string;
  readonly memberId: string;
  readonly now: number;
}

export interface ReviewNote {
  readonly decision: 'good' | 'bad';
  readonly by: string;
  readonly at: number;
}

export interface ReviewDecision extends ReviewNote {
  readonly projectId: string;
  readonly logId: string;
  readonly inbox: string;
  readonly seenAt: number;
  readonly reason: string | null;
  /** The data of the `review.decided` event. */
  readonly eventData: Readonly<Record<string, unknown>>;
}

export const REVIEW_LOOK = tableOf('review_look', {
  projectId: text,
  logId: text,
  memberId: text,
  until: integer,
});

const WAITING = "project_id = ? AND recommendation = 'flag' AND review IS NULL";
/** Test keys’ validations are not about real people. */
const LIVE = "mode = 'live'";
/** Whether no judgement about the person is newer than the validation. The judgement can come from anywhere. */
const WITHOUT_JUDGEMENT = `NOT EXISTS (SELECT 1 FROM outcome o WHERE o.project_id = validation_log.project_id
  AND o.inbox = validation_log.inbox AND o.judgement IS NOT NULL AND o.decided_at >= validation_log.at)`;
/** A row that a member passed on is stored as a look of the member `passed:<ID>`. */
const PASSED = 'passed:';

const IS_LOOK = `member_id NOT LIKE '${PASSED}%'`;
const NOT_PASSED = `NOT EXISTS (SELECT 1 FROM review_look l WHERE l.project_id = validation_log.project_id
  AND l.log_id = validation_log.id AND l.member_id = ? AND l.until > ?)`;

export type ReviewStore = ReturnType<typeof reviewStore>;

/**
 * Validations that were answered `flag` and wait for a member’s decision. A row also leaves the queue when a `good` or
 * `bad` that is newer than it is reported about the person.
 */
export function reviewStore(database: Database, timedId: TimedId, dialect: Dialect) {
  const queue = `${WAITING} AND ${LIVE} AND ${WITHOUT_JUDGEMENT} AND ${NOT_PASSED}`;
  const queueOf = ({ projectId, memberId, now }: QueueReader) => [projectId, PASSED + memberId, now] as const;
  return {
    /** How many wait, counted up to `limit`. */
    async count(reader: QueueReader, limit: number): Promise<number> {
      const [row] = await database.browse(
        statement(
          `SELECT count(*) AS open FROM (SELECT 1 FROM validation_log WHERE ${queue} LIMIT ?) AS waiting`,
          ...queueOf(reader),
          limit,
        ),
      );
      return row ? integer(row, 'open') : 0;
    },
    /** Oldest first, after the row with the ID `after`. */
    async open(reader: QueueReader, after: string | null, limit: number): Promise<LogRow[]> {
      const rows = await database.browse(
        statement(
          `SELECT ${LOG_COLUMNS} FROM validation_log WHERE ${queue} AND id > ? ORDER BY id LIMIT ?`,
          ...queueOf(reader),
          after ?? '',
          limit,
        ),
      );
      return rows.map(toLogRow);
    },
    /** Records that a member is viewing a row. Returns who else is. */
    async look(
      projectId: string,
      logId: string,
      memberId: string,
      now: number,
      until: number,
    ): Promise<string[]> {
      const [, others] = await database.write([
        REVIEW_LOOK.insert(
          { projectId, logId, memberId, until },
          { suffix: 'ON CONFLICT (project_id, log_id, member_id) DO UPDATE SET until = excluded.until' },
        ),
        statement(
          `SELECT member_id FROM review_look
           WHERE project_id = ? AND log_id = ? AND member_id <> ? AND until > ? AND ${IS_LOOK}`,
          projectId,
          logId,
          memberId,
          now,
        ),
      ]);
      return (others ?? []).map((row) => text(row, 'member_id'));
    },
    /** Which members are viewing which rows. */
    async looks(projectId: string, now: number): Promise<ReadonlyMap<string, readonly string[]>> {
      const rows = await database.browse(
        statement(
          `SELECT log_id, member_id FROM review_look WHERE project_id = ? AND until > ? AND ${IS_LOOK}`,
          projectId,
          now,
        ),
      );
      const looks = new Map<string, string[]>();
      for (const row of rows) {
        const members = looks.get(text(row, 'log_id')) ?? [];
        members.push(text(row, 'member_id'));
        looks.set(text(row, 'log_id'), members);
      }
      return looks;
    },
    /**
     * Takes the row out of the queue, with the person’s outcome and the event, in one transaction. `false` if somebody
     * else has already decided it; then nothing is changed.
     */
    decide: (decision: ReviewDecision) => decide(database, timedId, dialect, decision),
    /**
     * Leaves the row to the other members: this member does not see it until then. `false` if somebody has already
     * decided it.
     */
    pass: (projectId: string, logId: string, memberId: string, until: number) =>
      pass(database, projectId, logId, memberId, until),
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

async function pass(
  database: Database,
  projectId: string,
  logId: string,
  memberId: string,
  until: number,
): Promise<boolean> {
  const [passed] = await database.write([
    statement(
      `INSERT INTO review_look (project_id, log_id, member_id, until)
       SELECT project_id, id, CAST(? AS TEXT), CAST(? AS BIGINT) FROM validation_log WHERE ${WAITING} AND id = ?
       ON CONFLICT (project_id, log_id, member_id) DO UPDATE SET until = excluded.until RETURNING log_id`,
      PASSED + memberId,
      until,
      projectId,
      logId,
    ),
    statement(
      'DELETE FROM review_look WHERE project_id = ? AND log_id = ? AND member_id = ?',
      projectId,
      logId,
      memberId,
    ),
  ]);
  return hasRows(passed);
}

/** All statements after the first depend on this decision’s own row, so a late decision changes nothing. */
async function decide(
  database: Database,
  timedId: TimedId,
  dialect: Dialect,
  decision: ReviewDecision,
): Promise<boolean> {
  const { projectId, logId, inbox, at, by, reason, seenAt } = decision;
  const note = JSON.stringify({ decision: decision.decision, by, at, id: timedId(at) });
  const ours = {
    sql: 'EXISTS (SELECT 1 FROM validation_log WHERE project_id = ? AND id = ? AND review = ?)',
    values: [projectId, logId, note],
  };
  const statements = [
    statement(
      `UPDATE validation_log SET review = ? WHERE ${WAITING} AND id = ? RETURNING id`,
      note,
      projectId,
      logId,
    ),
    statement(
      `DELETE FROM review_look WHERE project_id = ? AND log_id = ? AND ${ours.sql}`,
      projectId,
      logId,
      ...ours.values,
    ),
    ...writeOutcomes(dialect, projectId, [{ inbox, outcome: decision.decision, reason, at, seenAt }], ours),
    ...addEvent(
      timedId,
      {
        projectId,
        id: `review.decided-${logId}`,
        type: 'review.decided',
        at,
        logId,
        data: decision.eventData,
      },
      ours,
    ),
  ];
  const [decided] = await database.write(statements);
  return hasRows(decided);
}
