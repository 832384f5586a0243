import type { SqlValue } from '../database.ts';
import { createBatchRows } from './batch-rows.ts';
import type { Connection } from './connection.ts';
import { type DeviceLists, listsSince, oldestOf } from './device-lists.ts';
import { multiRowInsert, valuesByShared } from './multi-row-insert.ts';

/** A device’s row in a batch. */
export interface DeviceEntry extends DeviceLists {
  readonly project: string;
  readonly device: string;
  /** `null` while there is no row. */
  oldestSeen: number | null;
  /** How to save it: a new row, or the lists of one that exists, with or without `oldestSeen`. `null`: it is saved. */
  write: 'insert' | 'update-with-age' | 'update' | null;
}

type DeviceRow = readonly [
  oldestSeen: number,
  inboxes: DeviceLists['inboxes'],
  networks: DeviceLists['networks'],
];

const LISTS = ['inbox_list', 'network_list'];
const COLUMNS = ['device', 'oldest_seen', ...LISTS];

export function deviceTable(connection: Connection) {
  const rows = createBatchRows<DeviceRow, DeviceEntry>(connection, {
    table: 'device',
    key: 'device',
    columns: ['oldest_seen', ...LISTS],
    toEntry: (project, device, row) => ({
      project,
      device,
      oldestSeen: row?.[0] ?? null,
      inboxes: row?.[1] ?? [],
      networks: row?.[2] ?? [],
      write: null,
    }),
  });
  const write = {
    insert: multiRowInsert(connection, 'device', COLUMNS),
    'update-with-age': multiRowInsert(connection, 'device', COLUMNS, ['oldest_seen', ...LISTS]),
    // SQLite rewrites an index when its column is set, even to the same value; the index by age mostly stays untouched.
    update: multiRowInsert(connection, 'device', COLUMNS, LISTS),
  };

  return {
    load: rows.load,
    get: rows.get,
    /** Writes all pending changes. */
    save(devices: readonly DeviceEntry[]): void {
      const values = {
        insert: valuesByShared(),
        'update-with-age': valuesByShared(),
        update: valuesByShared(),
      };
      for (const entry of devices) {
        if (entry.write) values[entry.write].of(entry.project).push(...valuesOf(entry));
        entry.write = null;
      }
      for (const how of ['insert', 'update-with-age', 'update'] as const) {
        for (const [shared, ofRows] of values[how].lists()) write[how](shared, ofRows);
      }
    },
  };
}

function valuesOf({ device, oldestSeen, inboxes, networks }: DeviceEntry): SqlValue[] {
  return [device, oldestSeen, JSON.stringify(inboxes), JSON.stringify(networks)];
}

/**
 * Drops what was last seen of a device before the cutoff. Returns how many entries were dropped, at least 1 for a row
 * that was due.
 */
export function deviceForgetting(connection: Connection) {
  const where = 'project_id = ? AND device = ?';
  const read = connection.prepare(`SELECT inbox_list, network_list FROM device WHERE ${where}`).raw(true);
  const shorten = connection.prepare(
    `UPDATE device SET oldest_seen = ?, inbox_list = ?, network_list = ? WHERE ${where}`,
  );
  const drop = connection.prepare(`DELETE FROM device WHERE ${where}`);

  return (projectId: string, device: string, cutoff: number): number => {
    const row = read.all(projectId, device)[0] as readonly [string, string] | undefined;
    if (!row) return 0;
    const before: DeviceLists = { inboxes: JSON.parse(row[0]), networks: JSON.parse(row[1]) };
    const left = listsSince(before, cutoff);
    const dropped = sizeOf(before) - sizeOf(left);
    if (sizeOf(left) === 0) drop.run(projectId, device);
    else
      shorten.run(
        oldestOf(left),
        JSON.stringify(left.inboxes),
        JSON.stringify(left.networks),
        projectId,
        device,
      );
    return Math.max(1, dropped);
  };
}

function sizeOf({ inboxes, networks }: DeviceLists): number {
  return inboxes.length + networks.length;
}
