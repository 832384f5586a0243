import type { Project } from '../model/project.ts';
import type { ErasedRows } from '../store/erasure.ts';
import { type Administration, audit, InvalidInput } from './administration.ts';
import { inboxesOf, instanceHash } from './instance-hash.ts';
import { OWN_LISTS } from './own-list-entries.ts';
import { findProject } from './projects.ts';

export interface PersonFields {
  readonly email?: string | undefined;
  readonly fingerprintHash?: string | undefined;
}

export interface Forgotten extends ErasedRows {
  /**
   * The project’s lists that contain the person: `allowList`, `blockList`, and the names of others. Entries are the
   * operator’s decision and stay.
   */
  readonly listedIn: readonly string[];
}

/**
 * Erases what a project stores about an address or a device. `dryRun` only counts it. The audit log says how much,
 * never whose.
 */
export async function forgetPerson(
  admin: Administration,
  projectId: string,
  { email, fingerprintHash }: PersonFields,
  dryRun: boolean,
): Promise<Forgotten> {
  if (email === undefined && (fingerprintHash ?? '') === '')
    throw new InvalidInput('email', 'Name an address, a device’s fingerprint, or both.');
  const addresses = email === undefined ? [] : inboxesOf(email);
  const project = await findProject(admin, projectId);
  const keyedHash = await instanceHash(admin);
  const whose = {
    inboxes: addresses.map((address) => keyedHash('inbox', address)),
    devices: fingerprintHash ? [keyedHash('device', fingerprintHash)] : [],
  };
  const rows = await admin.store.erasure.erase(project.id, whose, dryRun);
  if (!dryRun) await audit(admin, 'person.forget', project.id, { ...rows });
  return { ...rows, listedIn: listsWith(project, addresses, whose) };
}

/** Erases what a project stores about one inbox, given by its hash. `dryRun` only counts it. */
export async function forgetInbox(
  admin: Administration,
  projectId: string,
  inboxHash: string,
  dryRun: boolean,
): Promise<ErasedRows> {
  const project = await findProject(admin, projectId);
  const rows = await admin.store.erasure.erase(project.id, { inboxes: [inboxHash], devices: [] }, dryRun);
  if (!dryRun) await audit(admin, 'person.forget', project.id, { ...rows });
  return rows;
}

function listsWith(
  project: Project,
  addresses: readonly string[],
  { inboxes, devices }: { readonly inboxes: readonly string[]; readonly devices: readonly string[] },
): Forgotten['listedIn'] {
  const values = new Set([
    ...addresses,
    ...inboxes.map((hash) => `person:${hash}`),
    ...devices.map((hash) => `device:${hash}`),
  ]);
  const lists = [
    ...OWN_LISTS.map((list) => [list, project[list]] as const),
    ...Object.entries(project.namedLists),
  ];
  return lists.filter(([, entries]) => entries.some(({ value }) => values.has(value))).map(([name]) => name);
}
