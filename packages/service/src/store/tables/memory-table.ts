import { type Database, integer, type Row, statement, text } from '../database.ts';
import type { MemoryStore, SightingRow } from '../store.ts';

const COLUMNS = 'device, inbox, first_seen, last_seen, count';

export function memoryTable(database: Database): MemoryStore {
  return {
    async sightingsOfDevice(projectId, deviceHash, limit) {
      const rows = await database.browse(
        statement(
          `SELECT ${COLUMNS} FROM device_sighting WHERE project_id = ? AND device = ? ORDER BY last_seen DESC LIMIT ?`,
          projectId,
          deviceHash,
          limit,
        ),
      );
      return rows.map(toSighting);
    },
    async sightingsOfInbox(projectId, inboxHash, limit) {
      const rows = await database.browse(
        statement(
          `SELECT ${COLUMNS} FROM device_sighting WHERE project_id = ? AND inbox = ? ORDER BY last_seen DESC LIMIT ?`,
          projectId,
          inboxHash,
          limit,
        ),
      );
      return rows.map(toSighting);
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
