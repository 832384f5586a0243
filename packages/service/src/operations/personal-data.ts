import type { ForgetAnswer, PersonExport } from '@postern/contract/dashboard';
import type { ListEntry, Project } from '../model/project.ts';
import type { ErasedHashes } from '../store/erasure.ts';
import type { LogRow, SightingRow } from '../store/store.ts';
import type { LogFilter } from '../store/tables/log-filter.ts';
import { type Administration, audit, InvalidInput } from './administration.ts';
import { findProject } from './change-project.ts';
import { inboxHashes, instanceHash } from './instance-hash.ts';
import { type DashboardHandlers, ok } from './operation.ts';
import { OWN_LISTS } from './own-list-entries.ts';

/** Only counts unless `erase` is set, like the command, because erasing cannot be undone. */
export const personalDataOperations = {
  'POST /projects/:id/forget': async ({ admin, params, body }) =>
    ok(await forgetPerson(admin, params.id, body)),
  'POST /projects/:id/people/:inbox/erase': async ({ admin, params, body }) =>
    ok(await forget(admin, params.id, { inboxes: [params.inbox], devices: [] }, body)),
  'GET /projects/:id/people/:inbox/export': async ({ admin, params: { id, inbox } }) => ({
    ...ok(await exportHashes(admin, id, { inboxes: [inbox], devices: [] })),
    headers: { 'Content-Disposition': `attachment; filename="person-${inbox.slice(0, 8)}.json"` },
  }),
} satisfies Partial<DashboardHandlers>;

interface PersonFields {
  readonly email?: string | undefined;
  readonly fingerprintHash?: string | undefined;
}

interface ForgetOptions {
  /** Otherwise only counts. */
  readonly erase?: boolean | undefined;
  /** What the person’s claims hold stays, as bare hashes, so that they cannot claim again. */
  readonly keepClaims?: boolean | undefined;
}

/** The hashes under which a project stores an address, a device, or both. */
async function hashesOf(
  admin: Administration,
  { email, fingerprintHash }: PersonFields,
): Promise<ErasedHashes> {
  if (email === undefined && (fingerprintHash ?? '') === '')
    throw new InvalidInput('email', 'Name an address, a device’s fingerprint, or both.');
  const keyedHash = await instanceHash(admin);
  return {
    inboxes: email === undefined ? [] : inboxHashes(keyedHash, email),
    devices: fingerprintHash ? [keyedHash('device', fingerprintHash)] : [],
  };
}

export async function forgetPerson(
  admin: Administration,
  projectId: string,
  { email, fingerprintHash, ...options }: PersonFields & ForgetOptions,
): Promise<ForgetAnswer> {
  return forget(admin, projectId, await hashesOf(admin, { email, fingerprintHash }), options);
}

/**
 * Erases what a project stores about these. The audit log says how much, never whose. Entries of lists are the operator’s
 * decision and stay; the answer names the lists.
 */
async function forget(
  admin: Administration,
  projectId: string,
  whose: ErasedHashes,
  { erase = false, keepClaims = false }: ForgetOptions,
): Promise<ForgetAnswer> {
  const project = await findProject(admin, projectId);
  const rows = await admin.store.erasure.erase(project.id, whose, true);
  if (erase) {
    // Erasing takes many transactions, so the log says it first. What is left after a crash, the next call erases.
    await audit(admin, 'person.forget', project.id, { ...rows, ...(keepClaims && { keepClaims }) });
    await admin.store.erasure.erase(project.id, whose, false, keepClaims);
  }
  return { ...rows, listedIn: await listsNaming(admin, project, whose), erased: erase };
}

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
async function exportHashes(
  admin: Administration,
  projectId: string,
  whose: ErasedHashes,
): Promise<PersonExport> {
  const project = await findProject(admin, projectId);
  const { store } = admin;
  const { inboxes, devices } = whose;
  const validations = new Map<string, LogRow>();
  const collect = async (filter: LogFilter) => {
    let cursor: string | null = null;
    do {
      const page = await store.log.page(project.id, filter, ROWS_AT_ONCE, cursor);
      for (const row of page.rows) validations.set(row.id, row);
      cursor = page.next;
    } while (cursor !== null);
  };
  const sightings: PersonExport['sightings'] = [];
  const remember = (rows: readonly SightingRow[]) => sightings.push(...rows.map((row) => ({ ...row })));
  const timeline: PersonExport['timeline'] = [];
  for (const subject of subjectsOf(whose))
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

const subjectsOf = ({ inboxes, devices }: ErasedHashes) => [
  ...inboxes.map((hash) => `person:${hash}`),
  ...devices.map((hash) => `device:${hash}`),
];

/** The entries of all lists of the project that name one of these people or devices, in whatever spelling. */
export async function entriesNaming(
  admin: Pick<Administration, 'store'>,
  project: Project,
  whose: ErasedHashes,
): Promise<{ list: string; entry: ListEntry }[]> {
  const keyedHash = await instanceHash(admin);
  const values = new Set(subjectsOf(whose));
  const isTheirs = (value: string) =>
    value.includes('@')
      ? inboxHashes(keyedHash, value).some((hash) => whose.inboxes.includes(hash))
      : values.has(value);
  const lists = [
    ...OWN_LISTS.map((list) => [list, project[list]] as const),
    ...Object.entries(project.namedLists),
  ];
  return lists.flatMap(([list, entries]) =>
    entries.filter(({ value }) => isTheirs(value)).map((entry) => ({ list, entry })),
  );
}

/** The names of those lists. */
async function listsNaming(
  admin: Pick<Administration, 'store'>,
  project: Project,
  whose: ErasedHashes,
): Promise<string[]> {
  return [...new Set((await entriesNaming(admin, project, whose)).map(({ list }) => list))];
}
