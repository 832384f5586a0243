import { type Database, integer, json, statement, text } from '../database.ts';
import { LOG_COLUMNS, toLogRow } from '../log-row.ts';
import type { Dialect } from '../migrations/dialect.ts';
import type { QueueReader, ReviewDecision, ReviewNote, ReviewStore } from '../review-store.ts';
import type { TimedId } from '../timed-id.ts';
import { addEvent } from './event-table.ts';
import { writeOutcomes } from './write-outcomes.ts';

const WAITING = "project_id = ? AND recommendation = 'flag' AND review IS NULL";
/** Test keys’ validations are not about real people. */
const LIVE = "mode = 'live'";
/** Whether no verdict about the person is newer than the validation. The verdict can come from anywhere. */
const WITHOUT_VERDICT = `NOT EXISTS (SELECT 1 FROM outcome o WHERE o.project_id = validation_log.project_id
  AND o.inbox = validation_log.inbox AND o.verdict IS NOT NULL AND o.decided_at >= validation_log.at)`;
/** A row that a member passed on is a look under this name, so that it needs no table of its own. */
const PASSED = 'passed:';

const IS_LOOK = `member_id NOT LIKE '${PASSED}%'`;
const NOT_PASSED = `NOT EXISTS (SELECT 1 FROM review_look l WHERE l.project_id = validation_log.project_id
  AND l.log_id = validation_log.id AND l.member_id = ? AND l.until > ?)`;

export function reviewTable(database: Database, timedId: TimedId, dialect: Dialect): ReviewStore {
  const queue = `${WAITING} AND ${LIVE} AND ${WITHOUT_VERDICT} AND ${NOT_PASSED}`;
  const queueOf = ({ projectId, memberId, now }: QueueReader) => [projectId, PASSED + memberId, now] as const;
  return {
    async count(reader, limit) {
      const [row] = await database.browse(
        statement(
          `SELECT count(*) AS open FROM (SELECT 1 FROM validation_log WHERE ${queue} LIMIT ?) AS waiting`,
          ...queueOf(reader),
          limit,
        ),
      );
      return row ? integer(row, 'open') : 0;
    },
    async open(reader, after, limit) {
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
    async look(projectId, logId, memberId, now, until) {
      const [, others] = await database.write([
        statement(
          `INSERT INTO review_look (project_id, log_id, member_id, until) VALUES (?, ?, ?, ?)
           ON CONFLICT (project_id, log_id, member_id) DO UPDATE SET until = excluded.until`,
          projectId,
          logId,
          memberId,
          until,
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
    async looks(projectId, now) {
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
    decide: (decision) => decide(database, timedId, dialect, decision),
    pass: (projectId, logId, memberId, until) => pass(database, projectId, logId, memberId, until),
    async decisionOn(projectId, logId) {
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

/** `false` if somebody has already decided the row. */
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
  return (passed?.length ?? 0) > 0;
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
  return (decided?.length ?? 0) > 0;
}
