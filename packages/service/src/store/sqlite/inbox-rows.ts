import type { Connection } from './connection.ts';
import type { Sighting } from './sighting.ts';

/** Of the devices that brought an inbox, so many are listed for people to look at. */
const DEVICES_LISTED = 16;

type InboxRow = readonly [
  spelling: string,
  lastSeen: number,
  otherSpelling: string | null,
  otherSeen: number | null,
  keptSince: number,
  devices: string,
];

/** Answers whether an inbox was seen before under another spelling, and remembers this one. */
export function inboxRows(connection: Connection) {
  const find = connection
    .prepare(
      `SELECT spelling, last_seen, other_spelling, other_seen, kept_since, devices FROM inbox
       WHERE project_id = ? AND inbox = ?`,
    )
    .raw(true);
  const save = connection.prepare(
    `INSERT INTO inbox (project_id, inbox, spelling, last_seen, other_spelling, other_seen, kept_since, devices)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET spelling = excluded.spelling, last_seen = excluded.last_seen,
       other_spelling = excluded.other_spelling, other_seen = excluded.other_seen, devices = excluded.devices`,
  );

  return ({ projectId, inbox, spelling, device, now, cutoff, keep }: Sighting): boolean => {
    const row = find.get([projectId, inbox]) as InboxRow | undefined;
    const other = row && lastOther(row, spelling);
    if (keep) {
      const seen = Math.max(now, row?.[1] ?? now);
      const devices = listed(row?.[5] ?? '[]', device);
      save.run([
        projectId,
        inbox,
        spelling,
        seen,
        other?.[0] ?? null,
        other?.[1] ?? null,
        row?.[4] ?? now,
        devices,
      ]);
    }
    return other !== undefined && other[1] >= cutoff;
  };
}

/** The spelling seen last that is not this one; no older one can ever matter again. */
function lastOther(row: InboxRow, spelling: string): readonly [string, number] | undefined {
  const [last, lastSeen, other, otherSeen] = row;
  if (last !== spelling) return [last, lastSeen];
  return other === null || otherSeen === null ? undefined : [other, otherSeen];
}

function listed(devices: string, device: string | null): string {
  if (device === null || devices.includes(`"${device}"`)) return devices;
  return JSON.stringify([...(JSON.parse(devices) as string[]), device].slice(-DEVICES_LISTED));
}
