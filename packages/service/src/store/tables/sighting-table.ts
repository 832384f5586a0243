import type { CrowdThing } from '@postern/contract/rules';
import type { CrowdPerson } from '../../model/crowds.ts';
import type { History } from '../../model/history.ts';
import type { Project } from '../../model/project.ts';
import { type Database, lockProject, type Row, type Statement, statement } from '../database.ts';
import { kindOfThing, readPerson, shortInbox, thingsOf } from '../settle/crowd.ts';
import { type DeviceRow, peopleOfDevice } from '../settle/device.ts';
import { Newcomers } from '../settle/newcomers.ts';
import { historyOf } from '../settle/settle.ts';
import type { Sighting } from '../submission.ts';
import type { Table } from '../table-of.ts';
import { CROWD, DEVICE, INBOX, NEWCOMERS } from './settle-tables.ts';

export interface SightingRow {
  readonly deviceHash: string;
  readonly inboxHash: string;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly count: number;
}

/** A project’s history, for display. */
export interface MemoryStore {
  sightingsOfDevice(projectId: string, deviceHash: string, limit: number): Promise<SightingRow[]>;
  /** From all its devices, the last one first. */
  sightingsOfInbox(projectId: string, inboxHash: string, limit?: number): Promise<SightingRow[]>;
  /** The others who first came since then with a person’s device, domain, mail host or network. */
  others(
    projectId: string,
    person: Pick<Sighting, 'inboxHash' | 'deviceHash'>,
    since: number,
  ): Promise<ReadonlyMap<CrowdThing, readonly CrowdPerson[]>>;
  /** The history that a validation would get, without adding to it. */
  recall(project: Project, asked: Sighting): Promise<History>;
}

/** Sightings for people to look at. */
export function sightingStore(database: Database): MemoryStore {
  return {
    async recall(project, sighting) {
      const { inboxHash, deviceHash } = sighting;
      const [device] = deviceHash === null ? [] : await findDevices(database, project.id, [deviceHash]);
      const things = await findCrowds(database, project.id, Object.values(thingsOf(sighting)));
      const newcomers = await database.browse(
        statement(`SELECT ${NEWCOMERS.list} FROM newcomers WHERE project_id = ?`, project.id),
      );
      return historyOf(
        {
          inbox: await findInbox(database, project.id, inboxHash),
          device,
          crowd: (name) => things.find(({ thing }) => thing === name),
          newcomers: new Newcomers(newcomers.map(NEWCOMERS.fromRow)[0]),
        },
        sighting,
        project,
      );
    },
    async others(projectId, { inboxHash, deviceHash }, since) {
      const inbox = await findInbox(database, projectId, inboxHash);
      const crowds = await findCrowds(database, projectId, inbox?.things ?? []);
      const devices = deviceHash === null ? [] : await findDevices(database, projectId, [deviceHash]);
      const own = shortInbox(inboxHash);
      const others = (people: readonly CrowdPerson[]) =>
        people.filter(({ at, inbox: name }) => at >= since && name !== own);
      return new Map([
        ...devices.map((row) => ['device', others(peopleOfDevice(row))] as const),
        ...crowds.map((row) => [kindOfThing(row.thing), others(row.people.map(readPerson))] as const),
      ]);
    },
    async sightingsOfDevice(projectId, deviceHash, limit) {
      const devices = await findDevices(database, projectId, [deviceHash]);
      return newestFirst(devices.flatMap(sightingsOf)).slice(0, limit);
    },
    async sightingsOfInbox(projectId, inboxHash, limit) {
      const inbox = await findInbox(database, projectId, inboxHash);
      const names = inbox?.devices.map(([device]) => device) ?? [];
      const devices = await findDevices(database, projectId, names);
      const sightings = devices.flatMap(sightingsOf).filter((sighting) => sighting.inboxHash === inboxHash);
      return newestFirst(sightings).slice(0, limit);
    },
  };
}

const rowsOf =
  <T>(table: Table<T>, key: string) =>
  async (database: Database, projectId: string, names: readonly string[]): Promise<T[]> => {
    if (names.length === 0) return [];
    const places = names.map(() => '?').join(', ');
    const sql = `SELECT ${table.list} FROM ${table.name} WHERE project_id = ? AND ${key} IN (${places})`;
    return (await database.browse(statement(sql, projectId, ...names))).map(table.fromRow);
  };

export const findDevices = rowsOf(DEVICE, 'device');
const findCrowds = rowsOf(CROWD, 'thing');
const findInboxes = rowsOf(INBOX, 'inbox');
export const findInbox = async (database: Database, projectId: string, inbox: string) =>
  (await findInboxes(database, projectId, [inbox]))[0];

function sightingsOf({ device, inboxes }: DeviceRow): SightingRow[] {
  return inboxes.map(([inbox, firstSeen, lastSeen, count]) => ({
    deviceHash: device,
    inboxHash: inbox,
    firstSeen,
    lastSeen,
    count,
  }));
}

function newestFirst(sightings: readonly SightingRow[]): SightingRow[] {
  return sightings.toSorted((one, other) => other.lastSeen - one.lastSeen);
}

/** Changes a row that requests change too: it is read again until it was not changed in between. */
export async function rewriteRow(
  database: Database,
  projectId: string,
  select: Statement,
  rewrite: (row: Row) => Statement | undefined,
): Promise<void> {
  for (;;) {
    const [row] = await database.read(select);
    const change = row && rewrite(row);
    if (change === undefined) return;
    const [, replaced] = await database.write([lockProject(projectId), change]);
    if (replaced?.length === 1) return;
  }
}

export const deviceRow = (projectId: string, device: string): Statement =>
  statement(`SELECT ${DEVICE.list} FROM device WHERE project_id = ? AND device = ?`, projectId, device);

export const crowdRow = (projectId: string, thing: string): Statement =>
  statement(`SELECT ${CROWD.list} FROM crowd WHERE project_id = ? AND thing = ?`, projectId, thing);

/**
 * Replaces a row by what was made of it, or deletes it. Does nothing if these columns have changed since it was read;
 * RETURNING tells.
 */
const replaced =
  <T extends object>(table: Table<T>, ...columns: readonly string[]) =>
  (projectId: string, before: Row, after: Omit<T, 'projectId'> | undefined): Statement => {
    const where = ['project_id', ...columns].map((column) => `${column} = ?`).join(' AND ');
    const unchanged = [projectId, ...columns.map((column) => before[column] ?? null)];
    if (after === undefined)
      return statement(`DELETE FROM ${table.name} WHERE ${where} RETURNING 1 AS one`, ...unchanged);
    const { columns: changes, values } = table.assignments({ ...after } as unknown as Partial<T>);
    return statement(
      `UPDATE ${table.name} SET ${changes.join(', ')} WHERE ${where} RETURNING 1 AS one`,
      ...[...values, ...unchanged],
    );
  };

export const replaceDevice = replaced(DEVICE, 'device', 'inboxes');
export const replaceCrowd = replaced(CROWD, 'thing', 'people');
export const replaceInbox = replaced(INBOX, 'inbox', 'last_seen', 'devices');
