import type { ListedEntry } from '@postern/contract/dashboard';
import type { Project } from '../model/project.ts';

const MOST_SHOWN = 50;

/** The entries of the project’s lists whose value concerns what a page is about. */
export function listedEntries(project: Project, concerns: (value: string) => boolean): ListedEntry[] {
  return (['allowList', 'blockList'] as const)
    .flatMap((list) => project[list].filter(({ value }) => concerns(value)).map((entry) => ({ list, entry })))
    .slice(0, MOST_SHOWN);
}
