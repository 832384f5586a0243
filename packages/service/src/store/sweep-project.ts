import { DAY_MS } from '../model/windows.ts';
import { type Database, type Statement, statement, text } from './database.ts';
import { AFTER_VISITOR_LANES, VISITOR_LANES, WINDOW_MS } from './rate-rules.ts';
import { STATISTICS_KEPT_DAYS } from './statistics/statistics-store.ts';
import type { SweepLimits } from './store.ts';
import { ANSWERS_KEPT_MS } from './tables/answer-table.ts';
import { timePrefix } from './timed-id.ts';

/** Hourly counts are small, and people compare them with last year. */
export const USAGE_KEPT_MS = 400 * DAY_MS;

export const STATISTICS_KEPT_MS = STATISTICS_KEPT_DAYS * DAY_MS;
/** Requests merge the changes of a busy project. The sweep merges what a quiet one left. */
export const CHANGES_MERGED_AFTER_MS = 60_000;

/** Work that locks out a project’s requests is done in smaller steps than the rest: about the cost of ten requests. */
const DEVICES_A_STEP = 50;
const INBOXES_A_STEP = 200;
const VISITORS_A_STEP = 200;

export type SweepKind =
  | 'log'
  | 'surplus'
  | 'devices'
  | 'inboxes'
  | 'windows'
  | 'visitors'
  | 'answers'
  | 'usage'
  | 'statistics'
  | 'changes'
  | 'own';

/** Whether a sliding hour is a visitor’s; see visitorLane. */
export const IS_VISITOR = `(lane >= '${VISITOR_LANES}' AND lane < '${AFTER_VISITOR_LANES}')`;

/** What each back end does in its own way. */
export interface SweepSteps {
  /** Deletes the oldest log rows before an ID, or all but a number of them, and corrects the total. */
  dropLog(project: string, which: { before: string } | { allBut: number }, limit: number): Promise<number>;
  forgetDevices(project: string, devices: readonly string[], cutoff: number, limit: number): Promise<number>;
  /** Adds pending changes of the statistics to their rows. Returns how many. */
  mergeStatistics(project: string): Promise<number>;
  /** A table that only this back end has, with its key besides the project and the column of its age. */
  readonly own?: {
    readonly table: string;
    readonly key: string;
    readonly time: string;
    readonly keptMs: number;
  };
}

export interface Due {
  readonly now: number;
  /** Sightings before this time are expired. */
  readonly cutoff: number;
  readonly limits: SweepLimits;
}

export interface Swept {
  readonly removed: number;
  /** Whether there may be more to delete. */
  readonly more: boolean;
}

/** One step of one clean-up task. Each statement is its own transaction. No request waits for more than one of them. */
export async function sweepProject(
  database: Database,
  project: string,
  kind: SweepKind,
  { now, cutoff, limits }: Due,
  steps: SweepSteps,
): Promise<Swept> {
  const { maxRows } = limits;
  switch (kind) {
    case 'log': {
      const before = timePrefix(now - limits.logRetentionMs);
      const removed = await steps.dropLog(project, { before }, maxRows);
      return { removed, more: removed >= maxRows };
    }
    case 'surplus': {
      const removed = await steps.dropLog(project, { allBut: limits.logMaxRows }, maxRows);
      return { removed, more: removed >= maxRows };
    }
    case 'devices':
      return sweepDevices(database, project, cutoff, maxRows, steps);
    case 'inboxes':
      return sweepInboxes(database, project, cutoff, Math.min(maxRows, INBOXES_A_STEP));
    case 'windows':
      return { removed: await sweepWindows(database, project, now), more: false };
    case 'visitors':
      return sweepVisitors(database, project, now - WINDOW_MS, Math.min(maxRows, VISITORS_A_STEP));
    case 'answers':
      return sweepTable(
        database,
        project,
        'idempotent_answer',
        'key_hash',
        'created_at',
        now - ANSWERS_KEPT_MS,
        maxRows,
      );
    case 'usage':
      return sweepTable(database, project, 'usage_hour', 'hour, kind', 'hour', now - USAGE_KEPT_MS, maxRows);
    case 'statistics':
      return sweepTable(database, project, 'statistics', 'at', 'at', now - STATISTICS_KEPT_MS, maxRows);
    case 'changes': {
      const removed = await steps.mergeStatistics(project);
      return { removed, more: removed > 0 };
    }
    case 'own': {
      if (!steps.own) return { removed: 0, more: false };
      const { table, key, time, keptMs } = steps.own;
      return sweepTable(database, project, table, key, time, now - keptMs, maxRows);
    }
  }
}

/** Locks the project’s row. Requests of the project and corrections of their counters wait for this lock. */
function turn(project: string): Statement {
  return statement('UPDATE project SET version = version WHERE id = ?', project);
}

async function sweepDevices(
  database: Database,
  project: string,
  cutoff: number,
  limit: number,
  steps: SweepSteps,
): Promise<Swept> {
  const most = Math.min(limit, DEVICES_A_STEP);
  const rows = await database.browse(
    statement(
      'SELECT device FROM device WHERE project_id = ? AND oldest_seen < ? ORDER BY oldest_seen LIMIT ?',
      project,
      cutoff,
      most,
    ),
  );
  if (rows.length === 0) return { removed: 0, more: false };
  const devices = rows.map((row) => text(row, 'device'));
  const removed = await steps.forgetDevices(project, devices, cutoff, Math.ceil(limit / most));
  return { removed, more: removed > 0 };
}

/** Devices that were seen again since the last check are only marked, which counts as work done. */
async function sweepInboxes(
  database: Database,
  project: string,
  cutoff: number,
  limit: number,
): Promise<Swept> {
  const due = `inbox IN (SELECT inbox FROM inbox WHERE project_id = ? AND kept_since < ? ORDER BY kept_since LIMIT ?)`;
  const values = [project, project, cutoff, limit] as const;
  const [, dropped, noted] = await database.write([
    turn(project),
    statement(
      `DELETE FROM inbox WHERE project_id = ? AND ${due} AND last_seen < ? RETURNING 1 AS one`,
      ...values,
      cutoff,
    ),
    statement(
      `UPDATE inbox SET kept_since = last_seen WHERE project_id = ? AND ${due} AND last_seen >= ?
       RETURNING 1 AS one`,
      ...values,
      cutoff,
    ),
  ]);
  const removed = (dropped?.length ?? 0) + (noted?.length ?? 0);
  return { removed, more: removed >= limit };
}

/** Windows in which nothing was counted for an hour, buckets first, so that total and buckets agree at all times. */
async function sweepWindows(database: Database, project: string, now: number): Promise<number> {
  const idle = await database.browse(
    statement(
      `SELECT lane FROM rate_total WHERE project_id = ? AND latest_at <= ? AND total > 0 AND NOT ${IS_VISITOR}`,
      project,
      now - WINDOW_MS,
    ),
  );
  let dropped = 0;
  for (const row of idle) {
    const lane = text(row, 'lane');
    const [, , buckets] = await database.write([
      turn(project),
      statement(
        `UPDATE rate_total SET total = total - (SELECT coalesce(sum(count), 0) FROM rate_bucket
           WHERE project_id = ? AND lane = ? AND last_at <= ?) WHERE project_id = ? AND lane = ?`,
        project,
        lane,
        now - WINDOW_MS,
        project,
        lane,
      ),
      statement(
        'DELETE FROM rate_bucket WHERE project_id = ? AND lane = ? AND last_at <= ? RETURNING second',
        project,
        lane,
        now - WINDOW_MS,
      ),
    ]);
    dropped += buckets?.length ?? 0;
  }
  return dropped;
}

/** Visitors without a request for an hour are deleted completely. */
async function sweepVisitors(
  database: Database,
  project: string,
  idleSince: number,
  limit: number,
): Promise<Swept> {
  const idle = `project_id = ? AND latest_at <= ? AND ${IS_VISITOR}`;
  const [, , dropped] = await database.write([
    turn(project),
    statement(
      `DELETE FROM rate_bucket WHERE project_id = ? AND lane IN
         (SELECT lane FROM rate_total WHERE ${idle} ORDER BY lane LIMIT ?)`,
      project,
      project,
      idleSince,
      limit,
    ),
    statement(
      `DELETE FROM rate_total WHERE project_id = ? AND lane IN
         (SELECT lane FROM rate_total WHERE ${idle} ORDER BY lane LIMIT ?) RETURNING 1 AS one`,
      project,
      project,
      idleSince,
      limit,
    ),
  ]);
  const removed = dropped?.length ?? 0;
  return { removed, more: removed >= limit };
}

/** A table without a stored row count. */
async function sweepTable(
  database: Database,
  project: string,
  table: string,
  key: string,
  time: string,
  before: number,
  limit: number,
): Promise<Swept> {
  const [dropped] = await database.write([
    statement(
      `DELETE FROM ${table} WHERE project_id = ? AND (${key}) IN
         (SELECT ${key} FROM ${table} WHERE project_id = ? AND ${time} < ? ORDER BY ${time} LIMIT ?)
       RETURNING 1 AS dropped`,
      project,
      project,
      before,
      limit,
    ),
  ]);
  const removed = dropped?.length ?? 0;
  return { removed, more: removed >= limit };
}
