import type { RuleVersionView } from '@postern/contract/dashboard';
import { findProject } from './change-project.ts';
import { memberNames } from './member-names.ts';
import type { RouteCall } from './operation.ts';

const VERSIONS_AT_ONCE = 20;

/** The versions of the policy in which the rule was made or changed. A project keeps 200 versions at most. */
export async function ruleVersions(
  call: RouteCall<'GET /projects/:id/rules/:rule/versions'>,
): Promise<RuleVersionView[]> {
  const { admin, params } = call;
  const { id: projectId } = await findProject(admin, params.id);
  const names = await memberNames(call);
  /** By the moment of the change, which a rule keeps until the next one: the oldest version that has it is its own. */
  const found = new Map<number, RuleVersionView>();
  let before: number | undefined;
  for (;;) {
    const versions = await admin.store.policyVersions.page(projectId, VERSIONS_AT_ONCE, before);
    for (const { number, at, actor, reason, rules } of versions) {
      const rule = rules.find(({ id }) => id === params.rule);
      if (rule === undefined) continue;
      found.set(rule.changedAt ?? 0, {
        version: number,
        at,
        by: actor,
        byName: names.get(actor) ?? null,
        reason,
        rule,
      });
    }
    before = versions.at(-1)?.number;
    if (versions.length < VERSIONS_AT_ONCE || before === undefined) return [...found.values()];
  }
}
