import type { ListEntry, Project } from '../model/project.ts';
import type { ErasedHashes } from '../store/erasure.ts';
import type { Administration } from './administration.ts';
import { inboxHashes, instanceHash } from './instance-hash.ts';
import { OWN_LISTS } from './own-list-entries.ts';

/** The entries of all lists of the project that name one of these people or devices, in whatever spelling. */
export async function entriesNaming(
  admin: Pick<Administration, 'store'>,
  project: Project,
  { inboxes, devices }: ErasedHashes,
): Promise<{ list: string; entry: ListEntry }[]> {
  const keyedHash = await instanceHash(admin);
  const values = new Set([
    ...inboxes.map((hash) => `person:${hash}`),
    ...devices.map((hash) => `device:${hash}`),
  ]);
  const isTheirs = (value: string) =>
    value.includes('@')
      ? inboxHashes(keyedHash, value).some((hash) => inboxes.includes(hash))
      : values.has(value);
  const lists = [
    ...OWN_LISTS.map((list) => [list, project[list]] as const),
    ...Object.entries(project.namedLists),
  ];
  return lists.flatMap(([list, entries]) =>
    entries.filter(({ value }) => isTheirs(value)).map((entry) => ({ list, entry })),
  );
}

/** The names of those lists. */
export async function listsNaming(
  admin: Pick<Administration, 'store'>,
  project: Project,
  whose: ErasedHashes,
): Promise<string[]> {
  return [...new Set((await entriesNaming(admin, project, whose)).map(({ list }) => list))];
}
