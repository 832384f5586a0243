import { CHECK_NAMES, type LanguageTag, POLICY_SIGNALS } from '@postern/contract';
import type { PolicyVersionView } from '@postern/contract/dashboard';
import type { PolicyPatch, ProjectPolicy } from '@postern/contract/project-fields';
import { pageOf } from '../model/page.ts';
import type { PolicyVersion } from '../store/tables/policy-version-table.ts';
import { type Administration, InvalidInput, NotFound, withReason } from './administration.ts';
import { changedMeanwhile, changeProject, findProject } from './change-project.ts';
import { memberNames } from './member-names.ts';
import { type DashboardHandlers, ok, queryNumber } from './operation.ts';
import { policyDifference } from './policy-difference.ts';

const ROWS = 20;
const MAX_ROWS = 50;
const MAX_NUMBER = 1_000_000_000;

/** The versions of a project’s policy and rules. */
export const policyHistoryOperations = {
  'GET /projects/:id/policy-history': async (call) => {
    const limit = queryNumber(call, 'limit', 1, MAX_ROWS) ?? ROWS;
    const { id } = await findProject(call.admin, call.params.id);
    const before = queryNumber(call, 'before', 1, MAX_NUMBER);
    const found = await call.admin.store.policyVersions.page(id, limit + 1, before);
    const { rows, next } = pageOf(found, limit, ({ number }) => String(number));
    const names = await memberNames(call);
    return ok({
      rows: rows.map((version, index) => viewOf(version, found[index + 1], names)),
      next: next === null ? null : Number(next),
    });
  },
  'GET /projects/:id/policy-history/:version': async (call) => {
    const { admin, params } = call;
    const version = await versionOf(admin, params.id, params.version);
    const against = queryNumber(call, 'against', 1, MAX_NUMBER);
    const before =
      against === undefined
        ? (await admin.store.policyVersions.page(params.id, 1, version.number))[0]
        : await versionOf(admin, params.id, String(against));
    const view = viewOf(version, before, await memberNames(call));
    return ok({ ...view, policy: version.policy, rules: [...version.rules] });
  },
  /** Saves an earlier version again, as a new one. */
  'POST /projects/:id/policy-history/:version/restore': async (call) => {
    const { id } = call.params;
    const wanted = await versionOf(call.admin, id, call.params.version);
    const because = withReason(call.admin, call.body.reason || `Back to version ${wanted.number}.`);
    const [inUse] = await call.admin.store.policyVersions.page(id, 1);
    await changeProject(because, id, (current) => {
      const { inUse: seen = inUse?.number } = call.body;
      if (seen !== inUse?.number || (inUse && policyDifference(current, inUse).length > 0))
        throw changedMeanwhile('The policy');
      if (policyDifference(current, wanted).length === 0)
        throw new InvalidInput(
          'version',
          `The policy and rules are already those of version ${wanted.number}.`,
        );
      return { policy: patchTo(wanted.policy, current.policy), rules: wanted.rules };
    });
    const [newest, before] = await call.admin.store.policyVersions.page(id, 2);
    if (newest === undefined) throw new Error('A saved policy has no version');
    return ok(viewOf(newest, before, await memberNames(call)));
  },
} satisfies Partial<DashboardHandlers>;

async function versionOf(
  { store }: Administration,
  projectId: string,
  written: string,
): Promise<PolicyVersion> {
  if (!/^[1-9]\d{0,8}$/.test(written))
    throw new InvalidInput('version', 'A version is a whole number, such as 3.');
  const { id } = await findProject({ store }, projectId);
  const version = await store.policyVersions.find(id, Number(written));
  if (version === undefined) throw new NotFound(`There is no version ${written} of the policy.`);
  return version;
}

/** With what changed since another version, in words. The oldest one that is kept has nothing to be compared with. */
function viewOf(
  version: PolicyVersion,
  before: PolicyVersion | undefined,
  names: ReadonlyMap<string, string>,
): PolicyVersionView {
  const { number, at, actor, reason } = version;
  return {
    ...{ version: number, at, by: actor, byName: names.get(actor) ?? null, reason },
    changes: before === undefined ? [] : policyDifference(before, version),
  };
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
