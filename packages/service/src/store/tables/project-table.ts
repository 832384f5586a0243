import {
  fieldRows,
  PROJECT_FIELDS,
  type ProjectField,
  type ProjectSettings,
} from '@postern/contract/project-fields';
import type { Project } from '../../model/project.ts';
import { type Database, integer, integerOrNull, json, lockProject, statement, text } from '../database.ts';
import { StoreConflict } from '../store-errors.ts';
import { type Column, tableOf } from '../table-of.ts';
import { onboardingStore } from './onboarding-table.ts';
import { policyColumn } from './policy-column.ts';
import { insertFirstVersion, insertNextVersion, type SavedPolicy } from './policy-version-table.ts';

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

export interface NewProject extends ProjectSettings {
  readonly id: string;
}

export type ProjectChange = Partial<ProjectSettings & Pick<Project, 'archivedAt'>>;

export type ProjectStore = ReturnType<typeof projectStore>;

export function projectStore(database: Database) {
  return {
    /** Throws StoreConflict when the ID is taken. `actor` saved the first version of the policy. */
    async create(project: NewProject, now: number, actor = 'service'): Promise<Project> {
      const { id, policy, rules } = project;
      const [, rows] = await database.write([
        insertFirstVersion(id, { at: now, actor, reason: null, policy, rules }),
        PROJECT.insert(
          { ...project, createdAt: now, version: 1 },
          { suffix: `ON CONFLICT (id) DO NOTHING RETURNING ${PROJECT.list}` },
        ),
      ]);
      const row = rows?.[0];
      if (!row) throw new StoreConflict(`There is already a project with the ID ${project.id}`);
      return PROJECT.fromRow(row);
    },
    async list(): Promise<Project[]> {
      const rows = await database.read(
        statement(`SELECT ${PROJECT.list} FROM project ORDER BY created_at, id`),
      );
      return rows.map(PROJECT.fromRow);
    },
    async find(id: string): Promise<Project | undefined> {
      const rows = await database.read(statement(`SELECT ${PROJECT.list} FROM project WHERE id = ?`, id));
      return rows[0] && PROJECT.fromRow(rows[0]);
    },
    /**
     * Applies from the next request on, in every process. Throws StoreConflict if there is no such project, or if
     * `version` is given and the project has another one by now. `saved` becomes the policy’s newest version.
     */
    async update(id: string, change: ProjectChange, version?: number, saved?: SavedPolicy): Promise<Project> {
      const set = PROJECT.assignments(change);
      const history =
        saved === undefined || version === undefined
          ? []
          : [lockProject(id), ...insertNextVersion(id, version, saved)];
      const written = await database.write([
        ...history,
        statement(
          `UPDATE project SET ${[...set.columns, 'version = version + 1'].join(', ')}
           WHERE id = ? ${version === undefined ? '' : 'AND version = ?'} RETURNING ${PROJECT.list}`,
          ...set.values,
          id,
          ...(version === undefined ? [] : [version]),
        ),
      ]);
      const row = written.at(-1)?.[0];
      if (!row)
        throw new StoreConflict(
          version === undefined
            ? `There is no project with the ID ${id}`
            : `The project ${id} was changed by somebody else at the same time. Try again.`,
        );
      return PROJECT.fromRow(row);
    },
    ...onboardingStore(database),
    async usage(id: string, month: string): Promise<number> {
      const rows = await database.read(
        statement('SELECT used FROM quota WHERE project_id = ? AND month = ?', id, month),
      );
      return rows[0] ? integer(rows[0], 'used') : 0;
    },
  };
}
