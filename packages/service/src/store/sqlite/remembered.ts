import type { DeviceHistory } from '../../model/history.ts';
import { DAY_MS } from '../rate-rules.ts';
import type { Connection } from './connection.ts';
import { deviceForgetting } from './device-forgetting.ts';

/** One validation’s part in a project’s memory. */
export interface Sighting {
  readonly projectId: string;
  readonly inbox: string;
  readonly spelling: string;
  readonly device: string | null;
  readonly network: string | null;
  readonly threshold: number;
  readonly commonNetworks: number;
  readonly now: number;
  /** What was last seen before this is forgotten. */
  readonly cutoff: number;
  /** `false` for a test key: history is read, nothing is added. */
  readonly keep: boolean;
}

type Summary = readonly [
  inboxes: number,
  networks: number,
  firstSeen: number,
  lastSeen: number,
  oldestSeen: number,
];

/** What a project remembers of inboxes and devices, read and added to inside a transaction. */
export function remembered(connection: Connection) {
  const otherSpelling = connection
    .prepare(
      `SELECT 1 FROM inbox_spelling
       WHERE project_id = ? AND inbox = ? AND spelling <> ? AND last_seen >= ? LIMIT 1`,
    )
    .raw(true);
  const keepSpelling = connection.prepare(
    `INSERT INTO inbox_spelling (project_id, inbox, spelling, last_seen, seen_day) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET last_seen = max(last_seen, excluded.last_seen), seen_day = max(seen_day, excluded.seen_day)`,
  );
  const device = devices(connection);

  return (sighting: Sighting): { device: DeviceHistory | null; inboxReused: boolean } => {
    const { projectId, inbox, spelling, now } = sighting;
    const inboxReused = otherSpelling.all(projectId, inbox, spelling, sighting.cutoff).length > 0;
    if (sighting.keep) keepSpelling.run(projectId, inbox, spelling, now, Math.floor(now / DAY_MS));
    return { device: sighting.device === null ? null : device(sighting, sighting.device), inboxReused };
  };
}

function devices(connection: Connection) {
  const find = connection
    .prepare(
      `SELECT inboxes, networks, first_seen, last_seen, oldest_seen FROM device WHERE project_id = ? AND device = ?`,
    )
    .raw(true);
  const sightingOf = connection
    .prepare('SELECT 1 FROM device_sighting WHERE project_id = ? AND device = ? AND inbox = ?')
    .raw(true);
  const networkOf = connection
    .prepare('SELECT 1 FROM device_network WHERE project_id = ? AND device = ? AND network = ?')
    .raw(true);
  const keepSighting = connection.prepare(
    `INSERT INTO device_sighting (project_id, device, inbox, first_seen, last_seen, count) VALUES (?, ?, ?, ?, ?, 1)
     ON CONFLICT DO UPDATE SET last_seen = max(last_seen, excluded.last_seen), count = count + 1`,
  );
  const keepNetwork = connection.prepare(
    `INSERT INTO device_network (project_id, device, network, last_seen) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET last_seen = max(last_seen, excluded.last_seen)`,
  );
  const save = connection.prepare(
    `INSERT INTO device (project_id, device, inboxes, networks, first_seen, last_seen, oldest_seen)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET inboxes = excluded.inboxes, networks = excluded.networks,
       first_seen = excluded.first_seen, last_seen = excluded.last_seen, oldest_seen = excluded.oldest_seen`,
  );
  const forget = deviceForgetting(connection);

  return (sighting: Sighting, device: string): DeviceHistory => {
    const { projectId, inbox, network, now } = sighting;
    const stored = () => find.all(projectId, device)[0] as Summary | undefined;
    let summary = stored();
    if (summary && summary[4] < sighting.cutoff) {
      forget(projectId, device, sighting.cutoff);
      summary = stored();
    }
    const seenInbox = summary !== undefined && sightingOf.all(projectId, device, inbox).length > 0;
    const seenNetwork =
      network === null || (summary !== undefined && networkOf.all(projectId, device, network).length > 0);
    const inboxes = summary?.[0] ?? 0;
    const networks = (summary?.[1] ?? 0) + (seenNetwork ? 0 : 1);
    if (sighting.keep) {
      keepSighting.run(projectId, device, inbox, now, now);
      if (network !== null) keepNetwork.run(projectId, device, network, now);
      const [, , first, last, oldest] = summary ?? [0, 0, now, now, now];
      const known = inboxes + (seenInbox ? 0 : 1);
      save.run(
        projectId,
        device,
        known,
        networks,
        Math.min(first, now),
        Math.max(last, now),
        Math.min(oldest, now),
      );
    }
    const otherAddresses = inboxes - (seenInbox ? 1 : 0);
    const common = networks >= sighting.commonNetworks;
    return {
      previousSignups: inboxes,
      otherAddresses,
      networks,
      overThreshold: otherAddresses >= sighting.threshold && !common,
      common,
      firstSeen: summary?.[2] ?? null,
      lastSeen: summary?.[3] ?? null,
    };
  };
}
