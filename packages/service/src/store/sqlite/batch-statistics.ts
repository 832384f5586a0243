import { slotOf } from '../statistics/statistics-words.ts';
import { timedIds } from '../timed-id.ts';
import type { Connection } from './connection.ts';
import { statisticsMerging } from './statistics-merging.ts';

/** How many changes of a project, or lines in them, pile up before they are merged. A reader adds up the rest. */
const CHANGES_BETWEEN_MERGES = 64;
const LINES_BETWEEN_MERGES = 1_024;
/** Beyond this many projects the counts begin anew. Their changes are then merged a little later. */
const MAX_PROJECTS = 10_000;

interface Change {
  readonly project: string;
  readonly at: number;
  lines: string;
  count: number;
}

/**
 * What a batch adds to the statistics: one row for each project and half hour, appended when the batch ends. Adding to
 * the half hour’s own row is left to the merge, which runs in the transaction of one batch of many.
 */
export function batchStatistics(connection: Connection) {
  const insert = connection.prepare(
    'INSERT INTO statistics_change (project_id, id, at, lines) VALUES (?, ?, ?, ?)',
  );
  const { merge } = statisticsMerging(connection);
  const newId = timedIds();
  const changes = new Map<string, Change>();
  const unmerged = new Map<string, number>();

  return {
    add(project: string, now: number, line: string): void {
      const at = slotOf(now);
      const name = `${at} ${project}`;
      const change = changes.get(name);
      if (change) {
        change.lines += `\n${line}`;
        change.count += 1;
      } else changes.set(name, { project, at, lines: line, count: 1 });
    },
    save(): void {
      for (const { project, at, lines, count } of changes.values()) {
        insert.run([project, newId(Date.now()), at, lines]);
        // Changes and lines fill the same measure.
        const waiting =
          (unmerged.get(project) ?? 0) + Math.max(1 / CHANGES_BETWEEN_MERGES, count / LINES_BETWEEN_MERGES);
        if (waiting < 1) {
          unmerged.set(project, waiting);
          continue;
        }
        unmerged.delete(project);
        merge(project);
      }
      if (unmerged.size > MAX_PROJECTS) unmerged.clear();
      changes.clear();
    },
    clear(): void {
      changes.clear();
    },
  };
}
