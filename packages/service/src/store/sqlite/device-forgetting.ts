import type { Connection } from './connection.ts';
import { entries, type InboxEntry, isBlocked, type NetworkEntry } from './device-lists.ts';

/** The first sighting that is left is looked for among so many: exact for any device but a robot’s. */
const SIGHTINGS_LOOKED_AT = 1_000;

/**
 * Drops what a device brought before the cutoff and puts its row right; answers how many entries went, at least
 * 1 for the look at a row that was due. With a limit it may stop early: the row is right then too, and says
 * that there is more to drop.
 */
export function deviceForgetting(connection: Connection) {
  const where = 'project_id = ? AND device = ?';
  const lists = connection.prepare(`SELECT inbox_list, network_list FROM device WHERE ${where}`).raw(true);
  const shorten = connection.prepare(
    `UPDATE device SET inboxes = ?, blocked = ?, networks = ?, first_seen = ?, oldest_seen = ?, inbox_list = ?,
       network_list = ? WHERE ${where}`,
  );
  const drop = connection.prepare(`DELETE FROM device WHERE ${where}`);
  const forgetApart = forgettingApart(connection);

  return (projectId: string, device: string, cutoff: number, limit = -1): number => {
    const row = lists.all(projectId, device)[0] as readonly [string | null, string | null] | undefined;
    if (!row) return 0;
    if (row[0] === null) return forgetApart(projectId, device, cutoff, limit);
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

function forgettingApart(connection: Connection) {
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
         (SELECT first_seen FROM device_sighting WHERE ${where} ORDER BY last_seen LIMIT ${SIGHTINGS_LOOKED_AT})`,
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
