import { InvalidInput, withReason } from '../administration/administration.ts';
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
    'POST /projects/:id/rules': async ({ admin, params, fields }) => {
      const { name = '', when = '', then, reason, ...rest } = fields();
      if (then === undefined) throw new InvalidInput('then', 'then must be allow, flag or block.');
      return created(await createRule(withReason(admin, reason), params.id, { name, when, then, ...rest }));
    },
    'PATCH /projects/:id/rules/:rule': async ({ admin, params, fields }) => {
      const { reason, ...change } = fields();
      return ok(await updateRule(withReason(admin, reason), params.id, params.rule, change));
    },
    'DELETE /projects/:id/rules/:rule': async (call) => {
      const { admin, params } = call;
      await deleteRule(withReason(admin, queryText(call, 'reason')), params.id, params.rule);
      return NO_CONTENT;
    },
    'POST /projects/:id/rules/:rule/move': async ({ admin, params, fields }) => {
      const { before, reason } = fields();
      if (before !== null && typeof before !== 'string')
        throw new InvalidInput('before', 'before must be the ID of a rule, or null.');
      return ok([
        ...(await moveRule(withReason(admin, reason), params.id, params.rule, before ?? undefined)),
      ]);
    },
    'GET /projects/:id/rules/:rule/versions': async (call) => ok(await longReads(() => ruleVersions(call))),
    'POST /projects/:id/rules/check': async ({ admin, params, fields }) =>
      ok(checkRule(await findProject(admin, params.id), fields().when)),
    'POST /projects/:id/rules/test': async ({ admin, params, fields }) =>
      ok(await testRule(admin, params.id, fields(), keyedHash, longReads)),
    'GET /projects/:id/named-lists': async ({ admin, params }) => {
      const project = await findProject(admin, params.id);
      return ok(Object.keys(project.namedLists).map((name) => namedListView(project, name)));
    },
    'POST /projects/:id/named-lists': async ({ admin, params, fields }) => {
      const { name } = fields();
      if (typeof name !== 'string') throw new InvalidInput('name', 'A list needs a name.');
      return created(namedListView(await createNamedList(admin, params.id, name), name));
    },
    'POST /projects/:id/named-lists/:name': async ({ admin, params, fields }) =>
      ok(namedListView(await changeNamedList(admin, params.id, params.name, fields()), params.name)),
    'DELETE /projects/:id/named-lists/:name': async ({ admin, params }) => {
      await deleteNamedList(admin, params.id, params.name);
      return NO_CONTENT;
    },
  } satisfies Partial<DashboardHandlers>;
}
