import { DAY_MS } from '@postern/contract';
import type { RuleCheck, RuleFailures, RuleVersionView, RuleView } from '@postern/contract/dashboard';
import { RULE_LIMITS, type Rule } from '@postern/contract/rules';
import { readExpression } from '../decision/rules/read-expression.ts';
import { ruleWarnings } from '../decision/rules/rule-warnings.ts';
import type { Project } from '../model/project.ts';
import { createdAtOf } from '../outcomes/since-creation.ts';
import { slotOf } from '../store/statistics/statistics-words.ts';
import { type Administration, InvalidInput, NotFound, withReason } from './administration.ts';
import { changedMeanwhile, changeProject, findProject } from './change-project.ts';
import { memberNames } from './member-names.ts';
import {
  created,
  type DashboardHandlers,
  NO_CONTENT,
  ok,
  queryNumber,
  queryText,
  type RouteCall,
} from './operation.ts';
import { proposeRules } from './proposals.ts';
import { listsIn, missingList, readRule, refuseMissingList, refusePastEnd } from './read-rules.ts';
import { ruleDetail, ruleFigures } from './rule-figures.ts';
import { testRule } from './test-rule.ts';

const VERSIONS_AT_ONCE = 20;

/** The versions of the policy in which the rule was made or changed. A project keeps 200 versions at most. */
async function ruleVersions(
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

/** How often each rule’s evaluation failed. */
async function failuresOf(call: RouteCall<'GET /projects/:id/rule-failures'>): Promise<RuleFailures[]> {
  const { admin } = call;
  const days = queryNumber(call, 'days', 1, 400) ?? 30;
  const { id: projectId, rules } = await findProject(admin, call.params.id);
  const createdAt = createdAtOf(rules);
  const found = new Map<string, RuleFailures>(rules.map(({ id }) => [id, { id, count: 0, lastAt: null }]));
  const to = admin.now() + 1;
  for await (const portion of admin.store.statistics.read(projectId, slotOf(to - days * DAY_MS), to))
    for (const { at, counts } of portion)
      for (const failures of found.values()) {
        if (at < slotOf(createdAt(failures.id))) continue;
        const count = counts.get(`failure:${failures.id}`) ?? 0;
        failures.count += count;
        if (count > 0) failures.lastAt = at;
      }
  return [...found.values()].filter(({ count }) => count > 0);
}

/** Rules that people write. */
export const ruleOperations = {
  'GET /projects/:id/rules': async ({ admin, params }) =>
    ok(await ruleViews(admin, (await findProject(admin, params.id)).rules)),
  'GET /projects/:id/rule-figures': async (call) => ok(await call.longReads(() => ruleFigures(call))),
  'GET /projects/:id/rules/:rule': async (call) =>
    ok(
      await call.longReads(async () => {
        const rule = findRule(await findProject(call.admin, call.params.id), call.params.rule);
        const [view] = await ruleViews(call.admin, [rule]);
        if (view === undefined) throw new Error('A rule has no view');
        return { ...(await ruleDetail(call, rule)), rule: view };
      }),
    ),
  'POST /projects/:id/rules': async ({ admin, params, body: { reason, before, ...fields } }) => {
    const id = { of: '' };
    const rules = await changeRules(withReason(admin, reason), params.id, ({ rules, namedLists }) => {
      id.of = fields.id ?? freeId(fields.name, rules);
      if (rules.some((each) => each.id === id.of))
        throw new InvalidInput('id', `There is already a rule with the ID '${id.of}'.`);
      const wanted = readRule({ ...fields, id: id.of });
      refuseMissingList(wanted.when, namedLists);
      refusePastEnd(wanted, admin.now());
      return placed(rules, wanted, before);
    });
    return created(findRule({ rules }, id.of));
  },
  'PATCH /projects/:id/rules/:rule': async ({ admin, params, body }) => {
    const { reason, expected = {}, ...change } = body;
    const rules = await changeRules(withReason(admin, reason), params.id, ({ rules, namedLists }) => {
      const before = findRule({ rules }, params.rule);
      for (const [name, seen] of Object.entries(expected))
        if (![seen, Reflect.get(change, name)].includes(Reflect.get(before, name) ?? null))
          throw changedMeanwhile('The rule');
      const wanted = readRule(changed(before, change));
      refuseMissingList(wanted.when, namedLists);
      if (wanted.expiresAt !== before.expiresAt) refusePastEnd(wanted, admin.now());
      return rules.map((rule) => (rule.id === params.rule ? wanted : rule));
    });
    return ok(findRule({ rules }, params.rule));
  },
  'DELETE /projects/:id/rules/:rule': async (call) => {
    const { admin, params } = call;
    await changeRules(withReason(admin, queryText(call, 'reason')), params.id, ({ rules }) => {
      findRule({ rules }, params.rule);
      return rules.filter((rule) => rule.id !== params.rule);
    });
    return NO_CONTENT;
  },
  'POST /projects/:id/rules/:rule/move': async ({ admin, params, body: { before, reason } }) => {
    const moved = await changeRules(withReason(admin, reason), params.id, ({ rules }) => {
      const rule = findRule({ rules }, params.rule);
      if (before === params.rule) return rules;
      const others = rules.filter((each) => each.id !== params.rule);
      return placed(others, rule, before ?? undefined);
    });
    return ok([...moved]);
  },
  'GET /projects/:id/rules/:rule/versions': async (call) =>
    ok(await call.longReads(() => ruleVersions(call))),
  'POST /projects/:id/rules/check': async ({ admin, params, body }) =>
    ok(checkRule(await findProject(admin, params.id), body.when)),
  'POST /projects/:id/rules/test': async (call) => ok(await testRule(call)),
  'GET /projects/:id/rule-failures': async (call) => ok(await call.longReads(() => failuresOf(call))),
  'GET /projects/:id/rule-proposals': async (call) => ok(await proposeRules(call)),
} satisfies Partial<DashboardHandlers>;

/** The rules with the names of those who changed them. */
async function ruleViews(admin: Administration, rules: readonly Rule[]): Promise<RuleView[]> {
  const names = new Map((await admin.store.members.list()).map(({ id, name }) => [id, name]));
  return rules.map((rule) => ({
    ...rule,
    changedByName: names.get(rule.changedBy ?? '') ?? null,
    lists: listsIn(rule.when),
  }));
}

/** What saving would say about the condition. */
function checkRule({ namedLists }: Project, when: string): RuleCheck {
  const read = readExpression(when);
  if (!read.ok) return { fault: { ...read.fault }, warnings: [] };
  const missing = missingList(when, namedLists);
  if (missing !== undefined) return { fault: { ...missing }, warnings: [] };
  return { fault: null, warnings: ruleWarnings(when) };
}

function findRule({ rules }: Pick<Project, 'rules'>, id: string): Rule {
  const rule = rules.find((each) => each.id === id);
  if (rule === undefined) throw new NotFound(`There is no rule '${id}'.`);
  return rule;
}

async function changeRules(
  admin: Administration,
  projectId: string,
  change: (project: Project) => readonly Rule[],
): Promise<readonly Rule[]> {
  const { after } = await changeProject(admin, projectId, (project) => ({ rules: change(project) }));
  return after.rules;
}

/** Without `before` it becomes the last one. */
function placed(rules: readonly Rule[], rule: Rule, before: string | undefined): Rule[] {
  if (before === undefined) return [...rules, rule];
  findRule({ rules }, before);
  return rules.flatMap((each) => (each.id === before ? [rule, each] : [each]));
}

/** What is `null` is taken away. */
function changed(rule: Rule, change: object): Partial<Rule> {
  const { changedAt: _at, changedBy: _by, ...kept } = rule;
  const merged: Record<string, unknown> = { ...kept, ...change };
  // Only a flag asks for something.
  if (merged.then !== 'flag' && !('stepUp' in change)) merged.stepUp = null;
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}

const MAX_ID_LENGTH = 40;

/** The name in letters that an ID can have, with a number if it is taken. */
function freeId(name: string, rules: readonly Rule[]): string {
  const slug =
    name
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .slice(0, MAX_ID_LENGTH - 4)
      .replace(/^_+|_+$/g, '') || 'rule';
  const taken = new Set(rules.map(({ id }) => id));
  for (let number = 1; number <= RULE_LIMITS.rules; number += 1) {
    const id = number === 1 ? slug : `${slug}_${number}`;
    if (!taken.has(id)) return id;
  }
  return slug;
}
