import { isMailProvider } from '../model/domain-class.ts';
import { relayOf } from '../model/relays.ts';
import { ABOUT_LOG_ROWS } from './all-tables.ts';
import {
  type Database,
  integer,
  lockProject,
  type SqlValue,
  type Statement,
  statement,
  text,
} from './database.ts';
import { devicesOfInbox } from './devices-of-inbox.ts';
import { keyRanges } from './key-ranges.ts';
import { listing, unlistDevice } from './tables/listed-devices.ts';
import { keepSightings } from './tables/past-sightings.ts';

/** Erases one person from a project. Usage counts stay, because they name nobody. */
export interface Erasure {
  /**
   * Everything under these keyed hashes: inboxes, what devices remember of them, devices with all they brought, the
   * log’s rows of either, outcomes, and events and deliveries about those rows. Works in bounded steps, each in its own
   * transaction, so that no request waits long. To finish an interrupted call, call it again. `dryRun` only counts.
   */
  erase(projectId: string, whose: ErasedHashes, dryRun: boolean): Promise<ErasedRows>;
}

interface ErasedHashes {
  readonly inboxes: readonly string[];
  readonly devices: readonly string[];
}

export interface ErasedRows {
  readonly inboxes: number;
  readonly devices: number;
  /** Pairs of a device and an inbox that it brought. */
  readonly sightings: number;
  readonly logRows: number;
  /** Reports of what became of the person. */
  readonly outcomes: number;
}

/** What each back end keeps in its own way. */
export interface ErasureSteps {
  /** Removes the inbox from what is kept of the device. Without any inbox the device is removed. */
  forgetInbox(project: string, device: string, inbox: string): readonly Statement[];
  /** Removes the device and what is kept of it. */
  forgetDevice(project: string, device: string): readonly Statement[];
  /** Takes the domain out of the statistics. */
  forgetDomain(project: string, domain: string): Promise<void>;
}

export function erasure(database: Database, steps: ErasureSteps): Erasure {
  return {
    async erase(project, whose, dryRun) {
      const rows = { inboxes: 0, devices: 0, sightings: 0, logRows: 0, outcomes: 0 };
      for (const device of whose.devices) {
        rows.devices += await countOf(database, 'device', 'device', project, device);
        rows.sightings += await countOf(database, 'device_sighting', 'device', project, device);
        if (dryRun) continue;
        await unlistEverywhere(database, project, device);
        await database.write([lockProject(project), ...steps.forgetDevice(project, device)]);
        await database.write([forgetTimeline(project, `device:${device}`)]);
      }
      for (const inbox of whose.inboxes) {
        const devices = await devicesOfInbox(database, project, inbox);
        // The sightings of a device that is removed completely are already counted.
        rows.sightings += devices.filter((device) => !whose.devices.includes(device)).length;
        rows.inboxes += await countOf(database, 'inbox', 'inbox', project, inbox);
        rows.outcomes += await countOf(database, 'outcome', 'inbox', project, inbox);
        if (dryRun) continue;
        for (const device of devices) {
          await database.write([lockProject(project), ...steps.forgetInbox(project, device, inbox)]);
        }
        await database.write([
          lockProject(project),
          statement('DELETE FROM inbox WHERE project_id = ? AND inbox = ?', project, inbox),
          statement('DELETE FROM outcome WHERE project_id = ? AND inbox = ?', project, inbox),
          forgetTimeline(project, `person:${inbox}`),
        ]);
      }
      const domains = new Set<string>();
      rows.logRows = await eraseLog(database, project, whose, dryRun, domains);
      if (!dryRun) {
        // After the log, from which the sweep may have written them meanwhile.
        await erasePastSightings(database, project, whose);
        await erasePastPeople(database, project, whose.inboxes);
      }
      for (const domain of domains) {
        if (await isLogged(database, project, domain)) continue;
        await steps.forgetDomain(project, domain);
        await database.write([forgetTimeline(project, domain)]);
      }
      return rows;
    },
  };
}

/** Removes the device from the lists of all inboxes. Those that the device itself has forgotten still list it. */
async function unlistEverywhere(database: Database, project: string, device: string): Promise<void> {
  const { sql, values } = listing(device);
  for await (const range of keyRanges(database, 'inbox', 'inbox', project)) {
    const listed = {
      sql: `project_id = ? AND inbox > ? AND inbox <= ? AND ${sql}`,
      values: [project, ...range, ...values],
    };
    const found = await database.browse(
      statement(`SELECT 1 AS one FROM inbox WHERE ${listed.sql} LIMIT 1`, ...listed.values),
    );
    if (found.length > 0) await database.write([unlistDevice(device, listed)]);
  }
}

/** Notes and decisions about a person, a device or a domain. */
function forgetTimeline(project: string, subject: string): Statement {
  return statement('DELETE FROM timeline_entry WHERE project_id = ? AND subject = ?', project, subject);
}

async function countOf(
  database: Database,
  table: 'inbox' | 'device' | 'device_sighting' | 'outcome',
  column: string,
  project: string,
  hash: string,
): Promise<number> {
  const rows = await database.browse(
    statement(`SELECT count(*) AS found FROM ${table} WHERE project_id = ? AND ${column} = ?`, project, hash),
  );
  return rows[0] ? integer(rows[0], 'found') : 0;
}

/**
 * Whether the log still has the domain, so that other people have it too. A domain of one person alone, such as their
 * family name, leaves the statistics with that person. Providers’ domains name nobody.
 */
async function isLogged(database: Database, project: string, domain: string): Promise<boolean> {
  if (isMailProvider(domain) || relayOf(domain) !== undefined) return true;
  for await (const [after, upTo] of keyRanges(database, 'validation_log', 'id', project)) {
    const rows = await database.browse(
      statement(
        'SELECT id FROM validation_log WHERE project_id = ? AND id > ? AND id <= ? AND domain = ? LIMIT 1',
        ...[project, after, upTo, domain],
      ),
    );
    if (rows.length > 0) return true;
  }
  return false;
}

/**
 * The log is only indexed by time, so all of it is searched. Matching rows are deleted range by range, and their
 * domains are added to `domains`.
 */
async function eraseLog(
  database: Database,
  project: string,
  whose: ErasedHashes,
  dryRun: boolean,
  domains: Set<string>,
): Promise<number> {
  const theirs = rowsOf(whose);
  if (theirs === '') return 0;
  let found = 0;
  for await (const [after, upTo] of keyRanges(database, 'validation_log', 'id', project)) {
    const which = `id > ? AND id <= ? AND (${theirs})`;
    const rows = `FROM validation_log WHERE project_id = ? AND ${which}`;
    const values: SqlValue[] = [project, after, upTo, ...whose.inboxes, ...whose.devices];
    const [row] = await database.browse(statement(`SELECT count(*) AS found ${rows}`, ...values));
    const here = row ? integer(row, 'found') : 0;
    found += here;
    if (here === 0 || dryRun) continue;
    for (const erased of await database.browse(statement(`SELECT domain ${rows}`, ...values))) {
      domains.add(text(erased, 'domain'));
    }
    await database.write([
      ...ABOUT_LOG_ROWS.map(({ name }) =>
        statement(
          `DELETE FROM ${name} WHERE project_id = ? AND log_id IN (SELECT id ${rows})`,
          project,
          ...values,
        ),
      ),
      // Who else is named there is still forgotten in time.
      keepSightings(project, { sql: which, values: values.slice(1) }),
      statement(`DELETE ${rows}`, ...values),
    ]);
  }
  return found;
}

/** The condition on rows that name an inbox or a device of these, or nothing if there are none. */
function rowsOf({ inboxes, devices }: ErasedHashes): string {
  return [...among('inbox', inboxes), ...among('device', devices)].join(' OR ');
}

function among(column: string, hashes: readonly string[]): string[] {
  return hashes.length === 0 ? [] : [`${column} IN (${hashes.map(() => '?').join(', ')})`];
}

/** Takes their names out of what the sweep still has to look at. */
async function erasePastSightings(database: Database, project: string, whose: ErasedHashes): Promise<void> {
  const theirs = rowsOf(whose);
  if (theirs === '') return;
  const hashes = { inbox: whose.inboxes, device: whose.devices };
  for await (const range of keyRanges(database, 'past_sighting', 'id', project)) {
    const here = 'project_id = ? AND id > ? AND id <= ?';
    const found = await database.browse(
      statement(
        `SELECT 1 AS one FROM past_sighting WHERE ${here} AND (${theirs}) LIMIT 1`,
        ...[project, ...range, ...whose.inboxes, ...whose.devices],
      ),
    );
    if (found.length === 0) continue;
    await database.write([
      ...Object.entries(hashes).flatMap(([column, some]) =>
        among(column, some).map((sql) =>
          statement(
            `UPDATE past_sighting SET ${column} = NULL WHERE ${here} AND ${sql}`,
            ...[project, ...range, ...some],
          ),
        ),
      ),
      statement(
        `DELETE FROM past_sighting WHERE ${here} AND inbox IS NULL AND device IS NULL`,
        project,
        ...range,
      ),
    ]);
  }
}

async function erasePastPeople(
  database: Database,
  project: string,
  inboxes: readonly string[],
): Promise<void> {
  for (const inbox of inboxes) {
    await database.write(
      ['person', 'person_request'].map((table) =>
        statement(`DELETE FROM ${table} WHERE project_id = ? AND inbox = ?`, project, inbox),
      ),
    );
  }
}
