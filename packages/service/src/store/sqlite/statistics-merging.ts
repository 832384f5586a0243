import { countChanges, dropDomain, mergeCounts, readCounts, writeCounts } from '../statistics/counts.ts';
import { CHANGES_AT_ONCE } from '../statistics/merge-sometimes.ts';
import type { Connection } from './connection.ts';

type Change = readonly [id: string, at: number, lines: string];

/** Both must run inside a transaction that holds the write lock. */
export function statisticsMerging(connection: Connection) {
  const pending = connection
    .prepare(
      `SELECT id, at, lines FROM statistics_change WHERE project_id = ? ORDER BY id LIMIT ${CHANGES_AT_ONCE}`,
    )
    .raw(true);
  const read = connection.prepare('SELECT counts FROM statistics WHERE project_id = ? AND at = ?').raw(true);
  const write = connection.prepare(
    `INSERT INTO statistics (project_id, at, counts) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET counts = excluded.counts`,
  );
  const drop = connection.prepare('DELETE FROM statistics_change WHERE project_id = ? AND id <= ?');
  const naming = connection
    .prepare('SELECT at, counts FROM statistics WHERE project_id = ? AND instr(counts, ?) > 0')
    .raw(true);

  /** Adds pending changes to their half hours’ rows. Returns how many. */
  const merge = (project: string): number => {
    const changes = pending.all([project]) as Change[];
    const last = changes.at(-1);
    if (last === undefined) return 0;
    for (const [at, added] of countChanges(changes.map(([, at, lines]) => ({ at, lines })))) {
      const before = read.get([project, at]) as readonly [string] | undefined;
      const row = before === undefined ? new Map<string, number>() : readCounts(before[0]);
      mergeCounts(row, added);
      write.run([project, at, writeCounts(row)]);
    }
    drop.run([project, last[0]]);
    return changes.length;
  };

  const forgetDomain = (project: string, domain: string): number => {
    while (merge(project) > 0);
    const rows = naming.all([project, JSON.stringify(`domain:${domain}`)]) as (readonly [number, string])[];
    for (const [at, json] of rows) {
      const row = readCounts(json);
      dropDomain(row, domain);
      write.run([project, at, writeCounts(row)]);
    }
    return rows.length;
  };

  return { merge, forgetDomain };
}
