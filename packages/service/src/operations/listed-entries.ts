import type { ListedEntry } from '@postern/contract/dashboard';
import type { Project } from '../model/project.ts';
import type { Administration } from './administration.ts';
import { OWN_LISTS } from './own-list-entries.ts';
import { entriesNaming } from './personal-data.ts';

const MOST_SHOWN = 50;

/** The entries of the lists that decide a request whose value concerns what a page is about. */
export function listedEntries(project: Project, concerns: (value: string) => boolean): ListedEntry[] {
  return OWN_LISTS.flatMap((list) =>
    project[list].filter(({ value }) => concerns(value)).map((entry) => ({ list, entry })),
  ).slice(0, MOST_SHOWN);
}

/** The same if they name an address of this inbox, or the person. */
export async function entriesOfInbox(
  admin: Administration,
  project: Project,
  inbox: string,
): Promise<ListedEntry[]> {
  const entries = await entriesNaming(admin, project, { inboxes: [inbox], devices: [] });
  return entries.flatMap(({ list, entry }) =>
    OWN_LISTS.filter((own) => own === list).map((own) => ({ list: own, entry })),
  );
}
