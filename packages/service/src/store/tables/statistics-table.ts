import { DAY_MS } from '@postern/contract';
import { type Database, integer, type SqlValue, type Statement, statement, text } from '../database.ts';
import { addLines, type Counts, mergeCounts, readCounts } from '../statistics/counts.ts';
import { LINE_OF_ROW, slotOf } from '../statistics/statistics-words.ts';
import { timedIds } from '../timed-id.ts';
import { ALWAYS, type Condition } from './condition.ts';

export const STATISTICS_KEPT_DAYS = 400;

/** One half hour. */
export interface Slot {
  /** When it begins, milliseconds since 1970. */
  readonly at: number;
  readonly counts: Counts;
}

/** What each back end does in its own way. */
export interface StatisticsSteps {
  /** Adds pending changes to their half hours’ rows. Returns how many, 0 when there are none. */
  merge(projectId: string): Promise<number>;
  /** Takes the domain out of every half hour; the validations stay counted. */
  forgetDomain(projectId: string, domain: string): Promise<void>;
}

/** How much is read at once: at most about 700 rows, which take a few milliseconds. */
const PORTION_MS = 14 * DAY_MS;

/**
 * Requests append changes, as lines; merging adds them to the row of their half hour. A portion reads both in one
 * statement, so that a change is seen exactly once.
 */
const PORTION = `SELECT at, counts, 0 AS pending FROM statistics WHERE project_id = ? AND at >= ? AND at < ?
  UNION ALL SELECT at, lines, 1 FROM statistics_change WHERE project_id = ? AND at >= ? AND at < ?`;

export type StatisticsStore = ReturnType<typeof statisticsStore>;

/**
 * What a project’s requests add up to, half hour by half hour. `settle` writes it with the request, and only live keys
 * count. It names no person.
 */
export function statisticsStore(database: Database, { merge }: StatisticsSteps) {
  return {
    merge,
    /** The half hours of a time span in which anything was counted, in order, in portions. */
    async *read(projectId: string, from: number, to: number): AsyncGenerator<readonly Slot[]> {
      for (let start = slotOf(from); start < to; start += PORTION_MS) {
        const span = [projectId, Math.max(from, start), Math.min(to, start + PORTION_MS)] as const;
        const slots = toSlots(await database.browse(statement(PORTION, ...span, ...span)));
        if (slots.length > 0) yield slots;
      }
    },
  };
}

function toSlots(rows: Awaited<ReturnType<Database['browse']>>): Slot[] {
  const slots = new Map<number, Counts>();
  const pending = new Map<number, Counts>();
  for (const row of rows) {
    const at = integer(row, 'at');
    if (integer(row, 'pending') === 0) slots.set(at, readCounts(text(row, 'counts')));
    else {
      const counts = pending.get(at) ?? new Map();
      pending.set(at, counts);
      addLines(counts, text(row, 'counts'));
    }
  }
  for (const [at, added] of pending) {
    const counts = slots.get(at) ?? new Map();
    slots.set(at, counts);
    mergeCounts(counts, added);
  }
  return [...slots].map(([at, counts]) => ({ at, counts })).sort((one, other) => one.at - other.at);
}

const newId = timedIds();

/** The ID of a change. It begins with the time at which it is made. */
export const changeId = (): string => newId(Date.now());

/** Counts something outside `settle`, in the transaction of what is counted. */
export function countWords(
  projectId: string,
  at: number,
  line: string,
  condition: Condition = ALWAYS,
): Statement {
  return statement(
    `INSERT INTO statistics_change (project_id, id, at, lines)
     SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS TEXT) WHERE ${condition.sql}`,
    projectId,
    changeId(),
    slotOf(at),
    line,
    ...condition.values,
  );
}

/** Takes back what the log row of a validation counted, if there is such a row and the condition is met. */
export function uncountLogged(projectId: string, logId: string, at: number, condition: Condition): Statement {
  const values: SqlValue[] = [slotOf(at), projectId, logId, ...condition.values];
  return statement(
    `INSERT INTO statistics_change (project_id, id, at, lines)
     SELECT project_id, id || '-', CAST(? AS BIGINT), '-1 ' || ${LINE_OF_ROW}
     FROM validation_log WHERE project_id = ? AND id = ? AND ${condition.sql}`,
    ...values,
  );
}
