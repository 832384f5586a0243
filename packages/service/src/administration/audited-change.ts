import { maskListValue } from '../model/list-value.ts';
import type { ListEntry } from '../model/project.ts';
import type { ProjectChange } from '../store/tables/project-table.ts';
import { OWN_LISTS, type OwnListEntries } from './own-list-entries.ts';

/** A long import is cut off. */
const MAX_ENTRIES = 50;

/**
 * A project’s change in a form for the audit log, which is never deleted: no entry names a person, and a list is
 * recorded as what was added and what was removed.
 */
export function auditedChange(change: ProjectChange, before: OwnListEntries): Record<string, unknown> {
  const { allowList: _allow, blockList: _block, ...rest } = change;
  const detail: Record<string, unknown> = { ...rest };
  for (const list of OWN_LISTS) {
    const after = change[list];
    if (after === undefined) continue;
    const added = entriesWithout(after, before[list]);
    // An entry with a new note or end is not removed.
    const values = new Set(after.map(({ value }) => value));
    const removed = before[list].filter(({ value }) => !values.has(value));
    if (added.length > 0) detail[`${list}Added`] = added.slice(0, MAX_ENTRIES).map(impersonal);
    if (removed.length > 0) detail[`${list}Removed`] = removed.slice(0, MAX_ENTRIES).map(impersonal);
  }
  return detail;
}

/** The action that the audit log names: changes of only the lists are daily work, and have their own. */
export function auditedAction(change: ProjectChange): 'project.lists' | 'project.update' {
  const names = Object.keys(change);
  return names.every((name) => OWN_LISTS.some((list) => list === name)) ? 'project.lists' : 'project.update';
}

function entriesWithout(entries: readonly ListEntry[], removed: readonly ListEntry[]): ListEntry[] {
  const texts = new Set(removed.map(textOf));
  return entries.filter((entry) => !texts.has(textOf(entry)));
}

const textOf = ({ value, note = '', expiresAt }: ListEntry) => JSON.stringify([value, note, expiresAt]);

const impersonal = ({ value, expiresAt }: ListEntry) => ({
  value: maskListValue(value),
  ...(expiresAt !== undefined && { expiresAt }),
});
