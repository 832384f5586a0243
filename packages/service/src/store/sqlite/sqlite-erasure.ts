import { type Database, json, statement, text } from '../database.ts';
import { type Erasure, type ErasureSteps, erasure, keyRanges } from '../erasure.ts';
import type { StatisticsSteps } from '../tables/statistics-table.ts';
import { MAX_DEVICES_LISTED } from './inbox-rows.ts';

/** A device lists its inboxes in its own row, and an inbox its last devices. */
export function sqliteErasure(database: Database, forgetDomain: StatisticsSteps['forgetDomain']): Erasure {
  const { erase } = erasure(database, { ...erasureSteps(database), forgetDomain });
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

function erasureSteps(database: Database): Omit<ErasureSteps, 'forgetDomain'> {
  /** `among` is a condition on a device’s key. */
  const bringing = async (project: string, inbox: string, among: string, ...values: string[]) => {
    const rows = await database.browse(
      statement(
        `SELECT device FROM device_sighting WHERE project_id = ? AND inbox = ? AND ${among}`,
        ...[project, inbox, ...values],
      ),
    );
    return rows.map((row) => text(row, 'device'));
  };

  return {
    async devicesOf(project, inbox) {
      const [row] = await database.browse(
        statement('SELECT devices FROM inbox WHERE project_id = ? AND inbox = ?', project, inbox),
      );
      const listed = row ? json<string[]>(row, 'devices') : [];
      if (listed.length < MAX_DEVICES_LISTED) {
        const among = 'device IN (SELECT value FROM json_each(?))';
        return bringing(project, inbox, among, JSON.stringify(listed));
      }
      // The list is full, so there may have been more.
      const devices: string[] = [];
      for await (const range of keyRanges(database, 'device', 'device', project)) {
        devices.push(...(await bringing(project, inbox, 'device > ? AND device <= ?', ...range)));
      }
      return devices;
    },
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
    async unlistDevice(project, device) {
      for await (const [after, upTo] of keyRanges(database, 'inbox', 'inbox', project)) {
        const listed = 'project_id = ? AND inbox > ? AND inbox <= ? AND instr(devices, ?) > 0';
        const values = [project, after, upTo, JSON.stringify(device)] as const;
        const found = await database.browse(
          statement(`SELECT 1 AS one FROM inbox WHERE ${listed} LIMIT 1`, ...values),
        );
        if (found.length === 0) continue;
        await database.write([
          statement(
            `UPDATE inbox SET devices = (SELECT json_group_array(e.value) FROM json_each(inbox.devices) e
               WHERE e.value <> ?) WHERE ${listed}`,
            device,
            ...values,
          ),
        ]);
      }
    },
  };
}
