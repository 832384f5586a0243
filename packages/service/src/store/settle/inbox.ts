import { DAY_MS } from '@postern/contract';
import { CLAIM_COUNTS_MS } from '../../model/history.ts';
import type { Project } from '../../model/project.ts';
import type { Sighting } from '../submission.ts';
import type { RowOf } from '../table-of.ts';
import type { INBOX } from '../tables/settle-tables.ts';

/** An inbox remembers this many devices. A device beyond them does not remember the inbox either. */
const MAX_DEVICES_OF_INBOX = 200;

export type InboxRow = Omit<RowOf<typeof INBOX>, 'projectId'>;

export const dayOf = (at: number): number => Math.floor(at / DAY_MS);

interface KnownSpelling {
  readonly spelling: string;
  readonly seenAt: number;
  readonly claimedFrom: string | null;
}

function spellingsOf(row: InboxRow | undefined): readonly KnownSpelling[] {
  if (row === undefined) return [];
  const last = { spelling: row.spelling, seenAt: row.lastSeen, claimedFrom: row.claimedFrom };
  if (row.otherSpelling === null || row.otherSeen === null) return [last];
  return [last, { spelling: row.otherSpelling, seenAt: row.otherSeen, claimedFrom: row.otherClaimedFrom }];
}

/** Whether the inbox was seen before under another spelling that counts. */
export function isReused(
  row: InboxRow | undefined,
  { spellingHash, networkHash, now }: Sighting,
  { policy, retentionDays }: Pick<Project, 'policy' | 'retentionDays'>,
): boolean {
  const cutoff = now - retentionDays * DAY_MS;
  return spellingsOf(row).some(({ spelling, seenAt, claimedFrom }) => {
    if (spelling === spellingHash || seenAt < cutoff) return false;
    if (claimedFrom === null) return true;
    // What only a client key claimed must not block anybody.
    if (policy.actions.alias === 'block') return false;
    return claimedFrom === networkHash || seenAt >= now - CLAIM_COUNTS_MS;
  });
}

/**
 * The inbox after a request. Claims never push out a confirmed spelling: otherwise an attacker who claims spellings of
 * his own inbox would get rid of the one that he signed up with.
 */
export function seeInbox(
  before: InboxRow | undefined,
  { inboxHash, spellingHash, deviceHash, networkHash, keyType, now }: Sighting,
  cutoff: number,
): InboxRow {
  const row = before && sinceCutoff(before, cutoff);
  const known = spellingsOf(row);
  const own = known.find(({ spelling }) => spelling === spellingHash);
  const isConfirmed = keyType === 'server' || own?.claimedFrom === null;
  const others = known.filter(({ spelling }) => spelling !== spellingHash);
  const other = others.find(({ claimedFrom }) => claimedFrom === null) ?? others[0];
  return withOldestDay({
    inbox: inboxHash,
    spelling: spellingHash,
    lastSeen: Math.max(now, row?.lastSeen ?? now),
    claimedFrom: isConfirmed ? null : (networkHash ?? ''),
    otherSpelling: other?.spelling ?? null,
    otherSeen: other?.seenAt ?? null,
    otherClaimedFrom: other?.claimedFrom ?? null,
    firstSeen: row?.firstSeen ?? now,
    devices: withDevice(row?.devices ?? [], deviceHash, now),
    joinedAt: row?.joinedAt ?? null,
    things: row?.things ?? [],
    oldestDay: 0,
  });
}

function withDevice(devices: InboxRow['devices'], device: string | null, now: number): InboxRow['devices'] {
  if (device === null) return devices;
  const known = devices.find(([name]) => name === device);
  if (known === undefined)
    return devices.length < MAX_DEVICES_OF_INBOX ? [...devices, [device, now]] : devices;
  return devices.map((each) => (each === known ? [device, Math.max(now, each[1])] : each));
}

/** What was last seen at the cutoff or later; `undefined` if that is nothing. */
export function sinceCutoff(row: InboxRow, cutoff: number): InboxRow | undefined {
  if (row.lastSeen < cutoff) return undefined;
  const devices = row.devices.filter(([, lastSeen]) => lastSeen >= cutoff);
  if (row.otherSeen === null || row.otherSeen >= cutoff) return withOldestDay({ ...row, devices });
  return withOldestDay({ ...row, devices, otherSpelling: null, otherSeen: null, otherClaimedFrom: null });
}

function withOldestDay(row: InboxRow): InboxRow {
  let oldest = Math.min(row.lastSeen, row.otherSeen ?? row.lastSeen);
  for (const [, lastSeen] of row.devices) oldest = Math.min(oldest, lastSeen);
  return { ...row, oldestDay: dayOf(oldest) };
}
