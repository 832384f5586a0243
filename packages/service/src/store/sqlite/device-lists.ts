import { MAX_OF_DEVICE } from '@postern/contract/project-fields';
import type { DeviceMemory, InboxEntry } from '../device-memory.ts';

type NetworkEntry = [network: string, lastSeen: number];

/** What is remembered of a device. */
export interface DeviceLists {
  inboxes: InboxEntry[];
  networks: NetworkEntry[];
}

/** What was last seen at the cutoff or later. A device without an inbox is forgotten with its networks. */
export function listsSince({ inboxes, networks }: DeviceLists, cutoff: number): DeviceLists {
  const left = inboxes.filter(([, , lastSeen]) => lastSeen >= cutoff);
  return {
    inboxes: left,
    networks: left.length === 0 ? [] : networks.filter(([, lastSeen]) => lastSeen >= cutoff),
  };
}

export function memoryOf({ inboxes, networks }: DeviceLists, network: string | null): DeviceMemory {
  return {
    inboxes,
    networks: networks.length,
    knowsNetwork: networks.some(([name]) => name === network),
  };
}

/** What a request adds to the lists. */
interface NewSighting {
  readonly inbox: string;
  readonly network: string | null;
  /** Whether only a client key says so. */
  readonly isClaim: boolean;
  readonly now: number;
}

/** Adds a request to the lists. PostgreSQL’s functions `postern_keep_wave_1` and `postern_make_room_1` do the same. */
export function addSighting(
  { inboxes, networks }: DeviceLists,
  { inbox, network, isClaim, now }: NewSighting,
  blocked: boolean,
): void {
  const own = inboxes.find(([name]) => name === inbox);
  if (own) {
    own[2] = Math.max(own[2], now);
    own[3] += 1;
    if (!blocked) own[4] = 0;
    if (!isClaim) own[5] = 1;
    own[6] ??= network;
  } else {
    makeRoom(inboxes, droppedBefore);
    inboxes.push([inbox, now, now, 1, blocked ? 1 : 0, isClaim ? 0 : 1, network]);
  }
  if (network === null) return;
  const ownNetwork = networks.find(([name]) => name === network);
  if (ownNetwork) ownNetwork[1] = Math.max(ownNetwork[1], now);
  else {
    makeRoom(networks, ([one, seen], [other, otherSeen]) => precedes(seen, otherSeen, one, other));
    networks.push([network, now]);
  }
}

/**
 * An inbox that was always blocked is dropped before those that signed up, and one that only client keys claimed before
 * those that a backend confirmed, so that nobody can make a device forget them. Otherwise the one that was seen longest
 * ago.
 */
function droppedBefore(one: InboxEntry, other: InboxEntry): boolean {
  if (one[4] !== other[4]) return one[4] === 1;
  if (one[5] !== other[5]) return one[5] === 0;
  return precedes(one[2], other[2], one[0], other[0]);
}

function precedes(seen: number, otherSeen: number, name: string, otherName: string): boolean {
  return seen === otherSeen ? name < otherName : seen < otherSeen;
}

function makeRoom<T>(entries: T[], isBefore: (one: T, other: T) => boolean): void {
  while (entries.length >= MAX_OF_DEVICE) {
    const dropped = entries.reduce((first, entry) => (isBefore(entry, first) ? entry : first));
    entries.splice(entries.indexOf(dropped), 1);
  }
}
