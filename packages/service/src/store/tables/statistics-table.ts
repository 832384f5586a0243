import { DAY_MS } from '@postern/contract';
import { integer, text } from '../columns.ts';
import { type Database, lockProject, type Statement, statement } from '../database.ts';
import {
  addLines,
  type Counts,
  dropDomain,
  mergeCounts,
  readCounts,
  writeCounts,
} from '../statistics/counts.ts';
import { slotOf } from '../statistics/statistics-words.ts';
import { timedIds } from '../timed-id.ts';
import { STATISTICS, STATISTICS_CHANGE } from './settle-tables.ts';

export const STATISTICS_KEPT_DAYS = 400;

/** One half hour. */
export interface Slot {
  /** When it begins, milliseconds since 1970. */
  readonly at: number;
  readonly counts: Counts;
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
export function statisticsStore(database: Database) {
  const merge = (projectId: string) => mergeChanges(database, projectId);
  return {
    /** Adds pending changes of one half hour to its row. Returns how many, 0 when there are none. */
    merge,
    /** Takes the domain out of every half hour; the validations stay counted. */
    async forgetDomain(projectId: string, domain: string): Promise<void> {
      while ((await merge(projectId)) > 0);
      await dropFromRows(database, projectId, domain);
    },
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
export function countWords(projectId: string, at: number, line: string): Statement {
  return STATISTICS_CHANGE.insert({ projectId, id: changeId(), at: slotOf(at), lines: line });
}

/** One merge takes this many changes: all those between two merges, or they would become more and more. */
const CHANGES_AT_ONCE = 256;

/**
 * Adds the oldest changes to their half hour’s row. Rows and changes are read without a lock, so that no request waits.
 * The row is replaced only if no other process replaced it meanwhile, and the changes are deleted only then.
 */
async function mergeChanges(database: Database, projectId: string): Promise<number> {
  const oldest = `ORDER BY id LIMIT ${CHANGES_AT_ONCE}`;
  const changes = await STATISTICS_CHANGE.findAll(database.browse, { projectId }, oldest);
  const [first] = changes;
  if (first === undefined) return 0;
  const { at } = first;
  const merged = changes.filter((change) => change.at === at);
  const before = (await STATISTICS.find(database.browse, { projectId, at }))?.counts ?? null;
  const counts: Counts = before === null ? new Map() : readCounts(before);
  const added: Counts = new Map();
  for (const { lines } of merged) addLines(added, lines);
  mergeCounts(counts, added);
  const after = writeCounts(counts);
  const ids = merged.map(({ id }) => id);
  const these = `project_id = ? AND id IN (${ids.map(() => '?').join(', ')})`;
  const [, , dropped] = await database.write([
    lockProject(projectId),
    // Nothing happens if another process has merged the changes, or the project is gone.
    statement(
      `INSERT INTO statistics (project_id, at, counts)
       SELECT id, CAST(? AS BIGINT), CAST(? AS TEXT) FROM project
       WHERE id = ? AND (SELECT count(*) FROM statistics_change WHERE ${these}) = ${ids.length}
       ON CONFLICT (project_id, at) DO UPDATE SET counts = excluded.counts WHERE statistics.counts = ?`,
      ...[at, after, projectId, projectId, ...ids, before ?? ''],
    ),
    STATISTICS_CHANGE.remove(
      { projectId, id: ids },
      'AND EXISTS (SELECT 1 FROM statistics WHERE project_id = ? AND at = ? AND counts = ?) RETURNING 1 AS one',
      ...[projectId, at, after],
    ),
  ]);
  return dropped?.length ?? 0;
}

async function dropFromRows(database: Database, projectId: string, domain: string): Promise<void> {
  const word = JSON.stringify(`domain:${domain}`);
  const naming = "AND replace(counts, ?, '') <> counts";
  for (const { at, counts: before } of await STATISTICS.findAll(
    database.browse,
    { projectId },
    naming,
    word,
  )) {
    const counts = readCounts(before);
    dropDomain(counts, domain);
    const [, replaced] = await database.write([
      lockProject(projectId),
      STATISTICS.update(
        { projectId, at, counts: before },
        { counts: writeCounts(counts) },
        'RETURNING 1 AS one',
      ),
    ]);
    // New changes were merged into the row meanwhile.
    if (replaced?.length === 0) return dropFromRows(database, projectId, domain);
  }
}

/** A project’s changes are merged after this many batches or requests, whichever comes first. A reader adds up the rest. */
const BATCHES_BETWEEN_MERGES = 256;
const REQUESTS_BETWEEN_MERGES = 1_024;
/** With more projects than this the counts start from zero, and their changes are merged a little later. */
const MAX_PROJECTS = 10_000;

/**
 * Merges the changes of a busy project, outside the transactions of its requests. What a quiet project leaves is merged
 * by the sweep.
 */
export function mergeSometimes(merge: StatisticsStore['merge']) {
  /** How close each project is to the next merge, from 0 to 1. */
  const unmerged = new Map<string, number>();
  const running = new Map<string, Promise<unknown>>();
  return {
    batchSettled(project: string, requests: number): void {
      const added = Math.max(1 / BATCHES_BETWEEN_MERGES, requests / REQUESTS_BETWEEN_MERGES);
      const waiting = (unmerged.get(project) ?? 0) + added;
      if (unmerged.size > MAX_PROJECTS) unmerged.clear();
      unmerged.set(project, waiting);
      // Two merges at once would read the same changes, and one of them for nothing.
      if (waiting < 1 || running.has(project)) return;
      unmerged.delete(project);
      // A merge that fails is made up for by the next one.
      const merging = merge(project)
        .catch(() => 0)
        .finally(() => running.delete(project));
      running.set(project, merging);
    },
    async idle(): Promise<void> {
      await Promise.all(running.values());
    },
  };
}
