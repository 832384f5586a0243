import type { NamedListView } from '@postern/contract/dashboard';
import type { ListEntry } from '@postern/contract/project-fields';
import { InvalidInput, withReason } from '../administration/administration.ts';
import { changeNamedList, createNamedList, deleteNamedList } from '../administration/named-lists.ts';
import { findProject } from '../administration/projects.ts';
import { createRule, deleteRule, listRules, moveRule, updateRule } from '../administration/rules.ts';
import type { PlaygroundParts } from './playground.ts';
import { created, type DashboardHandlers, NO_CONTENT, ok, queryText } from './route.ts';
import { testRule } from './test-rule.ts';
import type { ValidationParts } from './validations.ts';

export type RuleParts = ValidationParts & Pick<PlaygroundParts, 'keyedHash'>;

/** Rules that people write, and the lists that rules name. */
export function ruleRoutes({ longReads, keyedHash }: RuleParts) {
  return {
    'GET /projects/:id/rules': async ({ admin, params }) => ok([...(await listRules(admin, params.id))]),
    'POST /projects/:id/rules': async ({ admin, params, fields }) => {
      const { name = '', when = '', then = 'flag', reason, ...rest } = fields();
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
    'POST /projects/:id/rules/test': async ({ admin, params, fields }) =>
      ok(await testRule(admin, params.id, fields(), keyedHash, longReads)),
    'GET /projects/:id/named-lists': async ({ admin, params }) => {
      const { namedLists } = await findProject(admin, params.id);
      return ok(Object.entries(namedLists).map(([name, entries]) => viewOf(name, entries)));
    },
    'POST /projects/:id/named-lists': async ({ admin, params, fields }) => {
      const { name } = fields();
      if (typeof name !== 'string') throw new InvalidInput('name', 'A list needs a name.');
      return created(viewOf(name, await createNamedList(admin, params.id, name)));
    },
    'POST /projects/:id/named-lists/:name': async ({ admin, params, fields }) =>
      ok(viewOf(params.name, await changeNamedList(admin, params.id, params.name, fields()))),
    'DELETE /projects/:id/named-lists/:name': async ({ admin, params }) => {
      await deleteNamedList(admin, params.id, params.name);
      return NO_CONTENT;
    },
  } satisfies Partial<DashboardHandlers>;
}

function viewOf(name: string, entries: readonly ListEntry[]): NamedListView {
  return { name, entries: [...entries] };
}
