import { slotOf } from '../statistics/statistics-words.ts';
import { timedIds } from '../timed-id.ts';
import type { Connection } from './connection.ts';

interface Change {
  readonly project: string;
  readonly at: number;
  lines: string;
}

/**
 * What a batch adds to the statistics: one row for each project and half hour, appended when the batch ends. Adding to
 * the half hour’s own row is left to the merge, which has a transaction of its own.
 */
export function batchStatistics(connection: Connection) {
  const insert = connection.prepare(
    'INSERT INTO statistics_change (project_id, id, at, lines) VALUES (?, ?, ?, ?)',
  );
  const newId = timedIds();
  const changes = new Map<string, Change>();

  return {
    add(project: string, now: number, line: string): void {
      const at = slotOf(now);
      const name = `${at} ${project}`;
      const change = changes.get(name);
      if (change) change.lines += `\n${line}`;
      else changes.set(name, { project, at, lines: line });
    },
    save(): void {
      for (const { project, at, lines } of changes.values())
        insert.run([project, newId(Date.now()), at, lines]);
      changes.clear();
    },
    clear(): void {
      changes.clear();
    },
  };
}
