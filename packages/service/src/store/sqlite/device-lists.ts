import type { DeviceMemory } from '../device-memory.ts';

/** What a device’s own row lists while it is little. The last number is there, and 1, if every answer was `block`. */
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
