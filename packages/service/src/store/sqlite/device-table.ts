import type { SqlValue } from '../database.ts';
import { createBatchRows } from './batch-rows.ts';
import type { Connection } from './connection.ts';
import { type DeviceLists, listsSince } from './device-lists.ts';
import { multiRowInsert, valuesByShared } from './multi-row-insert.ts';

/** A device’s row in a batch. */
export interface DeviceEntry extends DeviceLists {
  readonly project: string;
  readonly device: string;
  /** Whether there is a row already. */
  isStored: boolean;
}

type DeviceRow = readonly [inboxes: DeviceLists['inboxes'], networks: DeviceLists['networks']];

const LISTS = ['inbox_list', 'network_list'];
const COLUMNS = ['device', ...LISTS];

export function deviceTable(connection: Connection) {
  const rows = createBatchRows<DeviceRow, DeviceEntry>(connection, {
    table: 'device',
    key: 'device',
    columns: LISTS,
    toEntry: (project, device, row) => ({
      project,
      device,
      isStored: row !== undefined,
      inboxes: row?.[0] ?? [],
      networks: row?.[1] ?? [],
    }),
  });
  const add = multiRowInsert(connection, 'device', COLUMNS);
  const update = multiRowInsert(connection, 'device', COLUMNS, LISTS);

  return {
    load: rows.load,
    get: rows.get,
    save(devices: Iterable<DeviceEntry>): void {
      const added = valuesByShared();
      const updated = valuesByShared();
      for (const entry of devices) {
        (entry.isStored ? updated : added).of(entry.project).push(...valuesOf(entry));
        entry.isStored = true;
      }
      for (const [shared, values] of added.lists()) add(shared, values);
      for (const [shared, values] of updated.lists()) update(shared, values);
    },
  };
}

function valuesOf({ device, inboxes, networks }: DeviceEntry): SqlValue[] {
  return [device, JSON.stringify(inboxes), JSON.stringify(networks)];
}

/** Drops what was last seen of a device before the cutoff. Returns how many entries were dropped. */
export function deviceForgetting(connection: Connection) {
  const where = 'project_id = ? AND device = ?';
  const read = connection.prepare(`SELECT inbox_list, network_list FROM device WHERE ${where}`).raw(true);
  const shorten = connection.prepare(`UPDATE device SET inbox_list = ?, network_list = ? WHERE ${where}`);
  const drop = connection.prepare(`DELETE FROM device WHERE ${where}`);

  return (projectId: string, device: string, cutoff: number): number => {
    const row = read.all(projectId, device)[0] as readonly [string, string] | undefined;
    if (!row) return 0;
    const before: DeviceLists = { inboxes: JSON.parse(row[0]), networks: JSON.parse(row[1]) };
    const left = listsSince(before, cutoff);
    const dropped = sizeOf(before) - sizeOf(left);
    if (sizeOf(left) === 0) drop.run(projectId, device);
    else if (dropped > 0)
      shorten.run(JSON.stringify(left.inboxes), JSON.stringify(left.networks), projectId, device);
    return dropped;
  };
}

function sizeOf({ inboxes, networks }: DeviceLists): number {
  return inboxes.length + networks.length;
}
