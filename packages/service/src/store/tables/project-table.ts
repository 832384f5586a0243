import {
  fieldRows,
  PROJECT_FIELDS,
  type ProjectField,
  type ProjectSettings,
} from '@postern/contract/project-fields';
import type { Project } from '../../model/project.ts';
import { integer, integerOrNull, json, text } from '../columns.ts';
import { type Database, lockProject, type Statement } from '../database.ts';
import { type Column, tableOf } from '../table-of.ts';
import { onboardingStore } from './onboarding-table.ts';
import {
  insertFirstVersion,
  insertNextVersion,
  policyColumn,
  type SavedPolicy,
} from './policy-version-table.ts';
import { QUOTA } from './settle-tables.ts';

/** A column for each field that people set. */
const SETTINGS = Object.fromEntries([
  ...fieldRows(PROJECT_FIELDS).map(([name, field]) => [name, columnOf(field)]),
  ['policy', policyColumn],
  ['rules', json],
  ['namedLists', json],
]) as { readonly [K in keyof ProjectSettings]: Column<ProjectSettings[K]> };

export const PROJECT = tableOf('project', {
  id: text,
  ...SETTINGS,
  createdAt: integer,
  archivedAt: integerOrNull,
  version: integer,
});

function columnOf(field: ProjectField): Column {
  if (field.kind === 'count') return field.default === null ? integerOrNull : integer;
  return field.kind === 'domains' || field.kind === 'list' ? json : text;
}

export type ProjectChange = Partial<ProjectSettings & Pick<Project, 'archivedAt'>>;

const NEXT_VERSION = 'version = version + 1';

export type ProjectStore = ReturnType<typeof projectStore>;

export function projectStore(database: Database) {
  return {
    list: (): Promise<Project[]> => PROJECT.findAll(database.read, {}, 'ORDER BY created_at, id'),
    find: (id: string): Promise<Project | undefined> => PROJECT.find(database.read, { id }),
    /** A new project with the first version of its policy. */
    creation: (project: Project, saved: SavedPolicy): Statement[] => [
      insertFirstVersion(project.id, saved),
      PROJECT.insert(project),
    ],
    /**
     * Applies from the next request on, in every process, if the project is still the one that was read. `saved` becomes
     * the policy’s newest version.
     */
    change: ({ id, version }: Project, change: ProjectChange, saved?: SavedPolicy): Statement[] => [
      lockProject(id),
      PROJECT.mustHave({ id, version }),
      ...(saved === undefined ? [] : insertNextVersion(id, saved)),
      PROJECT.update({ id }, { ...change, also: NEXT_VERSION }),
    ],
    ...onboardingStore(database),
    usage: async (projectId: string, month: string): Promise<number> =>
      (await QUOTA.find(database.read, { projectId, month }))?.used ?? 0,
  };
}
