import { RULE_LIMITS, type Rule } from '@postern/contract/rules';
import type { Project } from '../model/project.ts';
import { type Administration, InvalidInput, NotFound } from './administration.ts';
import { changeProject, findProject } from './projects.ts';
import { readRule, refuseMissingList, refusePastEnd } from './read-rules.ts';

/** What saving a rule notes by itself. */
type Noted = 'createdAt' | 'changedAt' | 'changedBy';

/** A new rule: `id` comes from the name if it is absent, `mode` is `live`, and it is the last one without `before`. */
export interface NewRule
  extends Pick<Rule, 'name' | 'when' | 'then'>,
    Pick<RuleChange, 'note' | 'message' | 'expiresAt'> {
  readonly id?: string | undefined;
  readonly mode?: Rule['mode'] | undefined;
  /** The rule that it is asked before. */
  readonly before?: string | undefined;
}

/** What changes. `null` takes a note, a message or an end away. */
export type RuleChange = {
  readonly [Name in keyof Omit<Rule, 'id' | Noted>]?: Rule[Name] | null | undefined;
};

export async function listRules(admin: Administration, projectId: string): Promise<readonly Rule[]> {
  return (await findProject(admin, projectId)).rules;
}

export async function createRule(admin: Administration, projectId: string, fields: NewRule): Promise<Rule> {
  const { before, ...rule } = fields;
  const id = { of: '' };
  const project = await changeRules(admin, projectId, ({ rules, namedLists }) => {
    id.of = rule.id ?? freeId(String(rule.name ?? ''), rules);
    if (rules.some((each) => each.id === id.of))
      throw new InvalidInput('id', `There is already a rule with the ID '${id.of}'.`);
    const mode = rule.mode === undefined ? 'live' : rule.mode;
    const wanted = readRule({ ...rule, id: id.of, mode });
    refuseMissingList(wanted.when, namedLists);
    refusePastEnd(wanted, admin.now());
    return placed(rules, wanted, before);
  });
  return findRule(project, id.of);
}

export async function updateRule(
  admin: Administration,
  projectId: string,
  id: string,
  change: RuleChange,
): Promise<Rule> {
  const project = await changeRules(admin, projectId, ({ rules, namedLists }) => {
    const before = findRule({ rules }, id);
    const wanted = readRule(changed(before, change));
    refuseMissingList(wanted.when, namedLists);
    if (wanted.expiresAt !== before.expiresAt) refusePastEnd(wanted, admin.now());
    return rules.map((rule) => (rule.id === id ? wanted : rule));
  });
  return findRule(project, id);
}

export async function deleteRule(admin: Administration, projectId: string, id: string): Promise<void> {
  await changeRules(admin, projectId, ({ rules }) => {
    findRule({ rules }, id);
    return rules.filter((rule) => rule.id !== id);
  });
}

/** Without `before` it becomes the last one. */
export async function moveRule(
  admin: Administration,
  projectId: string,
  id: string,
  before: string | undefined,
): Promise<readonly Rule[]> {
  const project = await changeRules(admin, projectId, ({ rules }) => {
    const rule = findRule({ rules }, id);
    return before === id
      ? rules
      : placed(
          rules.filter((each) => each.id !== id),
          rule,
          before,
        );
  });
  return project.rules;
}

export function findRule({ rules }: Pick<Project, 'rules'>, id: string): Rule {
  const rule = rules.find((each) => each.id === id);
  if (rule === undefined) throw new NotFound(`There is no rule '${id}'.`);
  return rule;
}

async function changeRules(
  admin: Administration,
  projectId: string,
  change: (project: Project) => readonly Rule[],
): Promise<Project> {
  const { after } = await changeProject(admin, projectId, (project) => ({ rules: change(project) }));
  return after;
}

function placed(rules: readonly Rule[], rule: Rule, before: string | undefined): Rule[] {
  if (before === undefined) return [...rules, rule];
  findRule({ rules }, before);
  return rules.flatMap((each) => (each.id === before ? [rule, each] : [each]));
}

const REMOVABLE: readonly string[] = ['note', 'message', 'expiresAt'] satisfies (keyof Rule)[];

function changed(rule: Rule, change: RuleChange): Rule {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const { changedAt: _at, changedBy: _by, ...kept } = rule;
  const merged = Object.entries({ ...kept, ...Object.fromEntries(given) });
  const removed = ([name, value]: [string, unknown]) => value === null && REMOVABLE.includes(name);
  return Object.fromEntries(merged.filter((field) => !removed(field))) as unknown as Rule;
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
