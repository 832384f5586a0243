import { MAX_OF_DEVICE } from '@postern/contract/project-fields';
import type { DeviceMemory } from '../device-memory.ts';

/** An inbox that a device brought. The last number is present, and 1, if every answer was `block`. */
type InboxEntry = [inbox: string, firstSeen: number, lastSeen: number, count: number, blocked?: 1];
type NetworkEntry = [network: string, lastSeen: number];

/** What is remembered of a device. */
export interface DeviceLists {
  inboxes: InboxEntry[];
  networks: NetworkEntry[];
}

/** What was last seen at the cutoff or later. */
export function listsSince({ inboxes, networks }: DeviceLists, cutoff: number): DeviceLists {
  return {
    inboxes: inboxes.filter(([, , lastSeen]) => lastSeen >= cutoff),
    networks: networks.filter(([, lastSeen]) => lastSeen >= cutoff),
  };
}

export function memoryOf(
  { inboxes, networks }: DeviceLists,
  inbox: string,
  network: string | null,
): DeviceMemory {
  let blocked = 0;
  let firstSeen: number | null = null;
  let lastSeen: number | null = null;
  let ownInbox: DeviceMemory['ownInbox'] = 'new';
  for (const entry of inboxes) {
    if (isBlocked(entry)) blocked += 1;
    if (firstSeen === null || entry[1] < firstSeen) firstSeen = entry[1];
    if (lastSeen === null || entry[2] > lastSeen) lastSeen = entry[2];
    if (entry[0] === inbox) ownInbox = isBlocked(entry) ? 'blocked' : 'signed-up';
  }
  return {
    inboxes: inboxes.length,
    blocked,
    networks: networks.length,
    firstSeen,
    lastSeen,
    ownInbox,
    knowsNetwork: networks.some(([name]) => name === network),
  };
}

/** Adds a request to the lists. PostgreSQL’s functions `postern_keep_wave_1` and `postern_make_room_1` do the same. */
export function addSighting(
  { inboxes, networks }: DeviceLists,
  { inbox, network, now }: { readonly inbox: string; readonly network: string | null; readonly now: number },
  blocked: boolean,
): void {
  const own = inboxes.find(([name]) => name === inbox);
  if (own) {
    own[2] = Math.max(own[2], now);
    own[3] += 1;
    if (own.length > 4 && !blocked) own.length = 4;
  } else {
    makeRoom(inboxes, droppedBefore);
    inboxes.push(blocked ? [inbox, now, now, 1, 1] : [inbox, now, now, 1]);
  }
  if (network === null) return;
  const ownNetwork = networks.find(([name]) => name === network);
  if (ownNetwork) ownNetwork[1] = Math.max(ownNetwork[1], now);
  else {
    makeRoom(networks, ([one, seen], [other, otherSeen]) => precedes(seen, otherSeen, one, other));
    networks.push([network, now]);
  }
}

/** Of what is remembered, the time at which the first was last seen. */
export function oldestOf({ inboxes, networks }: DeviceLists): number {
  return Math.min(...inboxes.map((entry) => entry[2]), ...networks.map((entry) => entry[1]));
}

/**
 * An inbox that was always blocked is dropped before those that signed up, so that nobody can make a device forget
 * them with addresses that are refused. Otherwise the one that was seen longest ago.
 */
function droppedBefore(one: InboxEntry, other: InboxEntry): boolean {
  if (isBlocked(one) !== isBlocked(other)) return isBlocked(one);
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

function isBlocked(entry: InboxEntry): boolean {
  return entry[4] === 1;
}
