import type { NamedListView, RuleCheck, RuleView } from '@postern/contract/dashboard';
import type { Rule } from '@postern/contract/rules';
import type { Administration } from '../administration/administration.ts';
import { entriesOf } from '../administration/named-lists.ts';
import { readExpression } from '../decision/rules/read-expression.ts';
import { ruleEnglish } from '../decision/rules/rule-english.ts';
import type { Project } from '../model/project.ts';

/** The rules with what each says in plain English, and with the names of those who changed them. */
export async function ruleViews(admin: Administration, rules: readonly Rule[]): Promise<RuleView[]> {
  const names = new Map((await admin.store.members.list()).map(({ id, name }) => [id, name]));
  return rules.map((rule) => ({
    ...rule,
    sentence: ruleEnglish(rule.when) ?? `“${rule.when}” is true`,
    changedByName: names.get(rule.changedBy ?? '') ?? null,
    lists: listsIn(rule.when),
  }));
}

function listsIn(when: string): string[] {
  const read = readExpression(when);
  return read.ok ? [...read.expression.use.lists] : [];
}

export function namedListView({ namedLists, rules }: Project, name: string): NamedListView {
  const usedBy = rules.filter(({ when }) => listsIn(when).includes(name)).map(({ id }) => id);
  return { name, entries: [...entriesOf(namedLists, name)], usedBy };
}

/** What saving would say about the condition. */
export function checkRule({ namedLists }: Project, when: unknown): RuleCheck {
  const source = typeof when === 'string' ? when : '';
  const read = readExpression(source);
  if (!read.ok) return { fault: { ...read.fault }, sentence: null };
  const unknown = [...read.expression.use.lists].find((name) => !Object.hasOwn(namedLists, name));
  if (unknown === undefined) return { fault: null, sentence: ruleEnglish(source) ?? null };
  const names = Object.keys(namedLists).join(', ') || 'none yet';
  const message = `There is no list “${unknown}”. Lists: ${names}.`;
  return { fault: { ...placeOf(source, unknown), message }, sentence: null };
}

/** Where the list is named, counted from 1. */
function placeOf(source: string, name: string): { line: number; column: number } {
  const start = Math.max(0, source.indexOf(name));
  const before = source.slice(0, start).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
