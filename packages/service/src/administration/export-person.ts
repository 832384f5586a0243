import type { PersonExport } from '@postern/contract/dashboard';
import type { ErasedHashes } from '../store/erasure.ts';
import type { LogRow, SightingRow } from '../store/store.ts';
import type { LogFilter } from '../store/tables/log-filter.ts';
import { type Administration, audit } from './administration.ts';
import { hashesOf, type PersonFields } from './forget-person.ts';
import { listsNaming } from './person-lists.ts';
import { findProject } from './projects.ts';

const ROWS_AT_ONCE = 500;
/** More than a device can have. */
const MAX_SIGHTINGS = 10_000;

/** Everything that a project stores about an address or a device, for the person who asks. */
export async function exportPerson(
  admin: Administration,
  projectId: string,
  person: PersonFields,
): Promise<PersonExport> {
  return exportHashes(admin, projectId, await hashesOf(admin, person));
}

/** The same for hashes. The audit log says how much was exported, never whose. */
export async function exportHashes(
  admin: Administration,
  projectId: string,
  whose: ErasedHashes,
): Promise<PersonExport> {
  const project = await findProject(admin, projectId);
  const { store } = admin;
  const { inboxes, devices } = whose;
  const validations = new Map<string, LogRow>();
  const collect = async (filter: LogFilter) => {
    for await (const row of logRows(admin, project.id, filter)) validations.set(row.id, row);
  };
  const sightings: PersonExport['sightings'] = [];
  const remember = (rows: readonly SightingRow[]) => sightings.push(...rows.map((row) => ({ ...row })));
  const timeline: PersonExport['timeline'] = [];
  for (const subject of [
    ...inboxes.map((hash) => `person:${hash}`),
    ...devices.map((hash) => `device:${hash}`),
  ])
    timeline.push(...(await store.timeline.of(project.id, subject)).map((entry) => ({ ...entry })));
  for (const inbox of inboxes) {
    await collect({ inboxHash: inbox });
    remember(await store.memory.sightingsOfInbox(project.id, inbox));
  }
  for (const device of devices) {
    await collect({ deviceHash: device });
    remember(await store.memory.sightingsOfDevice(project.id, device, MAX_SIGHTINGS));
  }
  const { outcome: outcomes = [], ...others } = await store.erasure.find(project.id, whose, [
    ...validations.keys(),
  ]);
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
    others,
    listedIn: await listsNaming(admin, project, whose),
  };
  await audit(admin, 'person.export', project.id, {
    logRows: exported.validations.length,
    sightings: sightings.length,
    outcomes: outcomes.length,
  });
  return exported;
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
