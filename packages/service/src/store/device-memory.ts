import { type DeviceHistory, type DeviceTerms, judgeDevice } from '../model/history.ts';

/** What a store knows about a device before a request. */
export interface DeviceMemory {
  readonly inboxes: number;
  /** How many of the inboxes were always answered with `block`. */
  readonly blocked: number;
  readonly networks: number;
  readonly firstSeen: number | null;
  readonly lastSeen: number | null;
  /** Whether the request’s own inbox is among them. */
  readonly ownInbox: 'new' | 'blocked' | 'signed-up';
  readonly knowsNetwork: boolean;
}

/** PostgreSQL’s function `postern_keep_wave_1` computes the same in SQL; the contract suite holds both to it. */
export function deviceHistory(
  memory: DeviceMemory,
  request: DeviceTerms & { readonly network: string | null },
): DeviceHistory {
  const previousSignups = memory.inboxes - memory.blocked;
  const otherAddresses = previousSignups - (memory.ownInbox === 'signed-up' ? 1 : 0);
  const networks = memory.networks + (request.network === null || memory.knowsNetwork ? 0 : 1);
  const { overThreshold, common } = judgeDevice({ otherAddresses, networks }, request);
  return {
    previousSignups,
    otherAddresses,
    blockedAttempts: memory.blocked,
    networks,
    overThreshold,
    common,
    firstSeen: memory.firstSeen,
    lastSeen: memory.lastSeen,
  };
}

/** A short list is kept in the device’s own row. The last number is present, and 1, if every answer was `block`. */
export type InboxEntry = [inbox: string, firstSeen: number, lastSeen: number, count: number, blocked?: 1];
export type NetworkEntry = [network: string, lastSeen: number];

export function entries<T>(list: string | null | undefined): T[] {
  return list ? (JSON.parse(list) as T[]) : [];
}

export function isBlocked(entry: InboxEntry): boolean {
  return entry[4] === 1;
}

export function ownInbox(inboxes: readonly InboxEntry[], inbox: string): DeviceMemory['ownInbox'] {
  const entry = inboxes.find(([name]) => name === inbox);
  if (entry === undefined) return 'new';
  return isBlocked(entry) ? 'blocked' : 'signed-up';
}
