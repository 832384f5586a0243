import { DAY_MS } from '@postern/contract';
import { integer, text } from './columns.ts';
import type { Row } from './database.ts';
import type { SweepLimits } from './store.ts';
import type { Condition } from './tables/condition.ts';
import { timePrefixSql } from './timed-id.ts';

/** What is older is deleted. Each project has its own times; the names are those of the columns. */
export interface Cutoffs {
  /** For what is remembered of devices and inboxes. */
  readonly seen_before: number;
  /** For the log and what is kept as long as it: events, deliveries, campaigns. */
  readonly log_before: number;
  /** The same as the beginning of an ID. */
  readonly log_before_id: string;
  /** An outcome about a person who was last seen before this does not count any more. */
  readonly people_before: number;
  readonly claims_before: number;
}

/** SQLite would divide a bound number as a fraction. */
const TIME = 'CAST(? AS BIGINT)';

/**
 * SQL for some projects with their cut-offs. The log of a project is kept as long as the project says, and
 * never longer than the installation allows.
 */
export function projectsWithCutoffs(
  now: number,
  { logRetentionMs, outcomeRetentionMs }: SweepLimits,
  which: Condition,
): Condition {
  const ownLogMs = `log_retention_days * ${DAY_MS}`;
  const keptMs = `retention_days * ${DAY_MS}`;
  const claimsMs = `claim_retention_days * ${DAY_MS}`;
  const peopleBefore = now - outcomeRetentionMs;
  return {
    sql: `(SELECT id, seen_before, claims_before, log_before, ${timePrefixSql('log_before')} AS log_before_id,
        CASE WHEN log_before < ${TIME} THEN log_before ELSE ${TIME} END AS people_before
      FROM (SELECT id, seen_before, claims_before, CASE WHEN ${TIME} > log_kept_ms THEN ${TIME} - log_kept_ms ELSE 0 END AS log_before
        FROM (SELECT id, CASE WHEN ${TIME} > ${keptMs} THEN ${TIME} - ${keptMs} ELSE 0 END AS seen_before,
            CASE WHEN ${TIME} > ${claimsMs} THEN ${TIME} - ${claimsMs} ELSE 0 END AS claims_before,
            CASE WHEN ${ownLogMs} < ${TIME} THEN ${ownLogMs} ELSE ${TIME} END AS log_kept_ms
          FROM project WHERE ${which.sql}) kept) logs)`,
    values: [
      peopleBefore,
      peopleBefore,
      ...Array(6).fill(now),
      logRetentionMs,
      logRetentionMs,
      ...which.values,
    ],
  };
}

export function readCutoffs(row: Row): Cutoffs {
  return {
    seen_before: integer(row, 'seen_before'),
    log_before: integer(row, 'log_before'),
    log_before_id: text(row, 'log_before_id'),
    people_before: integer(row, 'people_before'),
    claims_before: integer(row, 'claims_before'),
  };
}
