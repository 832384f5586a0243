import type { ListEntry, NamedLists } from '@postern/contract/project-fields';
import type { Project } from '../model/project.ts';
import { type Administration, InvalidInput, NotFound } from './administration.ts';
import { readListValue } from './list-entry.ts';
import { changeProject } from './projects.ts';
import { listsIn } from './read-rules.ts';

/** What changes in a list. A new entry replaces one with the same value. */
export interface NamedListChange {
  readonly add?: readonly ListEntry[] | undefined;
  readonly remove?: readonly string[] | undefined;
}

export async function createNamedList(
  admin: Administration,
  projectId: string,
  name: string,
): Promise<Project> {
  return changeNamedLists(admin, projectId, (lists) => {
    if (Object.hasOwn(lists, name)) throw new InvalidInput('name', `There is already a list '${name}'.`);
    return { ...lists, [name]: [] };
  });
}

export async function changeNamedList(
  admin: Administration,
  projectId: string,
  name: string,
  { add = [], remove = [] }: NamedListChange,
): Promise<Project> {
  if (!Array.isArray(add) || !Array.isArray(remove))
    throw new InvalidInput('add', 'add and remove must be lists.');
  const gone = new Set([...remove, ...add.map((entry) => entry?.value)].map((value) => readListValue(value)));
  return changeNamedLists(admin, projectId, (lists) => ({
    ...lists,
    [name]: [...entriesOf(lists, name).filter(({ value }) => !gone.has(value)), ...add],
  }));
}

/** Refused while a rule names it. */
export async function deleteNamedList(admin: Administration, projectId: string, name: string): Promise<void> {
  await changeProject(admin, projectId, ({ namedLists, rules }) => {
    entriesOf(namedLists, name);
    const asking = rules.filter(({ when }) => listsIn(when).includes(name)).map(({ id }) => id);
    if (asking.length > 0)
      throw new InvalidInput(
        'name',
        `The list '${name}' is used by rules: ${asking.join(', ')}. Change or delete them first.`,
      );
    const { [name]: _, ...others } = namedLists;
    return { namedLists: others };
  });
}

export function entriesOf(lists: NamedLists, name: string): readonly ListEntry[] {
  const entries = Object.hasOwn(lists, name) ? lists[name] : undefined;
  if (entries === undefined) throw new NotFound(`There is no list '${name}'.`);
  return entries;
}

async function changeNamedLists(
  admin: Administration,
  projectId: string,
  change: (lists: NamedLists) => NamedLists,
): Promise<Project> {
  const { after } = await changeProject(admin, projectId, ({ namedLists }) => ({
    namedLists: change(namedLists),
  }));
  return after;
}
