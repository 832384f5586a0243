import type { SqlValue } from '../database.ts';
import { isReused, type KnownSpelling, MAX_DEVICES_LISTED, withSpelling } from '../inbox-memory.ts';
import { createBatchRows } from './batch-rows.ts';
import type { Connection } from './connection.ts';
import type { Sighting } from './device-rows.ts';
import { multiRowInsert, valuesByShared } from './multi-row-insert.ts';

type InboxRow = readonly [
  spelling: string,
  lastSeen: number,
  otherSpelling: string | null,
  otherSeen: number | null,
  keptSince: number,
  devices: readonly string[],
  claimedFrom: string | null,
  otherClaimedFrom: string | null,
];

/** An inbox’s row in a batch. */
interface InboxEntry {
  readonly project: string;
  readonly inbox: string;
  row: InboxRow | undefined;
  /** What is not written yet: a new row without another spelling, or what a sighting changes. */
  unsaved: 'row' | 'sighting' | null;
}

/** In the order in which `addValues` gives them. A new inbox has no other spelling. */
const SIGHTING_COLUMNS = ['spelling', 'last_seen', 'devices', 'claimed_from'];
const NEW_COLUMNS = ['inbox', 'kept_since', ...SIGHTING_COLUMNS];
const OTHER_COLUMNS = ['other_spelling', 'other_seen', 'other_claimed_from'];

/** Whether a batch’s inboxes were seen before under another spelling; read together and judged in order. */
export function inboxRows(connection: Connection) {
  const rows = createBatchRows<InboxRow, InboxEntry>(connection, {
    table: 'inbox',
    key: 'inbox',
    columns: [
      'json_quote(spelling)',
      'last_seen',
      'json_quote(other_spelling)',
      "coalesce(other_seen, 'null')",
      'kept_since',
      'devices',
      'json_quote(claimed_from)',
      'json_quote(other_claimed_from)',
    ],
    toEntry: (project, inbox, row) => ({ project, inbox, row, unsaved: null }),
  });
  const add = multiRowInsert(connection, 'inbox', NEW_COLUMNS);
  const save = multiRowInsert(
    connection,
    'inbox',
    [...NEW_COLUMNS, ...OTHER_COLUMNS],
    [...SIGHTING_COLUMNS, ...OTHER_COLUMNS],
  );
  let changed: InboxEntry[] = [];

  return {
    load: rows.load,
    see(sighting: Sighting): boolean {
      const { projectId, inbox, device, now, keep } = sighting;
      const entry = rows.get(projectId, inbox);
      const { row } = entry;
      const known = row === undefined ? [] : spellingsOf(row);
      if (keep) {
        const [own, other] = withSpelling(known, sighting);
        entry.row = [
          own.spelling,
          own.seenAt,
          other?.spelling ?? null,
          other?.seenAt ?? null,
          row?.[4] ?? now,
          listed(row?.[5] ?? [], device),
          own.claimedFrom,
          other?.claimedFrom ?? null,
        ];
        if (!entry.unsaved) changed.push(entry);
        entry.unsaved = row || other ? 'sighting' : 'row';
      }
      return isReused(known, sighting);
    },
    save(): void {
      const added = valuesByShared();
      const seen = valuesByShared();
      for (const entry of changed) {
        addValues((entry.unsaved === 'row' ? added : seen).of(entry.project), entry);
        entry.unsaved = null;
      }
      for (const [shared, values] of added.lists()) add(shared, values);
      for (const [shared, values] of seen.lists()) save(shared, values);
      changed = [];
    },
    clear(): void {
      changed = [];
    },
  };
}

function addValues(values: SqlValue[], { inbox, row, unsaved }: InboxEntry): void {
  if (!row) return;
  const [spelling, lastSeen, otherSpelling, otherSeen, keptSince, devices, claimedFrom, otherClaimedFrom] =
    row;
  values.push(inbox, keptSince, spelling, lastSeen, JSON.stringify(devices), claimedFrom);
  if (unsaved === 'sighting') values.push(otherSpelling, otherSeen, otherClaimedFrom);
}

function spellingsOf(row: InboxRow): KnownSpelling[] {
  const [spelling, seenAt, other, otherSeen, , , claimedFrom, otherClaimedFrom] = row;
  const last = { spelling, seenAt, claimedFrom };
  if (other === null || otherSeen === null) return [last];
  return [last, { spelling: other, seenAt: otherSeen, claimedFrom: otherClaimedFrom }];
}

function listed(devices: readonly string[], device: string | null): readonly string[] {
  if (device === null || devices.includes(device)) return devices;
  return [...devices, device].slice(-MAX_DEVICES_LISTED);
}
