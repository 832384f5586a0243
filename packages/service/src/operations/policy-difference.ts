import { CHECK_NAMES, LANGUAGE_TAGS, POLICY_SIGNALS } from '@postern/contract';
import {
  fieldRows,
  POLICY_FIELDS,
  type ProjectPolicy,
  type ProjectSettings,
} from '@postern/contract/project-fields';
import type { Rule } from '@postern/contract/rules';

/** What changed from one version to the other, one sentence for each change. Empty if nothing did. */
type PolicyAndRules = Pick<ProjectSettings, 'policy' | 'rules'>;

export function policyDifference(before: PolicyAndRules, after: PolicyAndRules): string[] {
  return [
    ...settingChanges(before.policy, after.policy),
    ...messageChanges(before.policy, after.policy),
    ...ruleChanges(before.rules, after.rules),
  ];
}

function settingChanges(before: ProjectPolicy, after: ProjectPolicy): string[] {
  const changes: string[] = [];
  const note = (what: string, now: unknown, was: unknown, unit = '') => {
    if (now !== was) changes.push(`${what}: ${now}${unit}, was ${was}${unit}.`);
  };
  for (const name of CHECK_NAMES)
    note(`Check ${name}`, after.actions[name] ?? 'off', before.actions[name] ?? 'off');
  for (const name of POLICY_SIGNALS)
    note(`Signal ${name}`, after.signals[name] ?? 'off', before.signals[name] ?? 'off');
  for (const [name, field] of fieldRows(POLICY_FIELDS)) {
    if (field.kind === 'choice') note(field.label, after[name], before[name]);
    if (field.kind === 'count') note(field.label, after[name], before[name], ` ${field.unit}`);
  }
  return changes;
}

function messageChanges(before: ProjectPolicy, after: ProjectPolicy): string[] {
  return LANGUAGE_TAGS.flatMap((tag) =>
    CHECK_NAMES.flatMap((name) => {
      const [was, now] = [before.messages[tag]?.[name], after.messages[tag]?.[name]];
      return was === now ? [] : [`Message of ${name} in ${tag}: ${textOf(now)}, was ${textOf(was)}.`];
    }),
  );
}

const textOf = (text: string | undefined) => (text === undefined ? 'the usual one' : `“${text}”`);

function ruleChanges(before: readonly Rule[], after: readonly Rule[]): string[] {
  const known = new Map(before.map((rule) => [rule.id, rule]));
  const left = new Set(after.map(({ id }) => id));
  const changes = after.flatMap((rule) => {
    const was = known.get(rule.id);
    return was === undefined ? [newRule(rule)] : changesOfRule(was, rule);
  });
  for (const rule of before) if (!left.has(rule.id)) changes.push(`Rule ${named(rule)} is deleted.`);
  const kept = (rules: readonly Rule[], others: (id: string) => boolean) =>
    rules.filter(({ id }) => others(id)).map(({ id }) => id);
  const order = kept(after, (id) => known.has(id));
  if (order.join() !== kept(before, (id) => left.has(id)).join())
    changes.push(`Rules are asked in another order: ${after.map(({ id }) => id).join(', ')}.`);
  return changes;
}

function newRule(rule: Rule): string {
  const mode = rule.mode === 'shadow' ? ', in shadow' : '';
  return `Rule ${named(rule)} is new: ${rule.then} if ${oneLine(rule.when)}${mode}.`;
}

const FIELDS = ['name', 'when', 'then', 'mode', 'message', 'note', 'expiresAt'] as const;
const FIELD_NAMES: Readonly<Record<(typeof FIELDS)[number], string>> = {
  name: 'name',
  when: 'condition',
  then: 'answer',
  mode: 'mode',
  message: 'message',
  note: 'note',
  expiresAt: 'end',
};

function changesOfRule(before: Rule, after: Rule): string[] {
  return FIELDS.filter((field) => before[field] !== after[field]).map(
    (field) =>
      `Rule ${named(after)}: ${FIELD_NAMES[field]} ${fieldText(after, field)}, was ${fieldText(before, field)}.`,
  );
}

function fieldText(rule: Rule, field: (typeof FIELDS)[number]): string {
  const value = rule[field];
  if (value === undefined) return 'none';
  return typeof value === 'number' ? new Date(value).toISOString() : oneLine(value);
}

const named = ({ id, name }: Rule) => `${id} (${name})`;
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
