import type { SqlValue } from '../database.ts';
import type { Connection } from './connection.ts';
import type { InboxEntry, NetworkEntry } from './device-lists.ts';
import { rowReader } from './known-rows.ts';
import { multiRowInsert } from './multi-row-insert.ts';

/** A device’s row as the batch knows it. */
export interface KnownDevice {
  readonly project: string;
  readonly device: string;
  inboxes: number;
  networks: number;
  firstSeen: number;
  lastSeen: number;
  /** `null` while there is no row. */
  oldestSeen: number | null;
  /** Both are `null` when they stand in rows of their own. */
  inboxList: InboxEntry[] | null;
  networkList: NetworkEntry[] | null;
  unsaved: boolean;
  /** Whether `oldestSeen` is another than in the table. */
  ageUnsaved: boolean;
}

type DeviceRow = readonly [
  inboxes: number,
  networks: number,
  firstSeen: number,
  lastSeen: number,
  oldestSeen: number,
  inboxList: InboxEntry[] | null,
  networkList: NetworkEntry[] | null,
];

const SIGHT = ['inboxes', 'networks', 'first_seen', 'last_seen', 'inbox_list', 'network_list'];
const COLUMNS = ['project_id', 'device', 'oldest_seen', ...SIGHT];

export function deviceTable(connection: Connection) {
  const read = rowReader<DeviceRow, KnownDevice>(connection, {
    table: 'device',
    key: 'device',
    columns: [
      'inboxes',
      'networks',
      'first_seen',
      'last_seen',
      'oldest_seen',
      "coalesce(inbox_list, 'null')",
      "coalesce(network_list, 'null')",
    ],
    known,
  });
  const overwriting = (columns: readonly string[]) =>
    `ON CONFLICT DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`;
  const saveWithAge = multiRowInsert(connection, 'device', COLUMNS, overwriting(['oldest_seen', ...SIGHT]));
  // SQLite writes an index again whose column is set, even to what it was; that of the ages is mostly left alone.
  const saveSight = multiRowInsert(connection, 'device', COLUMNS, overwriting(SIGHT));

  return {
    read,
    /** Writes those that changed. */
    save(devices: Iterable<KnownDevice>): void {
      const withAge: SqlValue[] = [];
      const sight: SqlValue[] = [];
      for (const device of devices) {
        if (!device.unsaved) continue;
        addValues(device.ageUnsaved ? withAge : sight, device);
        device.unsaved = false;
        device.ageUnsaved = false;
      }
      saveWithAge(withAge);
      saveSight(sight);
    },
  };
}

function known(project: string, device: string, row: DeviceRow | undefined): KnownDevice {
  const [inboxes, networks, firstSeen, lastSeen, oldestSeen, inboxList, networkList] = row ?? NO_ROW;
  return {
    project,
    device,
    inboxes,
    networks,
    firstSeen,
    lastSeen,
    oldestSeen: row ? oldestSeen : null,
    inboxList: row ? inboxList : [],
    networkList: row ? networkList : [],
    unsaved: false,
    ageUnsaved: false,
  };
}

const NO_ROW: DeviceRow = [0, 0, 0, 0, 0, null, null];

function addValues(values: SqlValue[], device: KnownDevice): void {
  values.push(
    device.project,
    device.device,
    device.oldestSeen,
    device.inboxes,
    device.networks,
    device.firstSeen,
    device.lastSeen,
    device.inboxList && JSON.stringify(device.inboxList),
    device.networkList && JSON.stringify(device.networkList),
  );
}
