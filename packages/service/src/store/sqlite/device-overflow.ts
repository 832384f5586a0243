import type { DeviceMemory } from '../device-memory.ts';
import type { Connection } from './connection.ts';
import type { InboxEntry, NetworkEntry } from './device-lists.ts';

/** The tables for devices that brought much. */
export function rowsApart(connection: Connection) {
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
