import type { ListChange, ListName } from '@postern/contract/dashboard';
import { LIST_VALUE_FORMS } from '../model/list-value.ts';
import type { ListEntry, Project } from '../model/project.ts';
import { type Administration, InvalidInput, quoted } from './administration.ts';
import { readListValue } from './list-entry.ts';
import { OWN_LISTS } from './own-list-entries.ts';
import { changeProject } from './projects.ts';

/**
 * Adds entries to the project's lists and removes others. An added value is removed from the other list, where it would
 * mean the opposite. Returns the changes for undo.
 */
export async function changeLists(
  admin: Administration,
  projectId: string,
  changes: readonly ListChange[],
): Promise<ListChange[]> {
  const wanted: { readonly change: ListChange; readonly value: string }[] = [];
  for (const change of changes) {
    if (!OWN_LISTS.includes(change?.list))
      throw new InvalidInput('list', 'list must be allowList or blockList.');
    wanted.push({ change, value: readValue(change) });
  }
  const { before, after } = await changeProject(admin, projectId, (project) => {
    const lists: Record<ListName, ListEntry[]> = {
      allowList: [...project.allowList],
      blockList: [...project.blockList],
    };
    for (const { change, value } of wanted) {
      for (const list of OWN_LISTS) {
        if ('add' in change || list === change.list)
          lists[list] = lists[list].filter((entry) => entry.value !== value);
      }
      if ('add' in change) lists[change.list].push({ ...change.add, value });
    }
    return lists;
  });
  return undoOf(before, after);
}

function readValue(change: ListChange): string {
  const text: unknown = 'add' in change ? change.add?.value : change.remove;
  const value = readListValue(text);
  if (value === undefined) throw new InvalidInput('value', `${quoted(text)} is not ${LIST_VALUE_FORMS}.`);
  return value;
}

function undoOf(before: Project, after: Project): ListChange[] {
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
