import type { DeviceHistory, History } from '../../model/history.ts';
import type { Connection } from './connection.ts';
import { deviceRows } from './device-rows.ts';
import { inboxRows } from './inbox-rows.ts';
import type { DeviceMemory, Sighting } from './sighting.ts';

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
