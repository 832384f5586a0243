import type { ListName } from '@postern/contract/dashboard';
import type { ListEntry } from '../model/project.ts';
import type { ProjectChange } from '../store/tables/project-table.ts';

/** The lists that decide a request, see `findListing`. */
export const OWN_LISTS: readonly ListName[] = ['allowList', 'blockList'];

export type OwnListEntries = Readonly<Record<ListName, readonly ListEntry[]>>;

export const NO_LISTS: OwnListEntries = { allowList: [], blockList: [] };

/** Says who added the entries that were not there before. */
export function withAuthor(change: ProjectChange, before: OwnListEntries, author: string): ProjectChange {
  const lists = OWN_LISTS.flatMap((list) => {
    const entries = change[list];
    if (entries === undefined) return [];
    const known = new Map(before[list].map((entry) => [entry.value, entry.author]));
    const authored = entries.map((entry): ListEntry => {
      const by = known.has(entry.value) ? known.get(entry.value) : author;
      return by === undefined ? entry : { ...entry, author: by };
    });
    return [[list, authored]];
  });
  return { ...change, ...Object.fromEntries(lists) };
}
