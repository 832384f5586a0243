import { type Statement, statement } from '../database.ts';
import { timePrefix } from '../timed-id.ts';

/** The log rows of these milliseconds, found by their IDs, which begin with the time. */
export function rowsAtMoments(projectId: string, columns: string, moments: readonly number[]): Statement {
  // CROSS JOIN makes SQLite begin with the moments. It would begin with the log, and compare every row with all of them.
  const prefixes = [...new Set(moments)].map(timePrefix);
  return statement(
    `WITH moment (prefix) AS (VALUES ${prefixes.map(() => '(CAST(? AS TEXT))').join(', ')})
     SELECT ${columns} FROM moment CROSS JOIN validation_log
     WHERE project_id = ? AND id >= prefix AND id < prefix || '~'`,
    ...prefixes,
    projectId,
  );
}
