import type { NamedLists } from '@postern/contract/project-fields';
import type { Rule } from '@postern/contract/rules';
import { maskListValue } from '../model/list-value.ts';
import type { ListEntry } from '../model/project.ts';
import type { ProjectChange } from '../store/tables/project-table.ts';
import { entriesIn, OWN_LISTS, type ProjectLists } from './own-list-entries.ts';

/** A long import is cut off. */
const MAX_ENTRIES = 50;

/**
 * A project’s change in a form for the audit log, which is never deleted: no entry names a person, and lists and rules
 * are recorded as what was added and what was removed.
 */
export function auditedChange(
  change: ProjectChange,
  before: ProjectLists & Partial<ProjectChange>,
): Record<string, unknown> {
  const { allowList: _allow, blockList: _block, namedLists, rules, ...rest } = change;
  const detail: Record<string, unknown> = { ...rest };
  const old = Object.keys(rest).filter((name) => name !== 'policy' && name in before);
  if (old.length > 0)
    detail.before = Object.fromEntries(
      old.map((name) => [name, before[name as keyof ProjectChange] ?? null]),
    );
  for (const list of OWN_LISTS) {
    const after = change[list];
    if (after !== undefined) noteEntries(detail, list, after, before[list]);
  }
  if (namedLists !== undefined) noteNamedLists(detail, namedLists, before.namedLists);
  if (rules !== undefined) Object.assign(detail, auditedRules(rules, before.rules ?? []));
  if (change.policy !== undefined && before.policy !== undefined) detail.policyBefore = before.policy;
  return detail;
}

function noteNamedLists(detail: Record<string, unknown>, after: NamedLists, before: NamedLists): void {
  for (const name of new Set([...Object.keys(after), ...Object.keys(before)]))
    noteEntries(detail, `list.${name}.`, entriesIn(after, name), entriesIn(before, name));
  const created = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
  const deleted = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  if (created.length > 0) detail.listsCreated = created;
  if (deleted.length > 0) detail.listsDeleted = deleted;
}

function noteEntries(
  detail: Record<string, unknown>,
  list: string,
  after: readonly ListEntry[],
  before: readonly ListEntry[],
): void {
  const added = entriesWithout(after, before);
  // An entry with a new note or end is not removed.
  const values = new Set(after.map(({ value }) => value));
  const removed = before.filter(({ value }) => !values.has(value));
  if (added.length > 0) detail[`${list}Added`] = added.slice(0, MAX_ENTRIES).map(impersonal);
  if (removed.length > 0) detail[`${list}Removed`] = removed.slice(0, MAX_ENTRIES).map(impersonal);
}

/** Rules that are new or changed, with what they say and said before, and the order if rules were moved. */
function auditedRules(after: readonly Rule[], before: readonly Rule[]): Record<string, unknown> {
  const unchanged = new Set(before);
  const changed = after.filter((rule) => !unchanged.has(rule));
  const ids = after.map(({ id }) => id);
  const removed = before.filter(({ id }) => !ids.includes(id)).map(({ id }) => id);
  const changedIds = new Set(changed.map(({ id }) => id));
  const old = before.filter(({ id }) => changedIds.has(id) || removed.includes(id));
  const order = before.map(({ id }) => id).filter((id) => ids.includes(id));
  const kept = ids.filter((id) => order.includes(id));
  return {
    ...(changed.length > 0 && { rulesChanged: changed }),
    ...(removed.length > 0 && { rulesRemoved: removed }),
    ...(old.length > 0 && { rulesBefore: old }),
    ...(kept.join() !== order.join() && { rulesOrder: ids }),
  };
}

const LISTS: readonly string[] = [...OWN_LISTS, 'namedLists'];

/** The action that the audit log names: changes of only the lists or the rules are daily work, and have their own. */
export function auditedAction(change: ProjectChange): 'project.lists' | 'project.rules' | 'project.update' {
  const names = Object.keys(change);
  if (names.every((name) => LISTS.includes(name))) return 'project.lists';
  return names.every((name) => name === 'rules') ? 'project.rules' : 'project.update';
}

function entriesWithout(entries: readonly ListEntry[], removed: readonly ListEntry[]): ListEntry[] {
  const texts = new Set(removed.map(textOf));
  return entries.filter((entry) => !texts.has(textOf(entry)));
}

const textOf = ({ value, note = '', flag, expiresAt }: ListEntry) =>
  JSON.stringify([value, note, flag, expiresAt]);

const impersonal = ({ value, flag, expiresAt }: ListEntry) => ({
  value: maskListValue(value),
  ...(flag === true && { flag }),
  ...(expiresAt !== undefined && { expiresAt }),
});
