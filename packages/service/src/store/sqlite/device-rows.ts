import type { DeviceMemory } from '../device-memory.ts';
import type { Connection } from './connection.ts';
import { deviceForgetting } from './device-forgetting.ts';
import { entries, type InboxEntry, type NetworkEntry } from './device-lists.ts';
import type { Sighting } from './sighting.ts';

/** A device with more inboxes or networks than this gets rows of their own for them. */
const LISTED_IN_ROW = 24;

type DeviceRow = readonly [
  inboxes: number,
  networks: number,
  firstSeen: number,
  lastSeen: number,
  oldestSeen: number,
  inboxList: string | null,
  networkList: string | null,
];

/** Answers what a device brought before, and remembers this sighting of it. */
export function deviceRows(connection: Connection) {
  const find = connection
    .prepare(
      `SELECT inboxes, networks, first_seen, last_seen, oldest_seen, inbox_list, network_list FROM device
       WHERE project_id = ? AND device = ?`,
    )
    .raw(true);
  const save = connection.prepare(
    `INSERT INTO device
       (project_id, device, inboxes, networks, first_seen, last_seen, oldest_seen, inbox_list, network_list)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET inboxes = excluded.inboxes, networks = excluded.networks,
       first_seen = excluded.first_seen, last_seen = excluded.last_seen, oldest_seen = excluded.oldest_seen,
       inbox_list = excluded.inbox_list, network_list = excluded.network_list`,
  );
  const apart = rowsApart(connection);
  const forget = deviceForgetting(connection);
  const rowOf = (projectId: string, device: string) => find.get([projectId, device]) as DeviceRow | undefined;

  const seeListed = (sighting: Sighting, device: string, row: DeviceRow | undefined): DeviceMemory => {
    const { projectId, inbox, network, now, cutoff } = sighting;
    const inboxes = entries<InboxEntry>(row?.[5]).filter((entry) => entry[2] >= cutoff);
    const networks = entries<NetworkEntry>(row?.[6]).filter((entry) => entry[1] >= cutoff);
    const ownInbox = inboxes.find((entry) => entry[0] === inbox);
    const ownNetwork = networks.find((entry) => entry[0] === network);
    const memory = {
      inboxes: inboxes.length,
      networks: networks.length,
      firstSeen: inboxes.length === 0 ? null : Math.min(...inboxes.map((entry) => entry[1])),
      lastSeen: inboxes.length === 0 ? null : Math.max(...inboxes.map((entry) => entry[2])),
      knowsInbox: ownInbox !== undefined,
      knowsNetwork: ownNetwork !== undefined,
    };
    if (!sighting.keep) return memory;
    if (ownInbox) {
      ownInbox[2] = Math.max(ownInbox[2], now);
      ownInbox[3] += 1;
    } else inboxes.push([inbox, now, now, 1]);
    if (ownNetwork) ownNetwork[1] = Math.max(ownNetwork[1], now);
    else if (network !== null) networks.push([network, now]);
    const tooMany = inboxes.length > LISTED_IN_ROW || networks.length > LISTED_IN_ROW;
    if (tooMany) apart.moveOut(projectId, device, inboxes, networks);
    save.run([
      projectId,
      device,
      inboxes.length,
      networks.length,
      Math.min(now, memory.firstSeen ?? now),
      Math.max(now, memory.lastSeen ?? now),
      oldestOf(row, inboxes, networks, cutoff),
      tooMany ? null : JSON.stringify(inboxes),
      tooMany ? null : JSON.stringify(networks),
    ]);
    return memory;
  };

  const seeApart = (sighting: Sighting, device: string, row: DeviceRow): DeviceMemory => {
    const { projectId, inbox, network, now } = sighting;
    const [inboxes, networks, firstSeen, lastSeen, oldestSeen] = row;
    const knowsInbox = apart.hasInbox(projectId, device, inbox);
    const knowsNetwork = network !== null && apart.hasNetwork(projectId, device, network);
    if (sighting.keep) {
      apart.keepInbox(projectId, device, [inbox, now, now, 1]);
      if (network !== null) apart.keepNetwork(projectId, device, [network, now]);
      save.run([
        projectId,
        device,
        inboxes + (knowsInbox ? 0 : 1),
        networks + (network === null || knowsNetwork ? 0 : 1),
        Math.min(firstSeen, now),
        Math.max(lastSeen, now),
        Math.min(oldestSeen, now),
        null,
        null,
      ]);
    }
    return { inboxes, networks, firstSeen, lastSeen, knowsInbox, knowsNetwork };
  };

  return (sighting: Sighting, device: string): DeviceMemory => {
    let row = rowOf(sighting.projectId, device);
    if (row && row[5] === null && row[4] < sighting.cutoff) {
      forget(sighting.projectId, device, sighting.cutoff);
      row = rowOf(sighting.projectId, device);
    }
    return row && row[5] === null ? seeApart(sighting, device, row) : seeListed(sighting, device, row);
  };
}

/** A bound that still holds is left alone, so that its index is not written with every request. */
function oldestOf(
  row: DeviceRow | undefined,
  inboxes: readonly InboxEntry[],
  networks: readonly NetworkEntry[],
  cutoff: number,
): number {
  const exact = Math.min(...inboxes.map((entry) => entry[2]), ...networks.map((entry) => entry[1]));
  return row && row[4] >= cutoff ? Math.min(row[4], exact) : exact;
}

/** The tables for devices that brought much. */
function rowsApart(connection: Connection) {
  const sightingOf = connection
    .prepare('SELECT 1 FROM device_sighting WHERE project_id = ? AND device = ? AND inbox = ?')
    .raw(true);
  const networkOf = connection
    .prepare('SELECT 1 FROM device_network WHERE project_id = ? AND device = ? AND network = ?')
    .raw(true);
  const keepSighting = connection.prepare(
    `INSERT INTO device_sighting (project_id, device, inbox, first_seen, last_seen, count) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET last_seen = max(last_seen, excluded.last_seen), count = count + excluded.count`,
  );
  const saveNetwork = connection.prepare(
    `INSERT INTO device_network (project_id, device, network, last_seen) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET last_seen = max(last_seen, excluded.last_seen)`,
  );
  const keepInbox = (projectId: string, device: string, entry: Readonly<InboxEntry>) => {
    keepSighting.run([projectId, device, ...entry]);
  };
  const keepNetwork = (projectId: string, device: string, entry: Readonly<NetworkEntry>) => {
    saveNetwork.run([projectId, device, ...entry]);
  };
  return {
    hasInbox: (projectId: string, device: string, inbox: string) =>
      sightingOf.get([projectId, device, inbox]) !== undefined,
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
