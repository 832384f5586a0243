import type { NamedListView } from '@postern/contract/dashboard';
import type { ListEntry, NamedLists } from '@postern/contract/project-fields';
import type { Project } from '../model/project.ts';
import { type Administration, InvalidInput, NotFound } from './administration.ts';
import { changeProject, findProject } from './change-project.ts';
import { created, type DashboardHandlers, NO_CONTENT, ok } from './operation.ts';
import { readListValue } from './project-fields.ts';
import { listsIn } from './read-rules.ts';

/** The lists that rules name. */
export const namedListOperations = {
  'GET /projects/:id/named-lists': async ({ admin, params }) => {
    const project = await findProject(admin, params.id);
    return ok(Object.keys(project.namedLists).map((name) => namedListView(project, name)));
  },
  'POST /projects/:id/named-lists': async ({ admin, params, body: { name } }) => {
    const project = await changeNamedLists(admin, params.id, ({ namedLists }) => {
      if (Object.hasOwn(namedLists, name))
        throw new InvalidInput('name', `There is already a list '${name}'.`);
      return { ...namedLists, [name]: [] };
    });
    return created(namedListView(project, name));
  },
  /** A new entry replaces one with the same value. */
  'POST /projects/:id/named-lists/:name': async ({ admin, params, body: { add = [], remove = [] } }) => {
    const { name } = params;
    const gone = new Set([...remove, ...add.map(({ value }) => value)].map(readListValue));
    const project = await changeNamedLists(admin, params.id, ({ namedLists }) => ({
      ...namedLists,
      [name]: [...entriesOf(namedLists, name).filter(({ value }) => !gone.has(value)), ...add],
    }));
    return ok(namedListView(project, name));
  },
  /** Refused while a rule names it. */
  'DELETE /projects/:id/named-lists/:name': async ({ admin, params: { id, name } }) => {
    await changeNamedLists(admin, id, (project) => {
      const { [name]: _, ...others } = project.namedLists;
      const { usedBy } = namedListView(project, name);
      if (usedBy.length > 0)
        throw new InvalidInput(
          'name',
          `The list '${name}' is used by rules: ${usedBy.join(', ')}. Change or delete them first.`,
        );
      return others;
    });
    return NO_CONTENT;
  },
} satisfies Partial<DashboardHandlers>;

function namedListView({ namedLists, rules }: Project, name: string): NamedListView {
  const usedBy = rules.filter(({ when }) => listsIn(when).includes(name)).map(({ id }) => id);
  return { name, entries: [...entriesOf(namedLists, name)], usedBy };
}

function entriesOf(lists: NamedLists, name: string): readonly ListEntry[] {
  const entries = Object.hasOwn(lists, name) ? lists[name] : undefined;
  if (entries === undefined) throw new NotFound(`There is no list '${name}'.`);
  return entries;
}

async function changeNamedLists(
  admin: Administration,
  projectId: string,
  change: (project: Project) => NamedLists,
): Promise<Project> {
  const { after } = await changeProject(admin, projectId, (project) => ({ namedLists: change(project) }));
  return after;
}
