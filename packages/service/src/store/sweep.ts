import { type Database, integer, type Row, type Statement, statement, text } from './database.ts';
import { DAY_MS, WINDOW_MS } from './rate-rules.ts';
import type { SweepLimits } from './store.ts';
import { timePrefix } from './timed-id.ts';

/** Hourly counts are small and people compare with last year. */
const USAGE_KEPT_MS = 400 * DAY_MS;

/** What each back end does in its own way. */
export interface SweepSteps {
  forgetDevice(project: string, device: string, cutoff: number, limit: number): Promise<number>;
  /** What only this back end keeps. */
  sweepOwn?(project: string, now: number, limit: number): Promise<number>;
}

/**
 * Goes from project to project and removes what is past, a bounded number of rows in all. Each statement is a
 * transaction of its own, so that no request waits for more than one of them.
 */
export async function sweepStore(
  database: Database,
  now: number,
  limits: SweepLimits,
  steps: SweepSteps,
): Promise<number> {
  let left = limits.maxRows;
  const projects = await database.browse(statement('SELECT id, retention_days FROM project ORDER BY id'));
  for (const row of projects) {
    const project = text(row, 'id');
    const cutoff = now - integer(row, 'retention_days') * DAY_MS;
    for (const step of stepsOf(database, project, now, cutoff, limits, steps)) {
      if (left <= 0) return limits.maxRows;
      left -= await step(left);
    }
  }
  return limits.maxRows - left;
}

/** Requests of the project wait for their turn on its row, and so does whoever puts their counters right. */
function turn(project: string): Statement {
  return statement('UPDATE project SET version = version WHERE id = ?', project);
}

type Step = (limit: number) => Promise<number>;

function stepsOf(
  database: Database,
  project: string,
  now: number,
  cutoff: number,
  limits: SweepLimits,
  steps: SweepSteps,
): Step[] {
  return [
    (limit) => sweepLog(database, project, timePrefix(now - limits.logRetentionMs), limit),
    (limit) => sweepLogOverflow(database, project, limits.logMaxRows, limit),
    (limit) => sweepDevices(database, project, cutoff, limit, steps),
    (limit) => sweepInboxes(database, project, cutoff, limit),
    (limit) => sweepWindows(database, project, now, limit),
    (limit) => sweepUsage(database, project, now - USAGE_KEPT_MS, limit),
    async (limit) => (await steps.sweepOwn?.(project, now, limit)) ?? 0,
  ];
}

async function sweepLog(database: Database, project: string, before: string, limit: number): Promise<number> {
  const victims = await database.browse(
    statement(
      'SELECT id FROM validation_log WHERE project_id = ? AND id < ? ORDER BY id LIMIT ?',
      project,
      before,
      limit,
    ),
  );
  return dropLogRows(database, project, victims);
}

async function sweepLogOverflow(
  database: Database,
  project: string,
  maxRows: number,
  limit: number,
): Promise<number> {
  const total = await database.browse(statement('SELECT rows FROM log_total WHERE project_id = ?', project));
  const surplus = (total[0] ? integer(total[0], 'rows') : 0) - maxRows;
  if (surplus <= 0) return 0;
  const victims = await database.browse(
    statement(
      'SELECT id FROM validation_log WHERE project_id = ? ORDER BY id LIMIT ?',
      project,
      Math.min(surplus, limit),
    ),
  );
  return dropLogRows(database, project, victims);
}

/** Rows up to the last victim, counted by the same transaction that corrects their total. */
async function dropLogRows(database: Database, project: string, victims: readonly Row[]): Promise<number> {
  const last = victims.at(-1);
  if (!last) return 0;
  const upTo = text(last, 'id');
  const [, dropped] = await database.write([
    statement(
      `UPDATE log_total SET rows = rows -
         (SELECT count(*) FROM validation_log WHERE project_id = ? AND id <= ?) WHERE project_id = ?`,
      project,
      upTo,
      project,
    ),
    statement('DELETE FROM validation_log WHERE project_id = ? AND id <= ? RETURNING id', project, upTo),
  ]);
  return dropped?.length ?? 0;
}

async function sweepDevices(
  database: Database,
  project: string,
  cutoff: number,
  limit: number,
  steps: SweepSteps,
): Promise<number> {
  const devices = await database.browse(
    statement(
      'SELECT device FROM device WHERE project_id = ? AND oldest_seen < ? ORDER BY oldest_seen LIMIT ?',
      project,
      cutoff,
      Math.min(limit, 100),
    ),
  );
  let dropped = 0;
  for (const row of devices) {
    if (dropped >= limit) break;
    dropped += await steps.forgetDevice(project, text(row, 'device'), cutoff, limit - dropped);
  }
  return dropped;
}

/** Those that were seen again since the last look are only noted as such; that counts as work done. */
async function sweepInboxes(
  database: Database,
  project: string,
  cutoff: number,
  limit: number,
): Promise<number> {
  if (!(await some(database, 'inbox', 'kept_since', project, cutoff))) return 0;
  const due = `inbox IN (SELECT inbox FROM inbox WHERE project_id = ? AND kept_since < ? ORDER BY kept_since LIMIT ?)`;
  const values = [project, project, cutoff, limit] as const;
  const [, dropped, noted] = await database.write([
    turn(project),
    statement(
      `DELETE FROM inbox WHERE project_id = ? AND ${due} AND last_seen < ? RETURNING inbox`,
      ...values,
      cutoff,
    ),
    statement(
      `UPDATE inbox SET kept_since = last_seen WHERE project_id = ? AND ${due} RETURNING inbox`,
      ...values,
    ),
  ]);
  return (dropped?.length ?? 0) + (noted?.length ?? 0);
}

/** Windows in which nothing was counted for an hour, buckets first, so that total and buckets agree at all times. */
async function sweepWindows(
  database: Database,
  project: string,
  now: number,
  limit: number,
): Promise<number> {
  const idle = await database.browse(
    statement(
      'SELECT lane FROM rate_total WHERE project_id = ? AND latest_at <= ? AND total > 0',
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
    if (dropped >= limit) break;
  }
  return dropped;
}

async function sweepUsage(
  database: Database,
  project: string,
  before: number,
  limit: number,
): Promise<number> {
  if (!(await some(database, 'usage_hour', 'hour', project, before))) return 0;
  const [dropped] = await database.write([
    statement(
      `DELETE FROM usage_hour WHERE project_id = ? AND (hour, kind) IN
         (SELECT hour, kind FROM usage_hour WHERE project_id = ? AND hour < ? LIMIT ?) RETURNING 1 AS dropped`,
      project,
      project,
      before,
      limit,
    ),
  ]);
  return dropped?.length ?? 0;
}

/** A look costs less than a transaction, and mostly there is nothing to do. */
export async function some(
  database: Database,
  table: string,
  column: string,
  project: string,
  before: number,
): Promise<boolean> {
  const rows = await database.browse(
    statement(
      `SELECT 1 AS one FROM ${table} WHERE project_id = ? AND ${column} < ? LIMIT 1`,
      project,
      before,
    ),
  );
  return rows.length > 0;
}
