import { type Database, statement, text } from '../database.ts';
import { GIVE_UP_MS } from '../retry-queue.ts';
import type { SweepSteps } from '../sweep-kinds.ts';

/** Longer than a batch whose answer was lost is looked up. */
const BATCHES_KEPT_MS = 2 * GIVE_UP_MS;

/**
 * The oldest rows come first in an index. With poor statistics, as for a new table, the planner reads and sorts all
 * rows of a project instead, and requests that wait for the same lock are delayed.
 */
const BY_INDEX = statement(
  `SELECT ${['enable_sort', 'enable_bitmapscan', 'enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']
    .map((setting) => `set_config('${setting}', 'off', true)`)
    .join(', ')}`,
);

export function byIndex(database: Database): Database {
  const write: Database['write'] = async (statements) =>
    (await database.write([BY_INDEX, ...statements])).slice(1);
  const read: Database['read'] = async (one) => (await write([one]))[0] ?? [];
  return { read, browse: read, write };
}

/** How many inboxes of each device one transaction drops. Requests of the project wait for it. */
const DROPPED_OF_DEVICE = 10;

/** Most devices that are due were not seen again and have little data. They are deleted together with all of it. */
const FORGET_WHOLE = `
  WITH listed AS MATERIALIZED (
    SELECT d.device FROM json_array_elements_text(CAST(? AS JSON)) AS l (device)
    CROSS JOIN LATERAL (
      -- The offset keeps the planner from asking what follows about every device of the project.
      SELECT device, inboxes + networks AS entries FROM device WHERE project_id = ? AND device = l.device OFFSET 0
    ) d
    WHERE d.entries <= ?
      AND (SELECT 1 FROM device_sighting s
        WHERE s.project_id = ? AND s.device = d.device AND s.last_seen >= ? LIMIT 1) IS NULL
  ), sightings AS (
    DELETE FROM device_sighting WHERE project_id = ? AND device = ANY (ARRAY(SELECT device FROM listed)) RETURNING 1
  ), gone AS (
    DELETE FROM device WHERE project_id = ? AND device = ANY (ARRAY(SELECT device FROM listed)) RETURNING networks
  )
  SELECT (SELECT count(*) FROM sightings) + coalesce(sum(networks), 0) AS dropped FROM gone`;

export function postgresSweep(
  database: Database,
  mergeStatistics: SweepSteps['mergeStatistics'],
): SweepSteps {
  return {
    mergeStatistics,
    lockLog: (project, { sql, values }) =>
      statement(
        `SELECT 1 FROM validation_log WHERE project_id = ? AND ${sql} ORDER BY id FOR UPDATE`,
        project,
        ...values,
      ),
    async forgetDevices(project, devices, cutoff) {
      const lock = statement('SELECT 1 FROM project WHERE id = ? FOR NO KEY UPDATE', project);
      let dropped = 0;
      for (let left = devices; left.length > 0; ) {
        const listed = JSON.stringify(left);
        const [, whole, parts] = await database.write([
          lock,
          statement(FORGET_WHOLE, ...[listed, project, DROPPED_OF_DEVICE, project, cutoff, project, project]),
          statement(
            `SELECT device, postern_forget_device_1(?, device, ?, ?) AS dropped FROM device
             WHERE project_id = ? AND device = ANY (ARRAY(SELECT json_array_elements_text(CAST(? AS JSON))))
               AND oldest_seen < ?`,
            ...[project, cutoff, DROPPED_OF_DEVICE, project, listed, cutoff],
          ),
        ]);
        const counts = (parts ?? []).map((row) => [text(row, 'device'), Number(row.dropped)] as const);
        dropped += Number(whole?.[0]?.dropped ?? 0);
        for (const [, count] of counts) dropped += count;
        left = counts.filter(([, count]) => count >= DROPPED_OF_DEVICE).map(([device]) => device);
      }
      return dropped;
    },
    own: [{ table: 'settled_batch', key: 'batch', time: 'at', before: (now) => now - BATCHES_KEPT_MS }],
  };
}
