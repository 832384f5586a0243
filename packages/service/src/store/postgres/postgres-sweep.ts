import { type Database, statement } from '../database.ts';
import type { SweepSteps } from '../sweep-project.ts';

/** A lost answer is asked about for half an hour. */
const BATCHES_KEPT_MS = 3_600_000;

/**
 * What is oldest stands first in an index. A planner that knows a table badly, as it does a young one, reads all of a
 * project’s rows and sorts them instead, and whoever takes turns with the sweep waits for that.
 */
const BY_INDEX = statement(
  `SELECT ${['enable_sort', 'enable_bitmapscan', 'enable_seqscan', 'enable_hashjoin']
    .map((setting) => `set_config('${setting}', 'off', true)`)
    .join(', ')}`,
);

export function byIndex(database: Database): Database {
  const write: Database['write'] = async (statements) =>
    (await database.write([BY_INDEX, ...statements])).slice(1);
  const read: Database['read'] = async (one) => (await write([one]))[0] ?? [];
  return { read, browse: read, write };
}

export function postgresSweep(database: Database): SweepSteps {
  return {
    /** Requests add to the total, so its row is taken last, and those who drop take turns on something else. */
    async dropLog(project, which, limit) {
      const [due, bound, most] =
        'before' in which
          ? ['AND id < ?', which.before, '?']
          : [
              '',
              which.allBut,
              'greatest(0, least(?, (SELECT rows FROM log_total WHERE project_id = ?) - ?))',
            ];
      const values = 'before' in which ? [bound, limit] : [limit, project, bound];
      const [, rows] = await database.write([
        statement('SELECT pg_advisory_xact_lock(hashtext(?))', `postern log ${project}`),
        statement(
          `WITH gone AS (
             DELETE FROM validation_log WHERE project_id = ? AND id IN
               (SELECT id FROM validation_log WHERE project_id = ? ${due} ORDER BY id LIMIT ${most})
             RETURNING 1
           )
           UPDATE log_total SET rows = rows - (SELECT count(*) FROM gone) WHERE project_id = ?
           RETURNING (SELECT count(*) FROM gone) AS dropped`,
          project,
          project,
          ...values,
          project,
        ),
      ]);
      return Number(rows?.[0]?.dropped ?? 0);
    },
    async forgetDevices(project, devices, cutoff, limit) {
      const [, rows] = await database.write([
        statement('SELECT 1 FROM project WHERE id = ? FOR NO KEY UPDATE', project),
        statement(
          `SELECT sum(postern_forget_device_1(?, device, ?, ?)) AS dropped
           FROM json_array_elements_text(CAST(? AS JSON)) AS d (device)`,
          project,
          cutoff,
          limit,
          JSON.stringify(devices),
        ),
      ]);
      return Number(rows?.[0]?.dropped ?? 0);
    },
    own: { table: 'settled_batch', key: 'batch', time: 'at', keptMs: BATCHES_KEPT_MS },
  };
}
