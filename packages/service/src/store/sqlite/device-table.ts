import type { SqlValue } from '../database.ts';
import {
  type DeviceMemory,
  entries,
  type InboxEntry,
  isBlocked,
  type NetworkEntry,
} from '../device-memory.ts';
import { createBatchRows } from './batch-rows.ts';
import type { Connection } from './connection.ts';
import { multiRowInsert, valuesByShared } from './multi-row-insert.ts';

/** A device’s row in a batch. */
export interface DeviceEntry {
  readonly project: string;
  readonly device: string;
  inboxes: number;
  blocked: number;
  networks: number;
  firstSeen: number;
  lastSeen: number;
  /** `null` while there is no row. */
  oldestSeen: number | null;
  /** Both are `null` when the device has overflow rows. */
  inboxList: InboxEntry[] | null;
  networkList: NetworkEntry[] | null;
  /** What is not written yet: all of a new row, or what a sighting changes, with or without `oldestSeen`. */
  unsaved: 'row' | 'age' | 'sighting' | null;
}

/**
 * Numbers that follow from the lists are left out, because turning a number into text costs more than finding the row.
 */
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

const SIGHTING_COLUMNS = [
  'inboxes',
  'blocked',
  'networks',
  'first_seen',
  'last_seen',
  'inbox_list',
  'network_list',
];
const COLUMNS = ['device', 'oldest_seen', ...SIGHTING_COLUMNS];

export function deviceTable(connection: Connection) {
  const rows = createBatchRows<DeviceRow, DeviceEntry>(connection, {
    table: 'device',
    key: 'device',
    columns: [
      'oldest_seen',
      `coalesce(inbox_list || ',' || network_list,
         inboxes || ',' || networks || ',' || first_seen || ',' || last_seen || ',' || blocked)`,
    ],
    toEntry,
  });
  const write = {
    row: multiRowInsert(connection, 'device', COLUMNS),
    age: multiRowInsert(connection, 'device', COLUMNS, ['oldest_seen', ...SIGHTING_COLUMNS]),
    // SQLite rewrites an index when its column is set, even to the same value; the index by age mostly stays untouched.
    sighting: multiRowInsert(connection, 'device', COLUMNS, SIGHTING_COLUMNS),
  };

  return {
    rows,
    /** Writes all pending changes. */
    save(devices: readonly DeviceEntry[]): void {
      const values = { row: valuesByShared(), age: valuesByShared(), sighting: valuesByShared() };
      for (const device of devices) {
        if (device.unsaved) addValues(values[device.unsaved].of(device.project), device);
        device.unsaved = null;
      }
      for (const part of ['row', 'age', 'sighting'] as const) {
        for (const [shared, unsaved] of values[part].lists()) write[part](shared, unsaved);
      }
    },
  };
}

function toEntry(project: string, device: string, row: DeviceRow | undefined): DeviceEntry {
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

function addValues(values: SqlValue[], device: DeviceEntry): void {
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

/** The tables for devices with more inboxes or networks than fit into their own row. */
export function deviceOverflow(connection: Connection) {
  const sightingOf = connection
    .prepare('SELECT blocked FROM device_sighting WHERE project_id = ? AND device = ? AND inbox = ?')
    .raw(true);
  const networkOf = connection
    .prepare('SELECT 1 FROM device_network WHERE project_id = ? AND device = ? AND network = ?')
    .raw(true);
  const keepSighting = connection.prepare(
    `INSERT INTO device_sighting (project_id, device, inbox, first_seen, last_seen, count, blocked)
       VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET last_seen = max(last_seen, excluded.last_seen), count = count + excluded.count,
       blocked = min(blocked, excluded.blocked)`,
  );
  const saveNetwork = connection.prepare(
    `INSERT INTO device_network (project_id, device, network, last_seen) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET last_seen = max(last_seen, excluded.last_seen)`,
  );
  const keepInbox = (projectId: string, device: string, entry: Readonly<InboxEntry>) => {
    const [inbox, firstSeen, lastSeen, count, blocked = 0] = entry;
    keepSighting.run([projectId, device, inbox, firstSeen, lastSeen, count, blocked]);
  };
  const keepNetwork = (projectId: string, device: string, entry: Readonly<NetworkEntry>) => {
    saveNetwork.run([projectId, device, ...entry]);
  };
  return {
    ownInbox(projectId: string, device: string, inbox: string): DeviceMemory['ownInbox'] {
      const row = sightingOf.get([projectId, device, inbox]) as readonly [blocked: number] | undefined;
      if (row === undefined) return 'new';
      return row[0] === 1 ? 'blocked' : 'signed-up';
    },
    hasNetwork: (projectId: string, device: string, network: string) =>
      networkOf.get([projectId, device, network]) !== undefined,
    keepInbox,
    keepNetwork,
    moveOut(
      projectId: string,
      device: string,
      inboxes: readonly InboxEntry[],
      networks: readonly NetworkEntry[],
    ) {
      for (const entry of inboxes) keepInbox(projectId, device, entry);
      for (const entry of networks) keepNetwork(projectId, device, entry);
    },
  };
}

/** The first sighting is searched among this many: exact for every device except a bot’s. */
const MAX_SIGHTINGS_READ = 1_000;

/**
 * Drops what was last seen of a device before the cutoff and corrects its row. Returns how many entries were dropped,
 * at least 1 for a row that was due. With a limit it may stop early: the row is correct then too, and `oldest_seen`
 * says that there is more to drop.
 */
export function deviceForgetting(connection: Connection) {
  const where = 'project_id = ? AND device = ?';
  const lists = connection.prepare(`SELECT inbox_list, network_list FROM device WHERE ${where}`).raw(true);
  const shorten = connection.prepare(
    `UPDATE device SET inboxes = ?, blocked = ?, networks = ?, first_seen = ?, oldest_seen = ?, inbox_list = ?,
       network_list = ? WHERE ${where}`,
  );
  const drop = connection.prepare(`DELETE FROM device WHERE ${where}`);
  const forgetOverflow = overflowForgetting(connection);

  return (projectId: string, device: string, cutoff: number, limit = -1): number => {
    const row = lists.all(projectId, device)[0] as readonly [string | null, string | null] | undefined;
    if (!row) return 0;
    if (row[0] === null) return forgetOverflow(projectId, device, cutoff, limit);
    const before = { inboxes: entries<InboxEntry>(row[0]), networks: entries<NetworkEntry>(row[1]) };
    const inboxes = before.inboxes.filter((entry) => entry[2] >= cutoff);
    const networks = before.networks.filter((entry) => entry[1] >= cutoff);
    if (inboxes.length === 0) {
      drop.run(projectId, device);
      return before.inboxes.length + before.networks.length;
    }
    shorten.run(
      inboxes.length,
      inboxes.filter(isBlocked).length,
      networks.length,
      Math.min(...inboxes.map((entry) => entry[1])),
      Math.min(...inboxes.map((entry) => entry[2]), ...networks.map((entry) => entry[1])),
      JSON.stringify(inboxes),
      JSON.stringify(networks),
      projectId,
      device,
    );
    return Math.max(1, before.inboxes.length + before.networks.length - inboxes.length - networks.length);
  };
}

function overflowForgetting(connection: Connection) {
  const where = 'project_id = ? AND device = ?';
  const dropFrom = (table: string, column: string, returned: string) =>
    connection
      .prepare(
        `DELETE FROM ${table} WHERE ${where} AND ${column} IN
         (SELECT ${column} FROM ${table} WHERE ${where} AND last_seen < ? ORDER BY last_seen LIMIT ?) RETURNING ${returned}`,
      )
      .raw(true);
  const dropSightings = dropFrom('device_sighting', 'inbox', 'blocked');
  const dropNetworks = dropFrom('device_network', 'network', '0');
  const oldestOf = (table: string) =>
    connection.prepare(`SELECT last_seen FROM ${table} WHERE ${where} ORDER BY last_seen LIMIT 1`).raw(true);
  const oldestSighting = oldestOf('device_sighting');
  const oldestNetwork = oldestOf('device_network');
  const firstSeen = connection
    .prepare(
      `SELECT min(first_seen) FROM
         (SELECT first_seen FROM device_sighting WHERE ${where} ORDER BY last_seen LIMIT ${MAX_SIGHTINGS_READ})`,
    )
    .raw(true);
  const correct = connection.prepare(
    `UPDATE device SET inboxes = inboxes - ?, blocked = blocked - ?, networks = networks - ?, first_seen = ?, oldest_seen = ? WHERE ${where}`,
  );
  const drop = connection.prepare(`DELETE FROM device WHERE ${where}`);
  const number = (rows: unknown[]) => (rows[0] as readonly [number | null] | undefined)?.[0] ?? null;

  return (projectId: string, device: string, cutoff: number, limit: number): number => {
    const key = [projectId, device];
    const dropped = dropSightings.all(...key, ...key, cutoff, limit) as (readonly [blocked: number])[];
    const sightings = dropped.length;
    const blocked = dropped.filter(([isBlocked]) => isBlocked === 1).length;
    const networks = dropNetworks.all(...key, ...key, cutoff, limit).length;
    const sighting = number(oldestSighting.all(...key));
    const network = number(oldestNetwork.all(...key));
    if (sighting === null && network === null) drop.run(...key);
    else {
      const oldest = Math.min(sighting ?? Number.MAX_SAFE_INTEGER, network ?? Number.MAX_SAFE_INTEGER);
      correct.run(sightings, blocked, networks, number(firstSeen.all(...key)) ?? oldest, oldest, ...key);
    }
    return Math.max(1, sightings + networks);
  };
}
