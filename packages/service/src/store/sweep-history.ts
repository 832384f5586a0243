import {
  type Database,
  json,
  lockProject,
  type Row,
  type SqlValue,
  type Statement,
  statement,
  text,
  textOrNull,
} from './database.ts';
import type { Due, Swept } from './sweep-step.ts';
import type { Condition } from './tables/condition.ts';
import { unlistDevice } from './tables/listed-devices.ts';
import { timeOfId } from './timed-id.ts';

/** A sighting is about two rows of a device, one of an inbox, and its own. */
const ROWS_OF_SIGHTING = 4;
/** Requests of the project wait for these, so they are few: about the cost of ten requests. */
const DEVICES_PER_WRITE = 50;
const SIGHTINGS_PER_STEP = 100;

/** SQL about a project `p`: whether a sighting is past the project’s retention, or the sweep has read too far. */
export const HISTORY_DUE: Condition = {
  sql: `coalesce(
    (SELECT 1 FROM past_sighting WHERE project_id = p.id AND id < p.seen_before_id LIMIT 1),
    (SELECT 1 FROM validation_log WHERE project_id = p.id AND id < p.seen_before_id
       AND id > coalesce((SELECT swept_log.id FROM swept_log WHERE swept_log.project_id = p.id), '') LIMIT 1),
    (SELECT 1 FROM swept_log WHERE project_id = p.id AND id > p.seen_before_id))`,
  values: [],
};

/** Drops everything that was last seen of these devices before the cutoff. Returns how much that was. */
export type ForgetDevices = (project: string, devices: readonly string[], cutoff: number) => Promise<number>;

interface Sighting {
  readonly id: string;
  readonly inbox: string | null;
  readonly device: string | null;
  /** Whether its log row is gone. */
  readonly isPast: boolean;
}

/**
 * Forgets what the oldest sightings left, if nobody saw it again. A later sighting has a row of its own, which leads here
 * again. Every step may be repeated, and by several processes at once.
 */
export async function sweepHistory(
  database: Database,
  due: Due,
  forgetDevices: ForgetDevices,
): Promise<Swept> {
  const { project, cutoffs, limits } = due;
  const limit = Math.min(Math.ceil(limits.maxRows / ROWS_OF_SIGHTING), SIGHTINGS_PER_STEP);
  const sightings = await oldestSightings(database, due, limit);
  const last = sightings.at(-1);
  if (last === undefined) return { removed: 0, more: false };
  const devices = namesOf(sightings, 'device');
  let removed = sightings.length;
  for (let at = 0; at < devices.length; at += DEVICES_PER_WRITE) {
    const some = devices.slice(at, at + DEVICES_PER_WRITE);
    removed += await forgetDevices(project, some, cutoffs.seen_before);
  }
  await shortenInboxes(database, due, sightings, last);
  removed += await forgetInboxes(database, project, sightings, last);
  return { removed, more: sightings.length >= limit };
}

async function oldestSightings(
  database: Database,
  { project, cutoffs }: Due,
  limit: number,
): Promise<Sighting[]> {
  const before = cutoffs.seen_before_id;
  const rowsOf = async (from: string, after: string): Promise<Sighting[]> =>
    (
      await database.browse(
        statement(
          `SELECT ${from} WHERE project_id = ? AND id > ? AND id < ? ORDER BY id LIMIT ?`,
          ...[project, after, before, limit],
        ),
      )
    ).map(toSighting);
  const past = await rowsOf("id, 'past' AS mode, inbox, device FROM past_sighting", '');
  const logged = await rowsOf(
    'id, mode, inbox, device FROM validation_log',
    await sweptUpTo(database, project, before),
  );
  return [...past, ...logged].sort((one, other) => (one.id < other.id ? -1 : 1)).slice(0, limit);
}

function toSighting(row: Row): Sighting {
  const isTest = row.mode === 'test';
  return {
    id: text(row, 'id'),
    inbox: isTest ? null : textOrNull(row, 'inbox'),
    device: isTest ? null : textOrNull(row, 'device'),
    isPast: row.mode === 'past',
  };
}

/** After a clock was put back, or the retention was made longer, the log is read again from where it is due now. */
async function sweptUpTo(database: Database, project: string, before: string): Promise<string> {
  const [row] = await database.browse(statement('SELECT id FROM swept_log WHERE project_id = ?', project));
  const id = row ? text(row, 'id') : '';
  if (id <= before) return id;
  await database.write([statement('UPDATE swept_log SET id = ? WHERE project_id = ?', before, project)]);
  return before;
}

/** Of inboxes that were seen again, drops another spelling and the devices that were not. */
async function shortenInboxes(
  database: Database,
  { project, cutoffs }: Due,
  sightings: readonly Sighting[],
  last: Sighting,
): Promise<void> {
  const inboxes = namesOf(sightings, 'inbox');
  if (inboxes.length === 0) return;
  const these = `project_id = ? AND inbox ${among(inboxes)}`;
  const rows = await database.browse(
    statement(
      `SELECT inbox, devices, other_seen FROM inbox WHERE ${these} AND last_seen > ?`,
      ...[project, ...inboxes, timeOfId(last.id)],
    ),
  );
  const devicesOf = new Map(rows.map((row) => [text(row, 'inbox'), json<string[]>(row, 'devices')]));
  const listed = sightings.flatMap(({ inbox, device }) =>
    inbox !== null && device !== null && devicesOf.get(inbox)?.includes(device) ? [{ inbox, device }] : [],
  );
  const statements = await unlisting(database, project, listed);
  if (rows.some((row) => Number(row.other_seen ?? Infinity) < cutoffs.seen_before))
    statements.push(
      statement(
        `UPDATE inbox SET other_spelling = NULL, other_seen = NULL, other_claimed_from = NULL
         WHERE ${these} AND other_seen < ?`,
        ...[project, ...inboxes, cutoffs.seen_before],
      ),
    );
  if (statements.length > 0) await database.write([lockProject(project), ...statements]);
}

interface ListedDevice {
  readonly inbox: string;
  readonly device: string;
}

/** What takes those devices out of an inbox’s list that have forgotten the inbox. Most have seen it again. */
async function unlisting(
  database: Database,
  project: string,
  listed: readonly ListedDevice[],
): Promise<Statement[]> {
  const [devices, inboxes] = [namesOf(listed, 'device'), namesOf(listed, 'inbox')];
  if (devices.length === 0) return [];
  const brought = `SELECT device, inbox FROM device_sighting WHERE project_id = ? AND device`;
  const rows = await database.browse(
    statement(
      `${brought} ${among(devices)} AND inbox ${among(inboxes)}`,
      ...[project, ...devices, ...inboxes],
    ),
  );
  const remembered = new Set(rows.map((row) => `${text(row, 'inbox')} ${text(row, 'device')}`));
  const forgotten = new Map(
    listed
      .map((one) => [`${one.inbox} ${one.device}`, one] as const)
      .filter(([pair]) => !remembered.has(pair)),
  );
  return [...forgotten.values()].map(({ inbox, device }) =>
    unlistDevice(device, {
      sql: `project_id = ? AND inbox = ? AND NOT EXISTS (${brought} = ? AND inbox = ?)`,
      values: [project, inbox, project, device, inbox],
    }),
  );
}

/**
 * Drops the inboxes that nobody saw after the last of these sightings, and the sightings. An inbox stays as long as a device
 * may list it, because the inbox’s devices are found by its own row; all sightings up to the last one are done.
 */
async function forgetInboxes(
  database: Database,
  project: string,
  sightings: readonly Sighting[],
  last: Sighting,
): Promise<number> {
  const inboxes = namesOf(sightings, 'inbox');
  const past = sightings.filter(({ isPast }) => isPast).map(({ id }) => id);
  const gone = `FROM inbox WHERE project_id = ? AND inbox ${among(inboxes)} AND last_seen <= ?`;
  const values: SqlValue[] = [project, ...inboxes, timeOfId(last.id)];
  const dropping = [
    // An outcome may still name the person by the address.
    statement(
      `INSERT INTO person (project_id, inbox, seen_at) SELECT project_id, inbox, last_seen ${gone}
       ON CONFLICT (project_id, inbox) DO UPDATE SET
         seen_at = CASE WHEN excluded.seen_at > person.seen_at THEN excluded.seen_at ELSE person.seen_at END`,
      ...values,
    ),
    statement(`DELETE ${gone} RETURNING 1 AS one`, ...values),
  ];
  const written = await database.write([
    lockProject(project),
    ...(inboxes.length > 0 ? dropping : []),
    ...(past.length > 0
      ? [statement(`DELETE FROM past_sighting WHERE project_id = ? AND id ${among(past)}`, project, ...past)]
      : []),
    statement(
      `INSERT INTO swept_log (project_id, id) SELECT id, CAST(? AS TEXT) FROM project WHERE id = ?
       ON CONFLICT (project_id) DO UPDATE SET id = excluded.id WHERE swept_log.id < excluded.id`,
      ...[last.id, project],
    ),
  ]);
  return inboxes.length > 0 ? (written[2]?.length ?? 0) : 0;
}

function namesOf(
  sightings: readonly Pick<Sighting, 'inbox' | 'device'>[],
  column: 'inbox' | 'device',
): string[] {
  return [...new Set(sightings.flatMap((sighting) => sighting[column] ?? []))];
}

const among = (values: readonly unknown[]) => `IN (${values.map(() => '?').join(', ')})`;
