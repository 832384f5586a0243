import type { ListChange, ListName } from '@postern/contract/dashboard';
import type { ListEntry, Project } from '../model/project.ts';
import { changeProject } from './change-project.ts';
import { type DashboardHandlers, ok } from './operation.ts';
import { OWN_LISTS } from './own-list-entries.ts';
import { readListValue } from './project-fields.ts';

export const listOperations = {
  /**
   * Adds entries to the lists that decide and removes others. An added value is removed from the other list, where it
   * would mean the opposite.
   */
  'POST /projects/:id/lists': async ({ admin, params, body: { changes } }) => {
    const { before, after } = await changeProject(admin, params.id, (project) =>
      changedLists(project, changes),
    );
    return ok({ undo: undoOf(before, after) });
  },
} satisfies Partial<DashboardHandlers>;

/** The project’s lists after the changes. */
export function changedLists(
  project: Pick<Project, ListName>,
  changes: readonly ListChange[],
): Record<ListName, ListEntry[]> {
  const lists: Record<ListName, ListEntry[]> = {
    allowList: [...project.allowList],
    blockList: [...project.blockList],
  };
  for (const change of changes) {
    const text = 'add' in change ? change.add.value : change.remove;
    const value = readListValue(text) ?? text;
    for (const list of OWN_LISTS) {
      if ('add' in change || list === change.list)
        lists[list] = lists[list].filter((entry) => entry.value !== value);
    }
    if ('add' in change) lists[change.list].push({ ...change.add, value });
  }
  return lists;
}

/** What gives both lists back as they were. */
export function undoOf(before: Project, after: Project): ListChange[] {
  return OWN_LISTS.flatMap((list) => {
    const had = new Map(before[list].map((entry) => [entry.value, entry]));
    const has = new Map(after[list].map((entry) => [entry.value, entry]));
    const added = after[list].filter(({ value }) => !had.has(value));
    const lost = before[list].filter(
      (entry) => JSON.stringify(has.get(entry.value)) !== JSON.stringify(entry),
    );
    return [
      ...added.map(({ value }): ListChange => ({ list, remove: value })),
      ...lost.map((add): ListChange => ({ list, add })),
    ];
  });
}
