import { type Database, integer, type Row, type SqlValue, statement, text } from '../database.ts';
import { readHistory } from '../read-history.ts';
import type { MemoryStore, SightingRow } from '../store.ts';
import type { Condition } from './condition.ts';

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
