import type { PersonExport } from '@postern/contract/dashboard';
import type { Project } from '../model/project.ts';
import type { LogRow, SightingRow } from '../store/store.ts';
import type { LogFilter } from '../store/tables/log-filter.ts';
import { type Administration, audit, InvalidInput } from './administration.ts';
import type { PersonFields } from './forget-person.ts';
import { inboxHashes, instanceHash } from './instance-hash.ts';
import { OWN_LISTS } from './own-list-entries.ts';
import { findProject } from './projects.ts';

const ROWS_AT_ONCE = 500;
/** More than a device can have. */
const MAX_SIGHTINGS = 10_000;

/** Everything that a project stores about an address or a device, for the person who asks. */
export async function exportPerson(
  admin: Administration,
  projectId: string,
  { email, fingerprintHash }: PersonFields,
): Promise<PersonExport> {
  if (email === undefined && (fingerprintHash ?? '') === '')
    throw new InvalidInput('email', 'Name an address, a device’s fingerprint, or both.');
  const keyedHash = await instanceHash(admin);
  return exportHashes(admin, projectId, {
    inboxes: email === undefined ? [] : inboxHashes(keyedHash, email),
    devices: fingerprintHash ? [keyedHash('device', fingerprintHash)] : [],
  });
}

interface Hashes {
  readonly inboxes: readonly string[];
  readonly devices: readonly string[];
}

/** The same for hashes. The audit log says how much was exported, never whose. */
export async function exportHashes(
  admin: Administration,
  projectId: string,
  { inboxes, devices }: Hashes,
): Promise<PersonExport> {
  const project = await findProject(admin, projectId);
  const { store } = admin;
  const validations = new Map<string, LogRow>();
  const collect = async (filter: LogFilter) => {
    for await (const row of logRows(admin, project.id, filter)) validations.set(row.id, row);
  };
  const sightings: PersonExport['sightings'] = [];
  const remember = (rows: readonly SightingRow[]) => sightings.push(...rows.map((row) => ({ ...row })));
  const outcomes: PersonExport['outcomes'] = [];
  const timeline: PersonExport['timeline'] = [];
  for (const subject of [
    ...inboxes.map((hash) => `person:${hash}`),
    ...devices.map((hash) => `device:${hash}`),
  ])
    timeline.push(...(await store.timeline.of(project.id, subject)).map((entry) => ({ ...entry })));
  for (const inbox of inboxes) {
    await collect({ inboxHash: inbox });
    remember(await store.memory.sightingsOfInbox(project.id, inbox));
    const outcome = await store.outcomes.find(project.id, inbox);
    if (outcome !== undefined) outcomes.push({ ...outcome });
  }
  for (const device of devices) {
    await collect({ deviceHash: device });
    remember(await store.memory.sightingsOfDevice(project.id, device, MAX_SIGHTINGS));
  }
  const exported: PersonExport = {
    projectId: project.id,
    exportedAt: new Date(admin.now()).toISOString(),
    inboxes: [...inboxes],
    devices: [...devices],
    validations: [...validations.values()].map(({ checksJson, ...row }) => ({
      ...row,
      checks: JSON.parse(checksJson) as unknown,
    })),
    sightings,
    outcomes,
    timeline,
    listedIn: await listsOf(admin, project, { inboxes, devices }),
  };
  await audit(admin, 'person.export', project.id, {
    logRows: exported.validations.length,
    sightings: sightings.length,
    outcomes: outcomes.length,
  });
  return exported;
}

/** The names of the lists with an entry for the person, whatever spelling it has. */
async function listsOf(
  admin: Pick<Administration, 'store' | 'randomBytes'>,
  project: Project,
  { inboxes, devices }: Hashes,
): Promise<string[]> {
  const keyedHash = await instanceHash(admin);
  const hashes = new Set([
    ...inboxes.map((hash) => `person:${hash}`),
    ...devices.map((hash) => `device:${hash}`),
  ]);
  const isTheirs = (value: string) =>
    value.includes('@')
      ? inboxHashes(keyedHash, value).some((hash) => inboxes.includes(hash))
      : hashes.has(value);
  const lists = [
    ...OWN_LISTS.map((list) => [list, project[list]] as const),
    ...Object.entries(project.namedLists),
  ];
  return lists.filter(([, entries]) => entries.some(({ value }) => isTheirs(value))).map(([name]) => name);
}

async function* logRows(
  { store }: Pick<Administration, 'store'>,
  projectId: string,
  filter: LogFilter,
): AsyncGenerator<LogRow> {
  let cursor: string | null = null;
  do {
    const page = await store.log.page(projectId, filter, ROWS_AT_ONCE, cursor);
    yield* page.rows;
    cursor = page.next;
  } while (cursor !== null);
}
