import { type Database, integer, json, statement, text } from '../database.ts';
import { toLogRow } from '../log-record.ts';
import type { ReviewDecision, ReviewNote, ReviewStore } from '../review-store.ts';
import type { TimedId } from '../timed-id.ts';
import { addEvent } from './event-table.ts';
import { LOG_COLUMNS } from './log-table.ts';
import { recordOutcome } from './outcome-table.ts';

const WAITING = "project_id = ? AND recommendation = 'flag' AND review IS NULL";
/** Test keys’ validations are not about real people. */
const LIVE = "marks LIKE ' mode:live %'";

export function reviewTable(database: Database, timedId: TimedId): ReviewStore {
  return {
    async count(projectId) {
      const [row] = await database.browse(
        statement(`SELECT count(*) AS open FROM validation_log WHERE ${WAITING} AND ${LIVE}`, projectId),
      );
      return row ? integer(row, 'open') : 0;
    },
    async open(projectId, after, limit) {
      const rows = await database.browse(
        statement(
          `SELECT ${LOG_COLUMNS} FROM validation_log WHERE ${WAITING} AND ${LIVE} AND id > ? ORDER BY id LIMIT ?`,
          projectId,
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
          'SELECT member_id FROM review_look WHERE project_id = ? AND log_id = ? AND member_id <> ? AND until > ?',
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
          'SELECT log_id, member_id FROM review_look WHERE project_id = ? AND until > ?',
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
    decide: (decision) => decide(database, timedId, decision),
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

/** All statements after the first depend on this decision’s own row, so a late decision changes nothing. */
async function decide(database: Database, timedId: TimedId, decision: ReviewDecision): Promise<boolean> {
  const { projectId, logId, inbox, at, by, reason, seenAt } = decision;
  const note = JSON.stringify({ decision: decision.decision, by, at, id: timedId(at) });
  const ours = {
    sql: 'EXISTS (SELECT 1 FROM validation_log WHERE project_id = ? AND id = ? AND review = ?)',
    values: [projectId, logId, note],
  };
  const verdict = decision.decision === 'passed' ? undefined : decision.decision;
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
  ];
  if (verdict !== undefined)
    statements.push(...recordOutcome(projectId, { inbox, outcome: verdict, reason, at, seenAt }, ours));
  statements.push(
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
  );
  const [decided] = await database.write(statements);
  return (decided?.length ?? 0) > 0;
}
