import type { History } from '../model/history.ts';
import { type Database, integer, integerOrNull, type Row, statement, text, textOrNull } from './database.ts';
import { type DeviceMemory, deviceHistory, type InboxEntry } from './device-memory.ts';
import { isReused } from './inbox-memory.ts';
import type { DeviceSighting, HistoryQuery } from './store.ts';

/** Reads the history that `settle` would return, without adding to it, on a connection that no request waits for. */
export async function readHistory(
  database: Database,
  projectId: string,
  asked: HistoryQuery,
): Promise<History> {
  const cutoff = asked.now - asked.retentionMs;
  return {
    inboxReused: await wasReused(database, projectId, asked, cutoff),
    device:
      asked.device === null
        ? null
        : deviceHistory(await deviceMemory(database, projectId, asked.device, cutoff), {
            ...asked.device,
            inbox: asked.inboxHash,
            network: asked.device.networkHash,
            now: asked.now,
          }),
  };
}

async function wasReused(
  database: Database,
  projectId: string,
  { inboxHash, spellingHash, claim, now }: HistoryQuery,
  cutoff: number,
): Promise<boolean> {
  const [row] = await database.browse(
    statement(
      `SELECT spelling, last_seen, claimed_from, other_spelling, other_seen, other_claimed_from FROM inbox
       WHERE project_id = ? AND inbox = ?`,
      projectId,
      inboxHash,
    ),
  );
  if (!row) return false;
  const known = [
    {
      spelling: text(row, 'spelling'),
      seenAt: integer(row, 'last_seen'),
      claimedFrom: textOrNull(row, 'claimed_from'),
    },
  ];
  const other = textOrNull(row, 'other_spelling');
  const seenAt = integerOrNull(row, 'other_seen');
  if (other !== null && seenAt !== null)
    known.push({ spelling: other, seenAt, claimedFrom: textOrNull(row, 'other_claimed_from') });
  const { isClaim, networkHash, confirmedOnly } = claim;
  return isReused(known, {
    spelling: spellingHash,
    isClaim,
    claimNetwork: networkHash,
    confirmedOnly,
    now,
    cutoff,
  });
}

async function deviceMemory(
  database: Database,
  projectId: string,
  { deviceHash, networkHash }: DeviceSighting,
  cutoff: number,
): Promise<DeviceMemory> {
  const sightings = await database.browse(
    statement(
      `SELECT inbox, first_seen, last_seen, count, blocked, confirmed, network FROM device_sighting
       WHERE project_id = ? AND device = ? AND last_seen >= ?`,
      projectId,
      deviceHash,
      cutoff,
    ),
  );
  const [networks] = await database.browse(
    statement(
      `SELECT count(*) AS networks, coalesce(sum(CASE WHEN network = ? THEN 1 ELSE 0 END), 0) AS own
       FROM device_network WHERE project_id = ? AND device = ? AND last_seen >= ?`,
      networkHash ?? '',
      projectId,
      deviceHash,
      cutoff,
    ),
  );
  if (!networks) throw new Error('A count returned no row');
  if (sightings.length === 0) return { inboxes: [], networks: 0, knowsNetwork: false };
  return {
    inboxes: sightings.map(toEntry),
    networks: integer(networks, 'networks'),
    knowsNetwork: integer(networks, 'own') > 0,
  };
}

function toEntry(row: Row): InboxEntry {
  return [
    text(row, 'inbox'),
    integer(row, 'first_seen'),
    integer(row, 'last_seen'),
    integer(row, 'count'),
    integer(row, 'blocked') === 1 ? 1 : 0,
    integer(row, 'confirmed') === 1 ? 1 : 0,
    textOrNull(row, 'network'),
  ];
}
