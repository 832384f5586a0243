import type { CrowdThing } from '@postern/contract/rules';
import type { CrowdPerson } from '../../model/crowds.ts';
import type { History } from '../../model/history.ts';
import type { Project } from '../../model/project.ts';
import { text } from '../columns.ts';
import { type Database, lockProject, type Row, type Statement } from '../database.ts';
import { kindOfThing, readPerson, shortInbox, thingsOf } from '../settle/crowd.ts';
import { type DeviceRow, peopleOfDevice } from '../settle/device.ts';
import { Newcomers } from '../settle/newcomers.ts';
import { historyOf } from '../settle/settle.ts';
import type { Sighting } from '../submission.ts';
import type { Change, Match, Table } from '../table-of.ts';
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
      const newcomers = await NEWCOMERS.find(database.browse, { projectId: project.id });
      return historyOf(
        {
          inbox: await findInbox(database, project.id, inboxHash),
          device,
          crowd: (name) => things.find(({ thing }) => thing === name),
          newcomers: new Newcomers(newcomers),
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

export const findDevices = (database: Database, projectId: string, device: readonly string[]) =>
  DEVICE.findAll(database.browse, { projectId, device });
const findCrowds = (database: Database, projectId: string, thing: readonly string[]) =>
  CROWD.findAll(database.browse, { projectId, thing });
export const findInboxes = (database: Database, projectId: string, inbox: readonly string[]) =>
  INBOX.findAll(database.browse, { projectId, inbox });
export const findInbox = (database: Database, projectId: string, inbox: string) =>
  INBOX.find(database.browse, { projectId, inbox });

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
  return sightings.toSorted(
    (one, other) => other.lastSeen - one.lastSeen || (one.deviceHash < other.deviceHash ? -1 : 1),
  );
}

/**
 * Replaces a row by what was made of it, or deletes it. Does nothing, and returns no row, if these columns have changed
 * since it was read.
 */
const replaced =
  <T extends object>(table: Table<T>, ...columns: readonly string[]) =>
  (projectId: string, before: Row, after: Omit<T, 'projectId'> | undefined): Statement => {
    const unchanged = `${columns.map((column) => `AND ${column} = ?`).join(' ')} RETURNING 1 AS one`;
    const values = columns.map((column) => before[column] ?? null);
    const whose = { projectId } as unknown as Match<T>;
    return after === undefined
      ? table.remove(whose, unchanged, ...values)
      : table.update(whose, { ...after } as Change<T>, unchanged, ...values);
  };

export const replaceDevice = replaced(DEVICE, 'device', 'inboxes');
export const replaceCrowd = replaced(CROWD, 'thing', 'people');
export const replaceInbox = replaced(INBOX, 'inbox', 'last_seen', 'devices');

/** How many rows are changed in one transaction, during which no request of the project is settled. */
const ROWS_AT_ONCE = 50;

/**
 * Changes rows that requests change too: each is read again until it was not changed in between. `change` returns the row
 * itself to leave it as it is, and `undefined` to delete it.
 */
const rewriting =
  <T extends object>(table: Table<T>, key: string, replace: ReturnType<typeof replaced<T>>) =>
  async (
    database: Database,
    projectId: string,
    names: Iterable<string>,
    change: (row: Omit<T, 'projectId'>) => Omit<T, 'projectId'> | undefined,
  ): Promise<void> => {
    const left = [...new Set(names)];
    while (left.length > 0) {
      const some = left.splice(0, ROWS_AT_ONCE);
      const these = { projectId, [key]: some } as unknown as Match<T>;
      const changed = (await database.read(table.select(these))).flatMap((row) => {
        const before = table.fromRow(row);
        const after = change(before);
        return after === before ? [] : [{ name: text(row, key), write: replace(projectId, row, after) }];
      });
      if (changed.length === 0) continue;
      const writes = changed.map(({ write }) => write);
      const [, ...written] = await database.write([lockProject(projectId), ...writes]);
      left.push(...changed.flatMap(({ name }, at) => (written[at]?.length === 1 ? [] : [name])));
    }
  };

export const rewriteDevices = rewriting(DEVICE, 'device', replaceDevice);
export const rewriteCrowds = rewriting(CROWD, 'thing', replaceCrowd);
