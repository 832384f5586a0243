import type { ErasedHashes, ErasedRows } from '../store/erasure.ts';
import { type Administration, audit, InvalidInput } from './administration.ts';
import { inboxHashes, instanceHash } from './instance-hash.ts';
import { listsNaming } from './person-lists.ts';
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

export interface ForgetOptions {
  /** Only counts. */
  readonly dryRun: boolean;
  /** What the person’s claims hold stays, as bare hashes, so that they cannot claim again. */
  readonly keepClaims?: boolean | undefined;
}

/** The hashes under which a project stores an address, a device, or both. */
export async function hashesOf(
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

/**
 * Erases what a project stores about an address or a device. The audit log says how much, never whose.
 */
export async function forgetPerson(
  admin: Administration,
  projectId: string,
  person: PersonFields,
  options: ForgetOptions,
): Promise<Forgotten> {
  return forgetHashes(admin, projectId, await hashesOf(admin, person), options);
}

/** The same for hashes. */
export async function forgetHashes(
  admin: Administration,
  projectId: string,
  whose: ErasedHashes,
  { dryRun, keepClaims = false }: ForgetOptions,
): Promise<Forgotten> {
  const project = await findProject(admin, projectId);
  const rows = await admin.store.erasure.erase(project.id, whose, true);
  if (!dryRun) {
    // Erasing takes many transactions, so the log says it first. What is left after a crash, the next call erases.
    await audit(admin, 'person.forget', project.id, { ...rows, ...(keepClaims && { keepClaims }) });
    await admin.store.erasure.erase(project.id, whose, false, keepClaims);
  }
  return { ...rows, listedIn: await listsNaming(admin, project, whose) };
}
