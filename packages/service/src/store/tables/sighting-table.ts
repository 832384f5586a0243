import { type Database, integer, type Row, type SqlValue, statement, text } from '../database.ts';
import { devicesOfInbox } from '../devices-of-inbox.ts';
import { readHistory } from '../read-history.ts';
import type { MemoryStore, SightingRow } from '../store.ts';
import type { Condition } from './condition.ts';

const DEVICES_AT_ONCE = 500;

/** Sightings for people to look at. `ofInbox` is how the back end finds an inbox’s sightings. */
export function sightingStore(
  database: Database,
  ofInbox: (projectId: string, inboxHash: string) => Condition,
): MemoryStore {
  const newest = async (condition: string, values: readonly SqlValue[], limit: number) => {
    const rows = await database.browse(
      statement(
        `SELECT device, inbox, first_seen, last_seen, count FROM device_sighting WHERE ${condition}
         ORDER BY last_seen DESC LIMIT ?`,
        ...values,
        limit,
      ),
    );
    return rows.map(toSighting);
  };
  return {
    recall: (projectId, asked) => readHistory(database, projectId, asked),
    sightingsOfDevice: (projectId, deviceHash, limit) =>
      newest('project_id = ? AND device = ?', [projectId, deviceHash], limit),
    sightingsOfInbox(projectId, inboxHash, limit) {
      const { sql, values } = ofInbox(projectId, inboxHash);
      return newest(sql, values, limit);
    },
    async allSightingsOfInbox(projectId, inboxHash) {
      const devices = await devicesOfInbox(database, projectId, inboxHash);
      const found: SightingRow[] = [];
      for (let at = 0; at < devices.length; at += DEVICES_AT_ONCE) {
        const some = devices.slice(at, at + DEVICES_AT_ONCE);
        const these = `project_id = ? AND inbox = ? AND device IN (${some.map(() => '?').join(', ')})`;
        found.push(...(await newest(these, [projectId, inboxHash, ...some], some.length)));
      }
      return found;
    },
  };
}

function toSighting(row: Row): SightingRow {
  return {
    deviceHash: text(row, 'device'),
    inboxHash: text(row, 'inbox'),
    firstSeen: integer(row, 'first_seen'),
    lastSeen: integer(row, 'last_seen'),
    count: integer(row, 'count'),
  };
}
