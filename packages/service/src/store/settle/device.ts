import { DAY_MS } from '@postern/contract';
import { MAX_OF_DEVICE } from '@postern/contract/project-fields';
import { DEVICE_CLAIM_COUNTS_MS, type DeviceHistory, deviceTerms, judgeDevice } from '../../model/history.ts';
import type { Project } from '../../model/project.ts';
import type { Sighting } from '../submission.ts';
import { dayOf } from './inbox.ts';

/**
 * An inbox that a device brought. `blocked`: every answer was `block`. `confirmed`: a backend asked about it or accepted
 * it; otherwise only client keys say so. `network` is the first one that is known.
 */
type InboxOfDevice = readonly [
  inbox: string,
  firstSeen: number,
  lastSeen: number,
  count: number,
  blocked: 0 | 1,
  confirmed: 0 | 1,
  network: string | null,
];

/** What is remembered of a device: at most `MAX_OF_DEVICE` inboxes and as many networks. */
export interface DeviceRow {
  readonly device: string;
  readonly inboxes: readonly InboxOfDevice[];
  readonly networks: readonly (readonly [network: string, lastSeen: number])[];
  /** The day on which the oldest part was last seen. By it the sweep finds what is to be forgotten. */
  readonly oldestDay: number;
}

/** What the project knew of the device before the request. */
export function deviceHistory(
  before: DeviceRow | undefined,
  sighting: Sighting,
  { policy, retentionDays }: Pick<Project, 'policy' | 'retentionDays'>,
): DeviceHistory {
  const row = before && since(before, sighting.now - retentionDays * DAY_MS);
  const inboxes = row?.inboxes ?? [];
  let blocked = 0;
  let firstSeen: number | null = null;
  let lastSeen: number | null = null;
  let isKnown = false;
  for (const [inbox, first, last, , isBlocked] of inboxes) {
    if (isBlocked === 1) blocked += 1;
    else if (inbox === sighting.inboxHash) isKnown = true;
    firstSeen = Math.min(firstSeen ?? first, first);
    lastSeen = Math.max(lastSeen ?? last, last);
  }
  const previousSignups = inboxes.length - blocked;
  const otherAddresses = previousSignups - (isKnown ? 1 : 0);
  const { networkHash } = sighting;
  const known = row?.networks ?? [];
  const isNew = networkHash !== null && !known.some(([network]) => network === networkHash);
  const networks = known.length + (isNew ? 1 : 0);
  const { people, confirmedPeople } =
    otherAddresses === 0 ? { people: 0, confirmedPeople: 0 } : countPeople(inboxes, sighting);
  return {
    previousSignups,
    otherAddresses,
    people,
    confirmedPeople,
    blockedAttempts: blocked,
    networks,
    ...judgeDevice({ people, confirmedPeople, networks }, deviceTerms(policy)),
    firstSeen,
    lastSeen,
  };
}

/**
 * As how many people a device’s other sign-ups count. Those from the request’s own network count one by one, those from
 * every other network as one person, and what client keys claimed there only for a while. Otherwise an attacker could
 * make a device look reused for everybody who has the same model, with a few requests from one place.
 */
function countPeople(
  inboxes: readonly InboxOfDevice[],
  { inboxHash, networkHash, mistyped, now }: Sighting,
): Pick<DeviceHistory, 'people' | 'confirmedPeople'> {
  const people = new Set<string>();
  const confirmed = new Set<string>();
  for (const [other, , lastSeen, , isBlocked, isConfirmed, from] of inboxes) {
    if (isBlocked === 1 || other === inboxHash) continue;
    const isHere = from !== null && from === networkHash;
    if (isConfirmed === 0 && !isHere && lastSeen < now - DEVICE_CLAIM_COUNTS_MS) continue;
    const who = isHere || from === null ? other : from;
    people.add(who);
    if (isConfirmed === 1) confirmed.add(who);
  }
  return { people: Math.max(0, people.size - mistyped), confirmedPeople: confirmed.size };
}

/** The device after a request. `blocked`: the answer was `block`, so nobody signed up. */
export function seeDevice(
  before: DeviceRow | undefined,
  device: string,
  { inboxHash, networkHash, keyType, now }: Sighting,
  blocked: boolean,
  cutoff: number,
): DeviceRow {
  const row = before && since(before, cutoff);
  const inboxes = row?.inboxes ?? [];
  const networks = row?.networks ?? [];
  const own = inboxes.find(([inbox]) => inbox === inboxHash);
  const seen: InboxOfDevice = [
    inboxHash,
    own?.[1] ?? now,
    Math.max(own?.[2] ?? now, now),
    (own?.[3] ?? 0) + 1,
    blocked && (own === undefined || own[4] === 1) ? 1 : 0,
    keyType === 'server' || own?.[5] === 1 ? 1 : 0,
    own?.[6] ?? networkHash,
  ];
  const ownNetwork = networks.find(([network]) => network === networkHash);
  return withOldestDay({
    device,
    inboxes: replaced(inboxes, own, seen, droppedBefore),
    networks:
      networkHash === null
        ? networks
        : replaced(networks, ownNetwork, [networkHash, Math.max(ownNetwork?.[1] ?? now, now)], (one, other) =>
            precedes(one[1], other[1], one[0], other[0]),
          ),
    oldestDay: 0,
  });
}

/** The entries with a new one, or with the new one in place of the old one. If there are too many, one is dropped. */
function replaced<Entry>(
  entries: readonly Entry[],
  old: Entry | undefined,
  added: Entry,
  isBefore: (one: Entry, other: Entry) => boolean,
): readonly Entry[] {
  if (old !== undefined) return entries.map((entry) => (entry === old ? added : entry));
  if (entries.length < MAX_OF_DEVICE) return [...entries, added];
  const dropped = entries.reduce((first, entry) => (isBefore(entry, first) ? entry : first));
  return [...entries.filter((entry) => entry !== dropped), added];
}

/**
 * An inbox that was always blocked is dropped before those that signed up, and one that only client keys claimed before
 * those that a backend confirmed, so that an attacker cannot make a device forget them. Otherwise the one that was seen
 * longest ago.
 */
function droppedBefore(one: InboxOfDevice, other: InboxOfDevice): boolean {
  if (one[4] !== other[4]) return one[4] === 1;
  if (one[5] !== other[5]) return one[5] === 0;
  return precedes(one[2], other[2], one[0], other[0]);
}

function precedes(seen: number, otherSeen: number, name: string, otherName: string): boolean {
  return seen === otherSeen ? name < otherName : seen < otherSeen;
}

/** What was last seen at the cutoff or later. A device without an inbox is forgotten with its networks. */
export function since(row: DeviceRow, cutoff: number): DeviceRow | undefined {
  const inboxes = row.inboxes.filter(([, , lastSeen]) => lastSeen >= cutoff);
  if (inboxes.length === 0) return undefined;
  return withOldestDay({ ...row, inboxes, networks: row.networks.filter(([, seen]) => seen >= cutoff) });
}

/** The device without what it remembers of an inbox; `undefined` if that was all. */
export function withoutInbox(row: DeviceRow, inbox: string): DeviceRow | undefined {
  const inboxes = row.inboxes.filter(([name]) => name !== inbox);
  return inboxes.length === 0 ? undefined : withOldestDay({ ...row, inboxes });
}

/** The device after a backend accepted the person. */
export function confirmed(row: DeviceRow, inbox: string): DeviceRow {
  return {
    ...row,
    inboxes: row.inboxes.map((entry): InboxOfDevice => {
      if (entry[0] !== inbox) return entry;
      const [name, first, last, count, blocked, , network] = entry;
      return [name, first, last, count, blocked, 1, network];
    }),
  };
}

function withOldestDay(row: DeviceRow): DeviceRow {
  let oldest = Number.POSITIVE_INFINITY;
  for (const [, , lastSeen] of row.inboxes) oldest = Math.min(oldest, lastSeen);
  for (const [, lastSeen] of row.networks) oldest = Math.min(oldest, lastSeen);
  return { ...row, oldestDay: dayOf(oldest) };
}
