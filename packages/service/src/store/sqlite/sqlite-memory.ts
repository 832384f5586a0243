import { type Database, integer, json, type Row, statement, text, textOrNull } from '../database.ts';
import { entries, type InboxEntry } from '../device-memory.ts';
import { type Erasure, type ErasureSteps, erasure, keyRanges } from '../erasure.ts';
import { readHistory } from '../read-history.ts';
import type { MemoryStore, SightingRow } from '../store.ts';
import type { StatisticsSteps } from '../tables/statistics-table.ts';

/** Sightings for people to look at, from the device’s own row or from its overflow rows. */
export function sqliteMemory(database: Database): MemoryStore {
  const deviceRow = async (projectId: string, device: string): Promise<Row | undefined> => {
    const rows = await database.browse(
      statement('SELECT inbox_list FROM device WHERE project_id = ? AND device = ?', projectId, device),
    );
    return rows[0];
  };
  const overflow = async (condition: string, ...values: (string | number)[]): Promise<SightingRow[]> => {
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
    if (list === null) return overflow('project_id = ? AND device = ?', projectId, device, limit);
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
            ...(await overflow('project_id = ? AND device = ? AND inbox = ?', projectId, device, inbox, 1)),
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

/** A device may list its inboxes in its own row, and an inbox lists some of its devices. Neither list has an index. */
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
  return {
    async devicesOf(project, inbox) {
      const devices: string[] = [];
      for await (const [after, upTo] of keyRanges(database, 'device', 'device', project)) {
        const rows = await database.browse(
          statement(
            `SELECT device FROM device d WHERE project_id = ? AND device > ? AND device <= ?
             AND (instr(inbox_list, ?) > 0 OR (inbox_list IS NULL AND EXISTS (SELECT 1 FROM device_sighting s
               WHERE s.project_id = d.project_id AND s.device = d.device AND s.inbox = ?)))`,
            project,
            after,
            upTo,
            JSON.stringify(inbox),
            inbox,
          ),
        );
        devices.push(...rows.map((row) => text(row, 'device')));
      }
      return devices;
    },
    unlistInbox(project, device, inbox) {
      const others = 'FROM json_each(device.inbox_list) e WHERE e.value ->> 0 <> ?';
      return statement(
        `UPDATE device SET inbox_list = (SELECT json_group_array(json(e.value)) ${others}),
           inboxes = (SELECT count(*) ${others}),
           blocked = (SELECT count(e.value ->> 4) ${others}),
           first_seen = coalesce((SELECT min(e.value ->> 1) ${others}), first_seen),
           last_seen = coalesce((SELECT max(e.value ->> 2) ${others}), last_seen)
         WHERE project_id = ? AND device = ? AND inbox_list IS NOT NULL`,
        ...[inbox, inbox, inbox, inbox, inbox, project, device],
      );
    },
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
