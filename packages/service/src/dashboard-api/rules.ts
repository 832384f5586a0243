import { withReason } from '../administration/administration.ts';
import { changeNamedList, createNamedList, deleteNamedList } from '../administration/named-lists.ts';
import { findProject } from '../administration/projects.ts';
import { createRule, deleteRule, moveRule, updateRule } from '../administration/rules.ts';
import { created, type DashboardHandlers, NO_CONTENT, ok, queryText } from '../operations/operation.ts';
import type { PlaygroundParts } from './playground.ts';
import { ruleDetail, ruleFigures } from './rule-figures.ts';
import { ruleVersions } from './rule-versions.ts';
import { checkRule, namedListView, ruleViews } from './rule-views.ts';
import { testRule } from './test-rule.ts';
import type { ValidationParts } from './validations.ts';

export type RuleParts = ValidationParts & Pick<PlaygroundParts, 'keyedHash' | 'checks'>;

/** Rules that people write, and the lists that rules name. */
export function ruleRoutes({ longReads, keyedHash }: RuleParts) {
  return {
    'GET /projects/:id/rules': async ({ admin, params }) =>
      ok(await ruleViews(admin, (await findProject(admin, params.id)).rules)),
    'GET /projects/:id/rule-figures': async (call) => ok(await longReads(() => ruleFigures(call))),
    'GET /projects/:id/rules/:rule': async (call) => ok(await longReads(() => ruleDetail(call))),
    'POST /projects/:id/rules': async ({ admin, params, body }) => {
      const { reason, ...rule } = body;
      return created(await createRule(withReason(admin, reason), params.id, rule));
    },
    'PATCH /projects/:id/rules/:rule': async ({ admin, params, body }) => {
      const { reason, ...change } = body;
      return ok(await updateRule(withReason(admin, reason), params.id, params.rule, change));
    },
    'DELETE /projects/:id/rules/:rule': async (call) => {
      const { admin, params } = call;
      await deleteRule(withReason(admin, queryText(call, 'reason')), params.id, params.rule);
      return NO_CONTENT;
    },
    'POST /projects/:id/rules/:rule/move': async ({ admin, params, body }) => {
      const { before, reason } = body;
      return ok([
        ...(await moveRule(withReason(admin, reason), params.id, params.rule, before ?? undefined)),
      ]);
    },
    'GET /projects/:id/rules/:rule/versions': async (call) => ok(await longReads(() => ruleVersions(call))),
    'POST /projects/:id/rules/check': async ({ admin, params, body }) =>
      ok(checkRule(await findProject(admin, params.id), body.when)),
    'POST /projects/:id/rules/test': async ({ admin, params, body }) =>
      ok(await testRule(admin, params.id, body, keyedHash, longReads)),
    'GET /projects/:id/named-lists': async ({ admin, params }) => {
      const project = await findProject(admin, params.id);
      return ok(Object.keys(project.namedLists).map((name) => namedListView(project, name)));
    },
    'POST /projects/:id/named-lists': async ({ admin, params, body }) => {
      const { name } = body;
      return created(namedListView(await createNamedList(admin, params.id, name), name));
    },
    'POST /projects/:id/named-lists/:name': async ({ admin, params, body }) =>
      ok(namedListView(await changeNamedList(admin, params.id, params.name, body), params.name)),
    'DELETE /projects/:id/named-lists/:name': async ({ admin, params }) => {
      await deleteNamedList(admin, params.id, params.name);
      return NO_CONTENT;
    },
  } satisfies Partial<DashboardHandlers>;
}
