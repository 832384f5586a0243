import type { DeviceHistory } from '../model/history.ts';

/** What a device brought before a sighting, and whether the sighting’s own inbox and network were among it. */
export interface DeviceMemory {
  readonly inboxes: number;
  readonly networks: number;
  readonly firstSeen: number | null;
  readonly lastSeen: number | null;
  readonly knowsInbox: boolean;
  readonly knowsNetwork: boolean;
}

/** The sighting’s terms: where it came from, and from when on the project minds. */
export interface DeviceTerms {
  readonly network: string | null;
  readonly threshold: number;
  readonly commonNetworks: number;
}

/** What the memory means under these terms. PostgreSQL’s function says the same in SQL; the contract suite holds both. */
export function deviceHistory(
  memory: DeviceMemory,
  { network, threshold, commonNetworks }: DeviceTerms,
): DeviceHistory {
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
