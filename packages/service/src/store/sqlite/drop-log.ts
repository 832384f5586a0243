import { type Database, statement } from '../database.ts';
import type { SweepSteps } from '../sweep-project.ts';

/** Drops the oldest rows of the log and corrects their total; the write lock keeps everybody else out meanwhile. */
export function logDropping(database: Database): SweepSteps['dropLog'] {
  const oldest = 'SELECT id FROM validation_log WHERE project_id = ?1';
  const due = `${oldest} AND id < ?2 ORDER BY id LIMIT ?3`;
  const surplus = `${oldest} ORDER BY id
    LIMIT max(0, min(?3, (SELECT rows FROM log_total WHERE project_id = ?1) - ?2))`;
  return async (project, which, limit) => {
    const [ids, bound] = 'before' in which ? [due, which.before] : [surplus, which.allBut];
    const [dropped] = await database.write([
      statement(
        `DELETE FROM validation_log WHERE project_id = ?1 AND id IN (${ids}) RETURNING 1 AS one`,
        project,
        bound,
        limit,
      ),
      statement('UPDATE log_total SET rows = rows - changes() WHERE project_id = ?', project),
    ]);
    return dropped?.length ?? 0;
  };
}
