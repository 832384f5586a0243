import { type Database, type Statement, statement } from '../database.ts';
import type { Condition } from './condition.ts';
import { countWords } from './statistics-table.ts';

export interface Verdict {
  readonly verdict: 'good' | 'bad';
  readonly reason: string | null;
  readonly decidedAt: number;
}

export interface VerdictTakenBack {
  readonly inbox: string;
  /** The verdict to take back, as it was recorded. */
  readonly recorded: Pick<Verdict, 'verdict' | 'decidedAt'>;
  readonly previous: Verdict | null;
}

/** Changes the sums of outcomes in the same transaction. People come in the order in which reports lock them too. */
export async function takeBackVerdicts(
  database: Database,
  projectId: string,
  verdicts: readonly VerdictTakenBack[],
): Promise<number> {
  if (verdicts.length === 0) return 0;
  const inOrder = [...verdicts].sort((one, other) => (one.inbox < other.inbox ? -1 : 1));
  const steps = inOrder.map((each) => takeBackOne(projectId, each));
  const results = await database.write(steps.flat());
  let place = -1;
  return steps.filter((step) => {
    place += step.length;
    return (results[place]?.length ?? 0) > 0;
  }).length;
}

/** The last statement returns a row if the verdict was taken back. */
function takeBackOne(projectId: string, { inbox, recorded, previous }: VerdictTakenBack): Statement[] {
  const person = 'project_id = ? AND inbox = ?';
  const unchanged: Condition = {
    sql: `EXISTS (SELECT 1 FROM outcome WHERE ${person} AND verdict = ? AND decided_at = ?)`,
    values: [projectId, inbox, recorded.verdict, recorded.decidedAt],
  };
  const before =
    previous === null
      ? []
      : [countWords(projectId, previous.decidedAt, `1 outcome:${previous.verdict}`, unchanged)];
  return [
    // Locks the person, so that no report comes in between.
    statement(`UPDATE outcome SET seen_at = seen_at WHERE ${person}`, projectId, inbox),
    countWords(projectId, recorded.decidedAt, `-1 outcome:${recorded.verdict}`, unchanged),
    ...before,
    statement(
      `UPDATE outcome SET verdict = ?, reason = ?, decided_at = ?
       WHERE ${person} AND verdict = ? AND decided_at = ? RETURNING inbox`,
      previous?.verdict ?? null,
      previous?.reason ?? null,
      previous?.decidedAt ?? null,
      ...unchanged.values,
    ),
  ];
}
