import { type Database, type Statement, statement } from '../database.ts';
import type { TimedId } from '../timed-id.ts';
import type { Condition } from './condition.ts';
import { type JudgementEvent, judgementEvent } from './judge-people.ts';
import { countWords } from './statistics-table.ts';

export interface Judgement {
  readonly judgement: 'good' | 'bad';
  readonly reason: string | null;
  readonly decidedAt: number;
}

export interface JudgementTakenBack extends JudgementEvent {
  readonly inbox: string;
  /** The judgement to take back, as it was recorded. */
  readonly recorded: Pick<Judgement, 'judgement' | 'decidedAt'>;
  readonly previous: Judgement | null;
}

/** Changes the sums of outcomes in the same transaction. People come in the order in which reports lock them too. */
export async function takeBackJudgements(
  database: Database,
  timedId: TimedId,
  projectId: string,
  judgements: readonly JudgementTakenBack[],
): Promise<number> {
  if (judgements.length === 0) return 0;
  const inOrder = [...judgements].sort((one, other) => (one.inbox < other.inbox ? -1 : 1));
  const steps = inOrder.map((each) => takeBackOne(timedId, projectId, each));
  const results = await database.write(steps.flat());
  let place = -1;
  return steps.filter((step) => {
    place += step.length;
    return (results[place]?.length ?? 0) > 0;
  }).length;
}

/** The last statement returns a row if the judgement was taken back. */
function takeBackOne(timedId: TimedId, projectId: string, each: JudgementTakenBack): Statement[] {
  const { inbox, recorded, previous, logIds } = each;
  const person = 'project_id = ? AND inbox = ?';
  const unchanged: Condition = {
    sql: `EXISTS (SELECT 1 FROM outcome WHERE ${person} AND judgement = ? AND decided_at = ?)`,
    values: [projectId, inbox, recorded.judgement, recorded.decidedAt],
  };
  const before =
    previous === null
      ? []
      : [countWords(projectId, previous.decidedAt, `1 outcome:${previous.judgement}`, unchanged)];
  return [
    // Locks the person, so that no report comes in between.
    statement(`UPDATE outcome SET seen_at = seen_at WHERE ${person}`, projectId, inbox),
    countWords(projectId, recorded.decidedAt, `-1 outcome:${recorded.judgement}`, unchanged),
    ...before,
    // A row that was decided waits in the queue again.
    ...logIds.map((logId) =>
      statement(
        `UPDATE validation_log SET review = NULL
         WHERE ${person} AND id = ? AND review IS NOT NULL AND ${unchanged.sql}`,
        ...[projectId, inbox, logId, ...unchanged.values],
      ),
    ),
    ...judgementEvent(timedId, projectId, each, unchanged),
    statement(
      `UPDATE outcome SET judgement = ?, reason = ?, decided_at = ?
       WHERE ${person} AND judgement = ? AND decided_at = ? RETURNING inbox`,
      previous?.judgement ?? null,
      previous?.reason ?? null,
      previous?.decidedAt ?? null,
      ...unchanged.values,
    ),
  ];
}
