import {
  DEVICE_CLAIM_COUNTS_MS,
  type DeviceHistory,
  type DeviceTerms,
  judgeDevice,
} from '../model/history.ts';

/**
 * An inbox that a device brought. `blocked`: every answer was `block`. `confirmed`: a backend asked about it or accepted
 * it; otherwise only client keys say so. `network` is the first one that is known.
 */
export type InboxEntry = [
  inbox: string,
  firstSeen: number,
  lastSeen: number,
  count: number,
  blocked: 0 | 1,
  confirmed: 0 | 1,
  network: string | null,
];

/** What a store knows about a device before a request. */
export interface DeviceMemory {
  readonly inboxes: readonly InboxEntry[];
  readonly networks: number;
  readonly knowsNetwork: boolean;
}

export interface DeviceRequest extends DeviceTerms {
  readonly inbox: string;
  readonly network: string | null;
  readonly mistyped: number;
  readonly now: number;
}

/** PostgreSQL’s function `postern_keep_wave_1` computes the same in SQL; the contract suite holds both to it. */
export function deviceHistory(memory: DeviceMemory, request: DeviceRequest): DeviceHistory {
  let blocked = 0;
  let firstSeen: number | null = null;
  let lastSeen: number | null = null;
  let isKnown = false;
  for (const entry of memory.inboxes) {
    if (entry[4] === 1) blocked += 1;
    else if (entry[0] === request.inbox) isKnown = true;
    if (firstSeen === null || entry[1] < firstSeen) firstSeen = entry[1];
    if (lastSeen === null || entry[2] > lastSeen) lastSeen = entry[2];
  }
  const previousSignups = memory.inboxes.length - blocked;
  const otherAddresses = previousSignups - (isKnown ? 1 : 0);
  const networks = memory.networks + (request.network === null || memory.knowsNetwork ? 0 : 1);
  const { people, confirmedPeople } = otherAddresses === 0 ? NOBODY : countPeople(memory.inboxes, request);
  const { overThreshold, flagsOnly, common } = judgeDevice({ people, confirmedPeople, networks }, request);
  return {
    previousSignups,
    otherAddresses,
    people,
    confirmedPeople,
    blockedAttempts: blocked,
    networks,
    overThreshold,
    flagsOnly,
    common,
    firstSeen,
    lastSeen,
  };
}

const NOBODY = { people: 0, confirmedPeople: 0 };

/**
 * As how many people a device’s other sign-ups count. Those from the request’s own network count one by one, those from
 * every other network as one person, and what client keys claimed there only for a while. Otherwise anybody could make a
 * device look reused for everybody who has the same model, with a few requests from one place.
 */
function countPeople(
  inboxes: readonly InboxEntry[],
  { inbox, network, mistyped, now }: DeviceRequest,
): Pick<DeviceHistory, 'people' | 'confirmedPeople'> {
  const people = new Set<string>();
  const confirmed = new Set<string>();
  for (const [other, , lastSeen, , isBlocked, isConfirmed, from] of inboxes) {
    if (isBlocked === 1 || other === inbox) continue;
    const isHere = from !== null && from === network;
    if (isConfirmed === 0 && !isHere && lastSeen < now - DEVICE_CLAIM_COUNTS_MS) continue;
    const who = isHere || from === null ? other : from;
    people.add(who);
    if (isConfirmed === 1) confirmed.add(who);
  }
  return { people: Math.max(0, people.size - mistyped), confirmedPeople: confirmed.size };
}
