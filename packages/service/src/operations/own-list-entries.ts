import type { ListName } from '@postern/contract/dashboard';
import type { NamedLists } from '@postern/contract/project-fields';
import type { ListEntry } from '../model/project.ts';
import type { ProjectChange } from '../store/tables/project-table.ts';

/** The lists that decide a request, see `findListing`. */
export const OWN_LISTS: readonly ListName[] = ['allowList', 'blockList'];

/** All lists of a project. */
export interface ProjectLists extends Readonly<Record<ListName, readonly ListEntry[]>> {
  readonly namedLists: NamedLists;
}

export const NO_LISTS: ProjectLists = { allowList: [], blockList: [], namedLists: {} };

/** None if there is no such list. A list may be called `constructor`. */
export function entriesIn(lists: NamedLists, name: string): readonly ListEntry[] {
  return (Object.hasOwn(lists, name) ? lists[name] : undefined) ?? [];
}

/** Says who added the entries that were not there before. */
export function withAuthor(change: ProjectChange, before: ProjectLists, author: string): ProjectChange {
  const lists = OWN_LISTS.flatMap((list) => {
    const entries = change[list];
    return entries === undefined ? [] : [[list, authored(entries, before[list], author)]];
  });
  const named = Object.entries(change.namedLists ?? {}).map(([name, entries]) => [
    name,
    authored(entries, entriesIn(before.namedLists, name), author),
  ]);
  return {
    ...change,
    ...Object.fromEntries(lists),
    ...(change.namedLists !== undefined && { namedLists: Object.fromEntries(named) }),
  };
}

function authored(
  entries: readonly ListEntry[],
  before: readonly ListEntry[],
  author: string,
): readonly ListEntry[] {
  const authors = new Map(before.map((entry) => [entry.value, entry.author]));
  return entries.map((entry): ListEntry => {
    const by = authors.has(entry.value) ? authors.get(entry.value) : author;
    return by === undefined ? entry : { ...entry, author: by };
  });
}
