import type { CampaignThing, ForgetAnswer } from '@postern/contract/dashboard';
import { chunksOf } from '../model/chunks.ts';
import { isMailProvider } from '../model/domain-class.ts';
import { relayOf } from '../model/relays.ts';
import { ABOUT_LOG_ROWS, OF_INBOXES } from './all-tables.ts';
import { integer, json, text } from './columns.ts';
import { type Database, lockProject, statement } from './database.ts';
import { withoutPerson } from './settle/crowd.ts';
import { withoutInbox } from './settle/device.ts';
import { type RowOf, rowOf } from './table-of.ts';
import { CAMPAIGN } from './tables/campaign-table.ts';
import { CLAIM_HANDLE } from './tables/claim-table.ts';
import { PERSON, PERSON_REQUEST } from './tables/past-people.ts';
import { DEVICE, INBOX, VALIDATION_LOG } from './tables/settle-tables.ts';
import {
  findDevices,
  findInbox,
  replaceInbox,
  rewriteCrowds,
  rewriteDevices,
} from './tables/sighting-table.ts';
import { TIMELINE_ENTRY } from './tables/timeline-table.ts';

/** Erases one person from a project. Usage counts stay, because they name no person. */
export interface Erasure {
  /**
   * Everything under these keyed hashes: inboxes, what devices remember of them, devices with all they brought, the
   * log’s rows of either, outcomes, and events and deliveries about those rows. Works in bounded steps, each in its own
   * transaction, so that no request waits long. To finish an interrupted call, call it again. `dryRun` only counts.
   * `keepClaims` leaves the hashes that granted claims of the inboxes hold.
   */
  erase(
    projectId: string,
    whose: ErasedHashes,
    dryRun: boolean,
    keepClaims?: boolean,
  ): Promise<Omit<ForgetAnswer, 'listedIn' | 'erased'>>;
  /**
   * The rows that `erase` would delete, by table, without devices, the log and the timeline. `logIds` are the log’s rows
   * of these people and devices.
   */
  find(
    projectId: string,
    whose: ErasedHashes,
    logIds: readonly string[],
  ): Promise<Record<string, Record<string, unknown>[]>>;
}

export interface ErasedHashes {
  readonly inboxes: readonly string[];
  readonly devices: readonly string[];
}

export function erasure(
  database: Database,
  forgetDomain: (projectId: string, domain: string) => Promise<void>,
): Erasure {
  return {
    async erase(projectId, whose, dryRun, keepClaims = false) {
      const rows = { inboxes: 0, devices: 0, sightings: 0, logRows: 0, outcomes: 0, claims: 0 };
      for (const device of whose.devices) {
        const [found] = await findDevices(database, projectId, [device]);
        rows.devices += found === undefined ? 0 : 1;
        rows.sightings += found?.inboxes.length ?? 0;
        if (dryRun) continue;
        await unlistEverywhere(database, projectId, device);
        await database.write([
          lockProject(projectId),
          DEVICE.remove({ projectId, device }),
          CLAIM_HANDLE.remove({ projectId, handle: `device:${device}` }),
          TIMELINE_ENTRY.remove({ projectId, subject: `device:${device}` }),
        ]);
        await leaveCampaigns(database, projectId, device);
      }
      for (const inbox of whose.inboxes) {
        const devices = await devicesOfInbox(database, projectId, inbox);
        // The sightings of a device that is removed completely are already counted.
        rows.sightings += devices.filter((device) => !whose.devices.includes(device)).length;
        rows.inboxes += await countOf(database, 'inbox', projectId, inbox);
        rows.outcomes += await countOf(database, 'outcome', projectId, inbox);
        rows.claims += await countOf(database, 'claim', projectId, inbox);
        if (dryRun) continue;
        for (const device of devices) await forgetInboxOf(database, projectId, device, inbox);
        await leaveCrowds(database, projectId, inbox);
        await database.write([
          lockProject(projectId),
          ...OF_INBOXES.filter(({ name }) => name !== CLAIM_HANDLE.name).map((table) =>
            table.remove({ projectId, inbox }),
          ),
          CLAIM_HANDLE.remove({ projectId, inbox }, keepClaims ? "AND handle LIKE 'claimant:%'" : ''),
          TIMELINE_ENTRY.remove({ projectId, subject: `person:${inbox}` }),
        ]);
      }
      const domains = new Set<string>();
      rows.logRows = await eraseLog(database, projectId, whose, dryRun, domains);
      // After the log, from which the sweep may have written them meanwhile.
      if (!dryRun) await erasePastPeople(database, projectId, whose.inboxes);
      for (const domain of domains) {
        if (await isLogged(database, projectId, domain)) continue;
        await forgetDomain(projectId, domain);
        await leaveCampaigns(database, projectId, domain);
        await database.write([TIMELINE_ENTRY.remove({ projectId, subject: domain })]);
      }
      return rows;
    },
    async find(projectId, { inboxes }, logIds) {
      const found: Record<string, Record<string, unknown>[]> = {};
      const tables = [
        ...OF_INBOXES.map((table) => ({ table, column: 'inbox', values: inboxes })),
        ...ABOUT_LOG_ROWS.map((table) => ({ table, column: 'log_id', values: logIds })),
      ];
      for (const { table, column, values } of tables) {
        const rows = [];
        for (const some of chunksOf(values, ROWS_AT_ONCE)) {
          const theirs = `project_id = ? AND ${column} IN (${some.map(() => '?').join(', ')})`;
          const of = [projectId, ...some];
          // SQLite reads an index that has all columns it is asked for, and else all rows of the project.
          const [where, ofKey] = table.columns.has('id')
            ? [`project_id = ? AND id IN (SELECT id FROM ${table.name} WHERE ${theirs})`, [projectId, ...of]]
            : [theirs, of];
          const sql = `SELECT ${table.list} FROM ${table.name} WHERE ${where}`;
          rows.push(...(await database.browse(statement(sql, ...ofKey))));
        }
        found[table.name] = rows.map((row) => ({ ...(table.fromRow(row) as object) }));
      }
      return found;
    },
  };
}

/** The devices that remember the inbox. */
async function devicesOfInbox(database: Database, projectId: string, inbox: string): Promise<string[]> {
  const person = await findInbox(database, projectId, inbox);
  const devices = await findDevices(database, projectId, person?.devices.map(([device]) => device) ?? []);
  return devices
    .filter(({ inboxes }) => inboxes.some(([name]) => name === inbox))
    .map(({ device }) => device);
}

/** Removes the inbox from what is kept of the device. Without any inbox the device is removed. */
async function forgetInboxOf(
  database: Database,
  projectId: string,
  device: string,
  inbox: string,
): Promise<void> {
  await rewriteDevices(database, projectId, [device], (row) =>
    row.inboxes.some(([name]) => name === inbox) ? withoutInbox(row, inbox) : row,
  );
}

/** Removes the inbox from the people of domains, mail hosts and networks. */
async function leaveCrowds(database: Database, projectId: string, inbox: string): Promise<void> {
  const person = await findInbox(database, projectId, inbox);
  await rewriteCrowds(database, projectId, person?.things ?? [], (row) => {
    const left = withoutPerson(row, inbox);
    return left?.people.length === row.people.length ? row : left;
  });
}

/** Removes a device or a domain from what is behind campaigns, and from what their people share. */
async function leaveCampaigns(database: Database, projectId: string, name: string): Promise<void> {
  const quoted = JSON.stringify(name);
  const naming = "SELECT id, things FROM campaign WHERE project_id = ? AND replace(things, ?, '') <> things";
  const found = await database.browse(statement(naming, projectId, quoted));
  await database.write([
    ...found.map((row) =>
      CAMPAIGN.update(
        { projectId, id: text(row, 'id') },
        { things: json<CampaignThing[]>(row, 'things').filter((thing) => thing.name !== name) },
        'AND things = ?',
        text(row, 'things'),
      ),
    ),
    statement(
      `UPDATE campaign_person SET because = '{"kind":"campaign"}' WHERE project_id = ? AND replace(because, ?, '') <> because`,
      ...[projectId, quoted],
    ),
  ]);
}

/** Removes the device from the lists of all inboxes. Those that the device itself has forgotten may still list it. */
async function unlistEverywhere(database: Database, projectId: string, device: string): Promise<void> {
  for await (const [after, upTo] of keyRanges(database, 'inbox', 'inbox', projectId)) {
    const naming = "AND inbox > ? AND inbox <= ? AND replace(devices, ?, '') <> devices";
    const found = await database.browse(
      INBOX.select({ projectId }, naming, after, upTo, JSON.stringify(device)),
    );
    for (const row of found) {
      const inbox = INBOX.fromRow(row);
      const devices = inbox.devices.filter(([name]) => name !== device);
      await database.write([lockProject(projectId), replaceInbox(projectId, row, { ...inbox, devices })]);
    }
  }
}

async function countOf(database: Database, table: string, projectId: string, inbox: string): Promise<number> {
  const count = `SELECT count(*) AS found FROM ${table} WHERE project_id = ? AND inbox = ?`;
  const [row] = await database.browse(statement(count, projectId, inbox));
  return row ? integer(row, 'found') : 0;
}

/**
 * Whether the log still has the domain, so that other people have it too. A domain of one person alone, such as their
 * family name, leaves the statistics with that person. Providers’ domains name no person.
 */
async function isLogged(database: Database, projectId: string, domain: string): Promise<boolean> {
  if (isMailProvider(domain) || relayOf(domain) !== undefined) return true;
  for await (const [after, upTo] of keyRanges(database, 'validation_log', 'id', projectId)) {
    const range = 'AND id > ? AND id <= ? LIMIT 1';
    const found = await VALIDATION_LOG.find(database.browse, { projectId, domain }, range, after, upTo);
    if (found !== undefined) return true;
  }
  return false;
}

const ROWS_AT_ONCE = 500;

/** Deletes the log rows of these people and devices, a few at a time, and adds their domains to `domains`. */
async function eraseLog(
  database: Database,
  projectId: string,
  whose: ErasedHashes,
  dryRun: boolean,
  domains: Set<string>,
): Promise<number> {
  let erased = 0;
  for await (const rows of logRowsOf(database, projectId, whose)) {
    erased += rows.length;
    if (dryRun || rows.length === 0) continue;
    for (const { domain } of rows) domains.add(domain);
    const ids = rows.map(({ id }) => id);
    await database.write([
      // The sweep, which keeps people of log rows that it drops, waits for the same lock.
      lockProject(projectId),
      ...ABOUT_LOG_ROWS.map((table) => table.remove({ projectId, logId: ids })),
      VALIDATION_LOG.remove({ projectId, id: ids }),
    ]);
  }
  return erased;
}

const LOGGED = rowOf({ id: text, domain: text });

/** The log is not indexed by device, so all of it is searched for those. */
async function* logRowsOf(database: Database, projectId: string, { inboxes, devices }: ErasedHashes) {
  const read = async (where: string, ...values: string[]) => {
    const sql = `SELECT id, domain FROM validation_log WHERE project_id = ? AND ${where}`;
    return (await database.browse(statement(sql, projectId, ...values))).map(LOGGED.fromRow);
  };
  for (const inbox of inboxes) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const theirs = `inbox = ? AND id > ? ORDER BY id LIMIT ${ROWS_AT_ONCE}`;
      const rows: RowOf<typeof LOGGED>[] = await read(theirs, inbox, after);
      yield rows;
      after = rows.at(-1)?.id;
    }
  }
  if (devices.length === 0) return;
  const places = (hashes: readonly string[]) => hashes.map(() => '?').join(', ');
  // Rows of these people are counted already.
  const others = inboxes.length === 0 ? '' : `AND inbox NOT IN (${places(inboxes)})`;
  const theirs = `id > ? AND id <= ? AND device IN (${places(devices)}) ${others}`;
  for await (const range of keyRanges(database, 'validation_log', 'id', projectId))
    yield await read(theirs, ...range, ...devices, ...inboxes);
}

async function erasePastPeople(
  database: Database,
  projectId: string,
  inboxes: readonly string[],
): Promise<void> {
  for (const inbox of inboxes)
    await database.write([PERSON.remove({ projectId, inbox }), PERSON_REQUEST.remove({ projectId, inbox })]);
}

const ROWS_LOOKED_AT = 2_000;

/** A project’s rows of a table, a few thousand at a time. Each range is given by the key before it and its last key. */
async function* keyRanges(
  database: Database,
  table: 'validation_log' | 'inbox',
  column: string,
  projectId: string,
): AsyncGenerator<readonly [after: string, upTo: string]> {
  const next = `SELECT ${column} FROM ${table} WHERE project_id = ? AND ${column} > ? ORDER BY ${column} LIMIT ${ROWS_LOOKED_AT}`;
  for (let after = ''; ; ) {
    const last = (await database.browse(statement(next, projectId, after))).at(-1);
    if (!last) return;
    const upTo = text(last, column);
    yield [after, upTo];
    after = upTo;
  }
}
