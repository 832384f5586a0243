import { type Database, statement } from '../database.ts';
import { type Erasure, erasure } from '../erasure.ts';
import type { StatisticsSteps } from '../tables/statistics-table.ts';

/** A device lists its inboxes in its own row. */
export function sqliteErasure(database: Database, forgetDomain: StatisticsSteps['forgetDomain']): Erasure {
  const { erase } = erasure(database, {
    forgetDomain,
    forgetInbox: (project, device, inbox) => [
      statement(
        `UPDATE device SET inbox_list = (SELECT json_group_array(json(e.value)) FROM json_each(device.inbox_list) e
           WHERE e.value ->> 0 <> ?) WHERE project_id = ? AND device = ?`,
        ...[inbox, project, device],
      ),
      statement(
        "DELETE FROM device WHERE project_id = ? AND device = ? AND inbox_list = '[]'",
        project,
        device,
      ),
    ],
    forgetDevice: (project, device) => [
      statement('DELETE FROM device WHERE project_id = ? AND device = ?', project, device),
    ],
  });
  return {
    async erase(project, whose, dryRun) {
      const rows = await erase(project, whose, dryRun);
      if (!dryRun) await emptyWriteAheadLog(database);
      return rows;
    },
  };
}

const EMPTY_TRIES = 20;
const EMPTY_EVERY_MS = 100;

/**
 * The write-ahead log still holds the pages as they were before. It can only be emptied while nobody reads. If there
 * are always readers, the next checkpoints overwrite it instead.
 */
async function emptyWriteAheadLog(database: Database): Promise<void> {
  for (let tries = 0; tries < EMPTY_TRIES; tries += 1) {
    const [row] = await database.read(statement('PRAGMA wal_checkpoint(TRUNCATE)'));
    if (row?.busy === 0) return;
    await new Promise((resolve) => setTimeout(resolve, EMPTY_EVERY_MS));
  }
}
