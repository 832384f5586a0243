import Libsql from 'libsql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { timePrefixSql } from '../timed-id.ts';
import { logSample } from './log-sample.ts';

const ROWS = 50_000;
const START = 1_800_000_000_000;

let connection: Libsql.Database;
beforeAll(() => {
  connection = new Libsql(':memory:');
});
afterAll(() => {
  connection.close();
});

/** How many rows with about that step between their times are chosen of those that come first, second … in each ten. */
function chosen(stepMs: number, shares: Parameters<typeof logSample>[0]): number[] {
  const { condition, ids = 'TRUE' } = logSample(shares);
  const at = `${START} + i * ${stepMs} + i * 48271 % 65537 % ${stepMs}`;
  const rows = connection
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS - 1}),
         validation_log (i, at, id, recommendation) AS (SELECT i, ${at}, ${timePrefixSql(at)}, 'flag' FROM n)
       SELECT i % 10 AS kind, count(*) AS rows FROM validation_log WHERE ${ids} AND ${condition.sql} GROUP BY 1 ORDER BY 1`,
    )
    .all([]) as { rows: number }[];
  return rows.map((row) => row.rows);
}

it.each([7, 250, 1_000, 2_505, 6_000])(
  'chooses the same share of each kind of rows, with a row about every %i ms',
  (stepMs) => {
    for (const [flag, block] of [
      [0.02, 0.1],
      [0.1, 0.5],
    ] as const) {
      const kinds = chosen(stepMs, { allow: 0, flag, block });
      const expected = (ROWS / 10) * flag;
      expect(kinds).toHaveLength(10);
      // Four standard errors.
      for (const rows of kinds) expect(Math.abs(rows - expected)).toBeLessThan(4 * Math.sqrt(expected));
    }
  },
);

it('looks at IDs alone if no share is large', () => {
  expect(logSample({ allow: 0.01, flag: 0.1, block: 0.05 }).ids).toBeDefined();
  expect(logSample({ allow: 0.01, flag: 0.11, block: 0.05 }).ids).toBeUndefined();
});
