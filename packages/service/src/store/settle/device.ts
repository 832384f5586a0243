import { DAY_MS } from '@postern/contract';
import { MAX_OF_DEVICE } from '@postern/contract/project-fields';
import { isOneOrganisation, isSharedModel, ownShare, type ProjectPeople } from '../../model/crowds.ts';
import {
  type CrowdHistory,
  DEVICE_CLAIM_COUNTS_MS,
  type DeviceHistory,
  judgeDevice,
} from '../../model/history.ts';
import type { Project } from '../../model/project.ts';
import type { Sighting } from '../submission.ts';
import type { RowOf } from '../table-of.ts';
import type { DEVICE, InboxOfDevice } from '../tables/settle-tables.ts';
import {
  CROWD_MS,
  confirmedMark,
  crowdHistory,
  factsOf,
  markedNew,
  marksWith,
  personOf,
  readPerson,
  type SaidOfPerson,
  shortInbox,
  shortName,
  wasNew,
} from './crowd.ts';
import { dayOf } from './inbox.ts';

/** What is remembered of a device. */
export type DeviceRow = Omit<RowOf<typeof DEVICE>, 'projectId'>;

/** What the project knew of the device before the request. */
export function deviceHistory(
  before: DeviceRow | undefined,
  sighting: Sighting,
  { policy, retentionDays }: Pick<Project, 'policy' | 'retentionDays'>,
  everybody: ProjectPeople,
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
  const signedUp = inboxes.filter(([, , , , isBlocked]) => isBlocked === 0);
  const networks = networksOf(signedUp, sighting);
  const { people, confirmedPeople } =
    otherAddresses === 0 ? NO_PEOPLE : countPeople(signedUp, sighting, everybody);
  return {
    previousSignups,
    otherAddresses,
    people,
    confirmedPeople,
    blockedAttempts: blocked,
    networks,
    common: networks >= SEVERAL_NETWORKS && isSharedModel(signedUp.map(asPerson)),
    ...judgeDevice({ people, confirmedPeople }, policy),
    firstSeen,
    lastSeen,
  };
}

const NO_PEOPLE = { people: 0, confirmedPeople: 0 };
/** From this many networks on, people of a device may be strangers who have the same model. */
const SEVERAL_NETWORKS = 3;
/** As many colleagues in one network may have the same machine. */
const MOST_COLLEAGUES = 60;

/** The networks of the people, and the request’s. */
function networksOf(
  entries: readonly InboxOfDevice[],
  { networkHash }: Pick<Sighting, 'networkHash'>,
): number {
  const networks = new Set(entries.map(([, , , , , , network]) => network)).add(networkHash);
  networks.delete(null);
  return networks.size;
}

/**
 * As how many people a device’s other sign-ups count, and those that a backend confirmed, judged alone: what strangers
 * claim never cancels what a backend confirmed. What client keys claimed in other networks counts only for a while.
 */
function countPeople(
  signedUp: readonly InboxOfDevice[],
  sighting: Sighting,
  everybody: ProjectPeople,
): Pick<DeviceHistory, 'people' | 'confirmedPeople'> {
  const { inboxHash, networkHash, mistyped, now } = sighting;
  const others = signedUp.filter(
    ([inbox, , lastSeen, , , isConfirmed, from]) =>
      inbox !== inboxHash &&
      (isConfirmed === 1 ||
        (from !== null && from === networkHash) ||
        lastSeen >= now - DEVICE_CLAIM_COUNTS_MS),
  );
  const confirmed = others.filter(([, , , , , isConfirmed]) => isConfirmed === 1);
  return {
    people: Math.max(0, evidence(others, sighting, everybody) - mistyped),
    confirmedPeople: evidence(confirmed, sighting, everybody),
  };
}

/**
 * People of the request’s own network count one by one, those of every other network as one person. Otherwise an attacker
 * could make a device look reused for everybody who has the same model, with a few requests from one place. A model that
 * several networks have is no evidence if its browser hides the hardware, and else only what is more than chance.
 * Colleagues in one network have machines that are alike.
 */
function evidence(entries: readonly InboxOfDevice[], sighting: Sighting, everybody: ProjectPeople): number {
  const { networkHash } = sighting;
  const people = entries.map(asPerson);
  const isSeveral = networksOf(entries, sighting) >= SEVERAL_NETWORKS;
  if (isSeveral && isSharedModel(people)) return 0;
  const here = entries.filter(([, , , , , , from]) => from === null || from === networkHash);
  const colleagues = [...here.map(asPerson), readPerson(personOf(sighting, false))];
  const isOffice = networkHash !== null && isOneOrganisation(colleagues);
  const elsewhere = networksOf(entries, { networkHash }) - (networkHash === null ? 0 : 1);
  const counted = Math.max(0, here.length - (isOffice ? MOST_COLLEAGUES : 0)) + elsewhere;
  return isSeveral ? Math.max(0, counted - ownShare(people, everybody)) : counted;
}

/** The people who signed up with the device. */
export const peopleOfDevice = ({ inboxes }: DeviceRow) =>
  inboxes.filter(([, , , , isBlocked]) => isBlocked === 0).map(asPerson);

function asPerson(entry: InboxOfDevice) {
  return readPerson(personOfDevice(entry, ''));
}

function personOfDevice(
  [inbox, firstSeen, , , , isConfirmed, network, domain, mail, browser, marks]: InboxOfDevice,
  device: string,
): ReturnType<typeof personOf> {
  const minute = Math.floor(firstSeen / 60_000);
  const said = isConfirmed === 1 ? confirmedMark(marks) : marks;
  return [minute, shortInbox(inbox), shortName(network), device, domain, mail, browser, said];
}

/** The people who were new to the project when they came with the device. */
export function deviceCrowd(
  before: DeviceRow | undefined,
  sighting: Sighting,
  isKnown: boolean,
  everybody: ProjectPeople,
  { crowdDevices }: Pick<Project['policy'], 'crowdDevices'>,
): CrowdHistory | undefined {
  if (before === undefined) return undefined;
  const cutoff = sighting.now - CROWD_MS;
  const newcomers = before.inboxes
    .filter(
      ([, firstSeen, , , blocked, , , , , , marks]) => blocked === 0 && firstSeen >= cutoff && wasNew(marks),
    )
    .toSorted((one, other) => one[1] - other[1]);
  const people = newcomers.map((entry) => personOfDevice(entry, shortName(before.device)));
  const row = { since: newcomers[0]?.[1] ?? sighting.now, older: 0, people };
  const isFull = before.inboxes.length >= MAX_OF_DEVICE;
  const crowd = crowdHistory('device', row, sighting, isKnown, everybody, isFull);
  const isWatched = crowdDevices === 'watch' && crowd?.reason?.rule === 'device-share';
  return isWatched ? { ...crowd, reason: { ...crowd.reason, watched: true } } : crowd;
}

/** How a request was answered. */
export interface Remembered {
  /** The answer was `block`, so it was no sign-up. */
  readonly blocked: boolean;
  /** The inbox is counted for crowds with this request. */
  readonly isNew: boolean;
  /** The request was part of a crowd. */
  readonly accused: boolean;
}

/** The device after a request. */
export function seeDevice(
  before: DeviceRow | undefined,
  device: string,
  sighting: Sighting,
  { blocked, isNew, accused }: Remembered,
  cutoff: number,
): DeviceRow {
  const { inboxHash, networkHash, keyType, now, traits } = sighting;
  const row = before && since(before, cutoff);
  const inboxes = row?.inboxes ?? [];
  const own = inboxes.find(([inbox]) => inbox === inboxHash);
  const isServer = keyType === 'server';
  // What a backend says takes the place of what was claimed before.
  const known = isServer && own?.[5] !== 1 ? undefined : own;
  const [mail, browser, fresh] = factsOf(sighting, accused);
  const marks = known?.[10] ?? (own?.[10] ?? 0) | fresh;
  const seen: InboxOfDevice = [
    inboxHash,
    own?.[1] ?? now,
    Math.max(own?.[2] ?? now, now),
    (own?.[3] ?? 0) + 1,
    blocked && (own === undefined || own[4] === 1) ? 1 : 0,
    isServer || own?.[5] === 1 ? 1 : 0,
    known?.[6] ?? networkHash ?? own?.[6] ?? null,
    own?.[7] ?? shortName(traits.domain),
    known?.[8] ?? mail,
    known?.[9] ?? browser,
    isNew ? markedNew(marks) : marks,
  ];
  return withOldestDay({
    device,
    inboxes: replaced(inboxes, own, seen),
    oldestDay: 0,
  });
}

/** The entries with a new one, or with the new one in place of the old one. If there are too many, one is dropped. */
function replaced(
  entries: readonly InboxOfDevice[],
  old: InboxOfDevice | undefined,
  added: InboxOfDevice,
): readonly InboxOfDevice[] {
  if (old !== undefined) return entries.map((entry) => (entry === old ? added : entry));
  if (entries.length < MAX_OF_DEVICE) return [...entries, added];
  const dropped = entries.reduce((first, entry) => (droppedBefore(entry, first) ? entry : first));
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
  return one[2] === other[2] ? one[0] < other[0] : one[2] < other[2];
}

/** What was last seen at the cutoff or later. A device without an inbox is forgotten. */
export function since(row: DeviceRow, cutoff: number): DeviceRow | undefined {
  const inboxes = row.inboxes.filter(([, , lastSeen]) => lastSeen >= cutoff);
  if (inboxes.length === 0) return undefined;
  return withOldestDay({ ...row, inboxes });
}

/** The device without what it remembers of an inbox; `undefined` if that was all. */
export function withoutInbox(row: DeviceRow, inbox: string): DeviceRow | undefined {
  const inboxes = row.inboxes.filter(([name]) => name !== inbox);
  return inboxes.length === 0 ? undefined : withOldestDay({ ...row, inboxes });
}

/** The device after a backend accepted the person. */
export function confirmed(row: DeviceRow, inbox: string): DeviceRow {
  return withEntry(row, inbox, 5, () => 1);
}

/** The device after the site said something about the person. */
export function deviceWithOutcome(row: DeviceRow, inbox: string, said: SaidOfPerson): DeviceRow {
  return withEntry(row, inbox, 10, (marks) => marksWith(marks, said));
}

/** The device with another number in a place of the inbox’s entry; itself if that is the same. */
function withEntry(
  row: DeviceRow,
  inbox: string,
  place: 5 | 10,
  change: (value: number) => number,
): DeviceRow {
  const at = row.inboxes.findIndex(([name]) => name === inbox);
  const entry = row.inboxes[at];
  const value = entry && change(entry[place]);
  if (entry === undefined || value === undefined || value === entry[place]) return row;
  return { ...row, inboxes: row.inboxes.with(at, entry.with(place, value) as unknown as InboxOfDevice) };
}

function withOldestDay(row: DeviceRow): DeviceRow {
  let oldest = Number.POSITIVE_INFINITY;
  for (const [, , lastSeen] of row.inboxes) oldest = Math.min(oldest, lastSeen);
  return { ...row, oldestDay: dayOf(oldest) };
}
