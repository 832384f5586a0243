import type { DeviceHistory, History } from '../../model/history.ts';
import type { Connection } from './connection.ts';
import { deviceRows } from './device-rows.ts';
import { inboxRows } from './inbox-rows.ts';

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

/** What a device brought before a sighting, and whether the sighting’s own inbox and network were among it. */
export interface DeviceMemory {
  readonly inboxes: number;
  readonly networks: number;
  readonly firstSeen: number | null;
  readonly lastSeen: number | null;
  readonly knowsInbox: boolean;
  readonly knowsNetwork: boolean;
}

/** What a project remembers of inboxes and devices, read and added to inside a transaction. */
export function remembered(connection: Connection) {
  const seeInbox = inboxRows(connection);
  const seeDevice = deviceRows(connection);
  return (sighting: Sighting): History => ({
    inboxReused: seeInbox(sighting),
    device: sighting.device === null ? null : toHistory(seeDevice(sighting, sighting.device), sighting),
  });
}

function toHistory(memory: DeviceMemory, { network, threshold, commonNetworks }: Sighting): DeviceHistory {
  const otherAddresses = memory.inboxes - (memory.knowsInbox ? 1 : 0);
  const networks = memory.networks + (network === null || memory.knowsNetwork ? 0 : 1);
  const common = networks >= commonNetworks;
  return {
    previousSignups: memory.inboxes,
    otherAddresses,
    networks,
    overThreshold: otherAddresses >= threshold && !common,
    common,
    firstSeen: memory.firstSeen,
    lastSeen: memory.lastSeen,
  };
}
