import { CHECK_NAMES, type LanguageTag, POLICY_SIGNALS } from '@postern/contract';
import type { PolicyPatch, ProjectPolicy } from '@postern/contract/project-fields';
import { pageOf } from '../model/page.ts';
import type { PolicyVersion } from '../store/tables/policy-version-table.ts';
import { type Administration, InvalidInput, NotFound, withReason } from './administration.ts';
import { policyDifference } from './policy-difference.ts';
import { changeProject, findProject } from './projects.ts';

/** A version with what changed since another one, in words. */
export interface ComparedVersion extends PolicyVersion {
  readonly changes: readonly string[];
}

/** The versions of a project’s policy and rules, newest first, each with what changed since the one before. */
export async function listPolicyVersions(
  admin: Administration,
  projectId: string,
  limit: number,
  before?: number,
): Promise<{ readonly rows: ComparedVersion[]; readonly next: number | null }> {
  const { id } = await findProject(admin, projectId);
  const found = await admin.store.policyVersions.page(id, limit + 1, before);
  const { rows, next } = pageOf(found, limit, ({ number }) => String(number));
  return {
    rows: rows.map((version, index) => compared(version, found[index + 1])),
    next: next === null ? null : Number(next),
  };
}

/** One version, compared with another one; without `against` with the one before it. */
export async function findPolicyVersion(
  admin: Administration,
  projectId: string,
  number: number,
  against?: number,
): Promise<ComparedVersion> {
  const version = await versionOf(admin, projectId, number);
  if (against !== undefined) return compared(version, await versionOf(admin, projectId, against));
  const [before] = await admin.store.policyVersions.page(projectId, 1, number);
  return compared(version, before);
}

/** Saves an earlier version again, as a new one. */
export async function restorePolicy(
  admin: Administration,
  projectId: string,
  number: number,
): Promise<ComparedVersion> {
  const wanted = await versionOf(admin, projectId, number);
  const because = withReason(admin, admin.reason ?? `Back to version ${number}.`);
  await changeProject(because, projectId, (current) => {
    if (policyDifference(current, wanted).length === 0)
      throw new InvalidInput('version', `The policy and rules are already those of version ${number}.`);
    return { policy: patchTo(wanted.policy, current.policy), rules: wanted.rules };
  });
  const { rows } = await listPolicyVersions(admin, projectId, 1);
  const [newest] = rows;
  if (newest === undefined) throw new Error('A saved policy has no version');
  return newest;
}

async function versionOf(admin: Administration, projectId: string, number: number): Promise<PolicyVersion> {
  const { id } = await findProject(admin, projectId);
  const version = await admin.store.policyVersions.find(id, number);
  if (version === undefined) throw new NotFound(`There is no version ${number} of the policy.`);
  return version;
}

/** The oldest version that is kept has nothing to be compared with. */
function compared(version: PolicyVersion, before: PolicyVersion | undefined): ComparedVersion {
  return { ...version, changes: before === undefined ? [] : policyDifference(before, version) };
}

/** The change that makes the policy this one. It names every setting, because a change leaves others as they are. */
function patchTo(
  { actions, signals, messages, ...fields }: ProjectPolicy,
  current: ProjectPolicy,
): PolicyPatch {
  const tags = new Set([...Object.keys(current.messages), ...Object.keys(messages)]) as Set<LanguageTag>;
  return {
    ...fields,
    actions: Object.fromEntries(CHECK_NAMES.map((name) => [name, actions[name] ?? 'off'])),
    signals: Object.fromEntries(POLICY_SIGNALS.map((name) => [name, signals[name] ?? 'off'])),
    messages: Object.fromEntries(
      [...tags].map((tag) => [
        tag,
        Object.fromEntries(CHECK_NAMES.map((name) => [name, messages[tag]?.[name] ?? null])),
      ]),
    ),
  };
}
