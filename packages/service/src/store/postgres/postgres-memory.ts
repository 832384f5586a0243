import { type Database, integer, type Row, statement, text } from '../database.ts';
import { readHistory } from '../read-history.ts';
import type { MemoryStore, SightingRow } from '../store.ts';

const COLUMNS = 'device, inbox, first_seen, last_seen, count';

/** Sightings for people to look at. */
export function postgresMemory(database: Database): MemoryStore {
  const newest = async (column: 'device' | 'inbox', projectId: string, hash: string, limit: number) => {
    const rows = await database.browse(
      statement(
        `SELECT ${COLUMNS} FROM device_sighting WHERE project_id = ? AND ${column} = ? ORDER BY last_seen DESC LIMIT ?`,
        projectId,
        hash,
        limit,
      ),
    );
    return rows.map(toSighting);
  };
  return {
    recall: (projectId, asked) => readHistory(database, projectId, asked),
    sightingsOfDevice: (projectId, deviceHash, limit) => newest('device', projectId, deviceHash, limit),
    sightingsOfInbox: (projectId, inboxHash, limit) => newest('inbox', projectId, inboxHash, limit),
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
