import { type Database, integer, json, type Row, statement, text, textOrNull } from '../database.ts';
import { readHistory } from '../read-history.ts';
import type { MemoryStore, SightingRow } from '../store.ts';
import { entries, type InboxEntry } from './device-lists.ts';

/** Sightings for people to look at, wherever they stand: in the device’s own row or in rows apart. */
export function sqliteMemory(database: Database): MemoryStore {
  const deviceRow = async (projectId: string, device: string): Promise<Row | undefined> => {
    const rows = await database.browse(
      statement('SELECT inbox_list FROM device WHERE project_id = ? AND device = ?', projectId, device),
    );
    return rows[0];
  };
  const apart = async (condition: string, ...values: (string | number)[]): Promise<SightingRow[]> => {
    const rows = await database.browse(
      statement(
        `SELECT device, inbox, first_seen, last_seen, count FROM device_sighting
         WHERE ${condition} ORDER BY last_seen DESC LIMIT ?`,
        ...values,
      ),
    );
    return rows.map(toSighting);
  };

  const sightingsOfDevice = async (projectId: string, device: string, limit: number) => {
    const row = await deviceRow(projectId, device);
    if (!row) return [];
    const list = textOrNull(row, 'inbox_list');
    if (list === null) return apart('project_id = ? AND device = ?', projectId, device, limit);
    return newestFirst(entries<InboxEntry>(list).map((entry) => fromEntry(device, entry))).slice(0, limit);
  };

  return {
    sightingsOfDevice,
    recall: (projectId, asked) => readHistory(database, projectId, asked),
    async sightingsOfInbox(projectId, inbox, limit) {
      const [row] = await database.browse(
        statement('SELECT devices FROM inbox WHERE project_id = ? AND inbox = ?', projectId, inbox),
      );
      const found: SightingRow[] = [];
      for (const device of row ? json<string[]>(row, 'devices') : []) {
        const list = (await deviceRow(projectId, device))?.inbox_list;
        if (list === undefined) continue;
        if (list === null) {
          found.push(
            ...(await apart('project_id = ? AND device = ? AND inbox = ?', projectId, device, inbox, 1)),
          );
        } else {
          const entry = entries<InboxEntry>(String(list)).find(([name]) => name === inbox);
          if (entry) found.push(fromEntry(device, entry));
        }
      }
      return newestFirst(found).slice(0, limit);
    },
  };
}

function newestFirst(sightings: SightingRow[]): SightingRow[] {
  return sightings.sort((one, other) => other.lastSeen - one.lastSeen);
}

function fromEntry(deviceHash: string, [inboxHash, firstSeen, lastSeen, count]: InboxEntry): SightingRow {
  return { deviceHash, inboxHash, firstSeen, lastSeen, count };
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
