import { integer } from '../columns.ts';
import { type Database, type Row, type Statement, statement } from '../database.ts';
import { QUOTA } from './settle-tables.ts';

/** Several validations to count at once, as a bulk check needs them. */
export interface QuotaRequest {
  readonly projectId: string;
  /** `YYYY-MM` in UTC. */
  readonly month: string;
  readonly wanted: number;
  readonly limit: number;
}

export interface QuotaGrant {
  readonly granted: number;
  /** In the whole month, including these. */
  readonly used: number;
}

/** Refunds one validation. The count never goes below zero. */
export async function refund(database: Database, projectId: string, month: string): Promise<void> {
  await database.write([QUOTA.update({ projectId, month }, { also: 'used = used - 1' }, 'AND used > 0')]);
}

/**
 * Counts `wanted` validations, or as many as are left. Requests read the count first and add to it later: `lock` makes
 * this transaction wait for those.
 */
export async function takeQuota(
  database: Database,
  { projectId, month, wanted, limit }: QuotaRequest,
  lock?: Statement,
): Promise<QuotaGrant> {
  const results = await database.write([
    ...(lock === undefined ? [] : [lock]),
    QUOTA.insert({ projectId, month, used: 0 }, { suffix: 'ON CONFLICT (project_id, month) DO NOTHING' }),
    // Locks the row, so that no refund comes between, and returns the count before.
    QUOTA.update({ projectId, month }, { also: 'used = used' }, 'RETURNING used'),
    statement(
      `UPDATE quota SET used = CASE
         WHEN used + CAST(? AS BIGINT) <= CAST(? AS BIGINT) THEN used + CAST(? AS BIGINT)
         WHEN used < CAST(? AS BIGINT) THEN CAST(? AS BIGINT)
         ELSE used END
       WHERE project_id = ? AND month = ? RETURNING used`,
      ...[wanted, limit, wanted, limit, limit, projectId, month],
    ),
  ]);
  const [before, after] = results.slice(-2).map(usedIn);
  if (before === undefined || after === undefined) throw new Error('The quota’s row is missing');
  return { granted: after - before, used: after };
}

function usedIn([row]: Row[]): number | undefined {
  return row && integer(row, 'used');
}
