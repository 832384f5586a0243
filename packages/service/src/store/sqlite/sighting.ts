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
