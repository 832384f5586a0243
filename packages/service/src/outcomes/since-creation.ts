import type { Rule } from '@postern/contract/rules';

type Rules = readonly Pick<Rule, 'id' | 'createdAt'>[];

/** Since when the marks of a rule are its own. Those before belong to a deleted rule that had the same ID. */
export function createdAtOf(rules: Rules): (id: string) => number {
  const created = new Map(rules.map(({ id, createdAt }) => [id, createdAt ?? 0]));
  return (id) => created.get(id) ?? 0;
}

/** Leaves out the marks of rules from before they were created. */
export function sinceCreation(rules: Rules) {
  const createdAt = createdAtOf(rules);
  return <Marks extends { readonly at: number; readonly rules: readonly string[] }>(marks: Marks): Marks =>
    marks.rules.length === 0
      ? marks
      : { ...marks, rules: marks.rules.filter((id) => marks.at >= createdAt(id)) };
}
