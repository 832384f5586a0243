import { text } from './columns.ts';
import { type Condition, type Database, type Row, type SqlValue, statement } from './database.ts';
import type { SweepLimits } from './store.ts';
import { type Cutoffs, projectsWithCutoffs, readCutoffs, type SweepKind, sweepKinds } from './sweep-kinds.ts';

const PROJECTS_PER_QUERY = 500;

/** Expired data of a project that is to be deleted, in as many steps as needed. */
interface Task {
  readonly project: string;
  readonly kind: SweepKind;
  readonly found: SqlValue;
  /** Whether its kind has looked closer. */
  readonly confirmed: boolean;
}

interface Question {
  readonly kind: SweepKind;
  readonly due: Condition;
}

export type Sweep = (now: number, limits: SweepLimits) => Promise<number>;

/**
 * Deletes expired data, a bounded number of rows of one project per call. One query finds all tasks. Each further call
 * then works on the next task, so that a project with a million rows does not delay others, and ten thousand idle
 * projects cost nothing. When all tasks are done, the next call runs the query again.
 */
export function sweeping(database: Database, mergeStatistics: (project: string) => Promise<number>): Sweep {
  const kinds = sweepKinds(database, mergeStatistics);
  const askedAt = new Map<SweepKind, number>();
  let tasks: Task[] = [];

  /** A question that takes long is left out until its pause is over. */
  const questionsOf = (now: number, limits: SweepLimits): Question[] =>
    kinds
      .filter((kind) => {
        const before = askedAt.get(kind);
        return before === undefined || Math.abs(now - before) >= (kind.pauseMs?.(limits) ?? 0);
      })
      .map((kind) => {
        const lastAsked = askedAt.get(kind);
        askedAt.set(kind, now);
        return { kind, due: kind.due(now, limits, lastAsked) };
      });

  return async (now, limits) => {
    let asked = false;
    for (;;) {
      if (tasks.length === 0 && !asked) {
        tasks = await findTasks(database, now, limits, questionsOf(now, limits));
        asked = true;
      }
      const task = tasks.shift();
      if (task === undefined) return 0;
      const { project, kind } = task;
      const cutoffs = await cutoffsOf(database, now, limits, project);
      if (cutoffs === undefined) continue;
      const due = { project, now, cutoffs, limits, found: task.found };
      const found = kind.confirm && !task.confirmed ? await kind.confirm(due) : task.found;
      if (found === null) continue;
      const { removed, more } = await kind.step({ ...due, found });
      if (more) tasks.push({ project, kind, found, confirmed: true });
      if (removed > 0) return removed;
    }
  };
}

/** As they are now: a task may take hours, and meanwhile the project is changed or deleted. */
async function cutoffsOf(
  database: Database,
  now: number,
  limits: SweepLimits,
  project: string,
): Promise<Cutoffs | undefined> {
  const { sql, values } = projectsWithCutoffs(now, limits, { sql: 'id = ?', values: [project] });
  const [row] = await database.browse(statement(`SELECT p.* FROM ${sql} p`, ...values));
  return row && readCutoffs(row);
}

async function findTasks(
  database: Database,
  now: number,
  limits: SweepLimits,
  questions: readonly Question[],
): Promise<Task[]> {
  const columns = questions.map(({ due }, index) => `${due.sql} AS due_${index}`);
  const asked = questions.flatMap(({ due }) => due.values);
  const tasks: Task[] = [];
  for (let after = ''; ; ) {
    const next = { sql: 'id > ? ORDER BY id LIMIT ?', values: [after, PROJECTS_PER_QUERY] };
    const projects = projectsWithCutoffs(now, limits, next);
    const sql = `SELECT p.*, ${columns.join(', ')} FROM ${projects.sql} p ORDER BY p.id`;
    const rows: Row[] = await database.browse(statement(sql, ...asked, ...projects.values));
    for (const row of rows) {
      for (const [index, { kind }] of questions.entries()) {
        const found = row[`due_${index}`] ?? null;
        if (found !== null) tasks.push({ project: text(row, 'id'), kind, found, confirmed: false });
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PROJECTS_PER_QUERY) return tasks;
    after = text(last, 'id');
  }
}
