import type { SqlValue } from '../database.ts';
import type { Connection } from './connection.ts';
import type { InboxEntry, NetworkEntry } from './device-lists.ts';
import { knownRows } from './known-rows.ts';
import { multiRowInsert, valuesByProject } from './multi-row-insert.ts';

/** A device’s row as it is known. */
export interface KnownDevice {
  readonly project: string;
  readonly device: string;
  inboxes: number;
  blocked: number;
  networks: number;
  firstSeen: number;
  lastSeen: number;
  /** `null` while there is no row. */
  oldestSeen: number | null;
  /** Both are `null` when they stand in rows of their own. */
  inboxList: InboxEntry[] | null;
  networkList: NetworkEntry[] | null;
  /** What of it is not written yet: all of a new row, or what a sighting changes, with or without `oldestSeen`. */
  unsaved: 'row' | 'age' | 'sight' | null;
}

/** What the lists say better is left out: to make text of a number costs more than to find the row. */
type DeviceRow =
  | readonly [oldestSeen: number, inboxList: InboxEntry[], networkList: NetworkEntry[]]
  | readonly [
      oldestSeen: number,
      inboxes: number,
      networks: number,
      firstSeen: number,
      lastSeen: number,
      blocked: number,
    ];

const SIGHT = ['inboxes', 'blocked', 'networks', 'first_seen', 'last_seen', 'inbox_list', 'network_list'];
const COLUMNS = ['device', 'oldest_seen', ...SIGHT];

export function deviceTable(connection: Connection) {
  const rows = knownRows<DeviceRow, KnownDevice>(connection, {
    table: 'device',
    key: 'device',
    columns: [
      'oldest_seen',
      `coalesce(inbox_list || ',' || network_list,
         inboxes || ',' || networks || ',' || first_seen || ',' || last_seen || ',' || blocked)`,
    ],
    known,
  });
  const write = {
    row: multiRowInsert(connection, 'device', COLUMNS),
    age: multiRowInsert(connection, 'device', COLUMNS, ['oldest_seen', ...SIGHT]),
    // SQLite writes an index again whose column is set, even to what it was; that of the ages is mostly left alone.
    sight: multiRowInsert(connection, 'device', COLUMNS, SIGHT),
  };

  return {
    rows,
    /** Writes what of them is not written yet. */
    save(devices: readonly KnownDevice[]): void {
      const values = { row: valuesByProject(), age: valuesByProject(), sight: valuesByProject() };
      for (const device of devices) {
        if (device.unsaved) addValues(values[device.unsaved].of(device.project), device);
        device.unsaved = null;
      }
      for (const part of ['row', 'age', 'sight'] as const) {
        for (const [project, unsaved] of values[part].projects) write[part](project, unsaved);
      }
    },
  };
}

function known(project: string, device: string, row: DeviceRow | undefined): KnownDevice {
  const unseen = {
    project,
    device,
    inboxes: 0,
    blocked: 0,
    networks: 0,
    firstSeen: 0,
    lastSeen: 0,
    oldestSeen: null,
    inboxList: [],
    networkList: [],
    unsaved: null,
  };
  if (!row) return unseen;
  if (row.length === 3) {
    const [oldestSeen, inboxList, networkList] = row;
    return { ...unseen, oldestSeen, inboxList, networkList };
  }
  const [oldestSeen, inboxes, networks, firstSeen, lastSeen, blocked] = row;
  return {
    ...unseen,
    oldestSeen,
    inboxes,
    blocked,
    networks,
    firstSeen,
    lastSeen,
    inboxList: null,
    networkList: null,
  };
}

function addValues(values: SqlValue[], device: KnownDevice): void {
  values.push(
    device.device,
    device.oldestSeen,
    device.inboxes,
    device.blocked,
    device.networks,
    device.firstSeen,
    device.lastSeen,
    device.inboxList && JSON.stringify(device.inboxList),
    device.networkList && JSON.stringify(device.networkList),
  );
}
