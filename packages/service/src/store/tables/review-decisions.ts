import { type Database, hasRows, type Statement, statement } from '../database.ts';
import type { Dialect } from '../migrations/dialect.ts';
import type { TimedId } from '../timed-id.ts';
import type { Condition } from './condition.ts';
import { addEvent } from './event-table.ts';
import { writeOutcomes } from './write-outcomes.ts';

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

export const WAITING = "project_id = ? AND recommendation = 'flag' AND review IS NULL";

export async function decideRows(
  database: Database,
  timedId: TimedId,
  dialect: Dialect,
  decisions: readonly ReviewDecision[],
): Promise<boolean[]> {
  // In the order in which reports of outcomes lock people too.
  const inOrder = [...decisions].sort(
    (one, other) => compare(one.inbox, other.inbox) || compare(one.logId, other.logId),
  );
  const steps = inOrder.map((decision) => decisionSteps(timedId, dialect, decision));
  const results = await database.write(steps.flat());
  let place = 0;
  const decided = new Set(
    inOrder.filter((_, index) => {
      const first = results[place];
      place += steps[index]?.length ?? 0;
      return hasRows(first);
    }),
  );
  return decisions.map((decision) => decided.has(decision));
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** All statements after the first depend on this decision’s own row, so a late decision changes nothing. */
function decisionSteps(timedId: TimedId, dialect: Dialect, decision: ReviewDecision): Statement[] {
  const { projectId, logId, inbox, at, by, reason, seenAt } = decision;
  const note = JSON.stringify({ decision: decision.decision, by, at, id: timedId(at) });
  const ours: Condition = {
    sql: 'EXISTS (SELECT 1 FROM validation_log WHERE project_id = ? AND id = ? AND review = ?)',
    values: [projectId, logId, note],
  };
  return [
    statement(
      `UPDATE validation_log SET review = ? WHERE ${WAITING} AND id = ? RETURNING id`,
      ...[note, projectId, logId],
    ),
    statement(
      `DELETE FROM review_pass WHERE project_id = ? AND log_id = ? AND ${ours.sql}`,
      ...[projectId, logId, ...ours.values],
    ),
    ...writeOutcomes(dialect, projectId, [{ inbox, outcome: decision.decision, reason, at, seenAt }], ours),
    // With the time: a decision that was taken back can be made again.
    ...addEvent(
      timedId,
      {
        projectId,
        id: `review.decided-${logId}-${at}`,
        type: 'review.decided',
        at,
        logId,
        data: decision.eventData,
      },
      ours,
    ),
  ];
}
