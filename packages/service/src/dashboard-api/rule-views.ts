import type { NamedListView, RuleCheck, RuleView } from '@postern/contract/dashboard';
import type { Rule } from '@postern/contract/rules';
import type { Administration } from '../administration/administration.ts';
import { entriesOf } from '../administration/named-lists.ts';
import { listsIn, missingList } from '../administration/read-rules.ts';
import { readExpression } from '../decision/rules/read-expression.ts';
import { ruleWarnings } from '../decision/rules/rule-warnings.ts';
import type { Project } from '../model/project.ts';

/** The rules with the names of those who changed them. */
export async function ruleViews(admin: Administration, rules: readonly Rule[]): Promise<RuleView[]> {
  const names = new Map((await admin.store.members.list()).map(({ id, name }) => [id, name]));
  return rules.map((rule) => ({
    ...rule,
    changedByName: names.get(rule.changedBy ?? '') ?? null,
    lists: listsIn(rule.when),
  }));
}

export function namedListView({ namedLists, rules }: Project, name: string): NamedListView {
  const usedBy = rules.filter(({ when }) => listsIn(when).includes(name)).map(({ id }) => id);
  return { name, entries: [...entriesOf(namedLists, name)], usedBy };
}

/** What saving would say about the condition. */
export function checkRule({ namedLists }: Project, when: unknown): RuleCheck {
  const source = typeof when === 'string' ? when : '';
  const read = readExpression(source);
  if (!read.ok) return { fault: { ...read.fault }, warnings: [] };
  const missing = missingList(source, namedLists);
  if (missing !== undefined) return { fault: { ...missing }, warnings: [] };
  return { fault: null, warnings: ruleWarnings(source) };
}
