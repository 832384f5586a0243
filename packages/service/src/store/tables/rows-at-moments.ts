import { type Statement, statement } from '../database.ts';
import type { Dialect } from '../migrations/dialect.ts';
import { timePrefix } from '../timed-id.ts';

/** No project has so many validations in one millisecond. */
const ROWS_OF_A_MOMENT = 1_000;

const OF_MOMENT = "project_id = ? AND id >= prefix AND id < prefix || '~'";

/**
 * Both must begin with the moments and look each one up. On its own, either database would rather compare every row of
 * a long log with all of them: SQLite always, PostgreSQL from some millions of rows on.
 */
const LOOK_UP = {
  sqlite: `CROSS JOIN validation_log WHERE ${OF_MOMENT}`,
  postgres: `CROSS JOIN LATERAL
    (SELECT * FROM validation_log WHERE ${OF_MOMENT} ORDER BY id LIMIT ${ROWS_OF_A_MOMENT}) AS found`,
} as const;

/** The log rows of these milliseconds, found by their IDs, which begin with the time. */
export function rowsAtMoments(
  dialect: Dialect,
  projectId: string,
  columns: string,
  moments: readonly number[],
): Statement {
  const prefixes = [...new Set(moments)].map(timePrefix);
  return statement(
    `WITH moment (prefix) AS (VALUES ${prefixes.map(() => '(CAST(? AS TEXT))').join(', ')})
     SELECT ${columns} FROM moment ${LOOK_UP[dialect]}`,
    ...prefixes,
    projectId,
  );
}
