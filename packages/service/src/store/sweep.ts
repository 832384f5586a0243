import { DAY_MS } from '../model/windows.ts';
import { type Database, integer, type Row, type SqlValue, statement, text } from './database.ts';
import { WINDOW_MS } from './rate-rules.ts';
import type { SweepLimits } from './store.ts';
import {
  CHANGES_MERGED_AFTER_MS,
  IS_VISITOR,
  STATISTICS_KEPT_MS,
  type SweepKind,
  type SweepSteps,
  sweepProject,
  USAGE_KEPT_MS,
} from './sweep-project.ts';
import { ANSWERS_KEPT_MS } from './tables/answer-table.ts';
import { timePrefix } from './timed-id.ts';

const PROJECTS_A_LOOK = 500;

/** Expired data of a project that is to be deleted, in as many steps as needed. */
interface Task {
  readonly project: string;
  readonly retentionMs: number;
  readonly kind: SweepKind;
}

export type Sweep = (now: number, limits: SweepLimits) => Promise<number>;

/**
 * Deletes expired data, a bounded number of rows of one project per call. One query finds all tasks. Each further call
 * then works on the next task, so that a project with a million rows does not delay others, and ten thousand idle
 * projects cost nothing. When all tasks are done, the next call runs the query again.
 */
export function sweeping(database: Database, steps: SweepSteps): Sweep {
  let tasks: Task[] = [];
  return async (now, limits) => {
    let looked = false;
    for (;;) {
      if (tasks.length === 0 && !looked) {
        tasks = await findTasks(database, now, limits, steps);
        looked = true;
      }
      const task = tasks.shift();
      if (task === undefined) return 0;
      const { project, kind } = task;
      const due = { now, cutoff: now - task.retentionMs, limits };
      const { removed, more } = await sweepProject(database, project, kind, due, steps);
      if (more) tasks.push(task);
      if (removed > 0) return removed;
    }
  };
}

async function findTasks(
  database: Database,
  now: number,
  limits: SweepLimits,
  steps: SweepSteps,
): Promise<Task[]> {
  const looks = looksFor(now, limits, steps);
  const columns = looks.map(({ kind, sql }) => `CASE WHEN ${sql} THEN 1 ELSE 0 END AS ${kind}_due`);
  // A subselect with a limit is looked up in the index for each project, whatever the planner’s statistics say.
  const sql = `SELECT p.id, p.retention_days, ${columns.join(', ')}
    FROM (SELECT id, retention_days FROM project WHERE id > ? ORDER BY id LIMIT ?) p ORDER BY p.id`;
  const values = looks.flatMap((look) => look.values);
  const tasks: Task[] = [];
  for (let after = ''; ; ) {
    const rows: Row[] = await database.browse(statement(sql, ...values, after, PROJECTS_A_LOOK));
    for (const row of rows) {
      const retentionMs = integer(row, 'retention_days') * DAY_MS;
      for (const { kind } of looks)
        if (row[`${kind}_due`] === 1) tasks.push({ project: text(row, 'id'), retentionMs, kind });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PROJECTS_A_LOOK) return tasks;
    after = text(last, 'id');
  }
}

interface Look {
  readonly kind: SweepKind;
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Whether there is anything to do, asked about a project `p`. */
function looksFor(now: number, limits: SweepLimits, { own }: SweepSteps): Look[] {
  const any = (table: string, due: string) =>
    `(SELECT 1 FROM ${table} WHERE project_id = p.id AND ${due} LIMIT 1) IS NOT NULL`;
  const cutoff = `? - CAST(p.retention_days AS BIGINT) * ${DAY_MS}`;
  const looks: Look[] = [
    { kind: 'log', sql: any('validation_log', 'id < ?'), values: [timePrefix(now - limits.logRetentionMs)] },
    { kind: 'surplus', sql: any('log_total', 'rows > ?'), values: [limits.logMaxRows] },
    { kind: 'devices', sql: any('device', `oldest_seen < ${cutoff}`), values: [now] },
    { kind: 'inboxes', sql: any('inbox', `kept_since < ${cutoff}`), values: [now] },
    {
      kind: 'windows',
      sql: any('rate_total', `latest_at <= ? AND total > 0 AND NOT ${IS_VISITOR}`),
      values: [now - WINDOW_MS],
    },
    {
      kind: 'visitors',
      sql: any('rate_total', `latest_at <= ? AND ${IS_VISITOR}`),
      values: [now - WINDOW_MS],
    },
    { kind: 'answers', sql: any('idempotent_answer', 'created_at < ?'), values: [now - ANSWERS_KEPT_MS] },
    { kind: 'usage', sql: any('usage_hour', 'hour < ?'), values: [now - USAGE_KEPT_MS] },
    { kind: 'statistics', sql: any('statistics', 'at < ?'), values: [now - STATISTICS_KEPT_MS] },
    {
      kind: 'changes',
      sql: any('statistics_change', 'id < ?'),
      values: [timePrefix(now - CHANGES_MERGED_AFTER_MS)],
    },
  ];
  if (own) looks.push({ kind: 'own', sql: any(own.table, `${own.time} < ?`), values: [now - own.keptMs] });
  return looks;
}
