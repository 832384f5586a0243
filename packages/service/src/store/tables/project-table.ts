import {
  fieldRows,
  PROJECT_FIELDS,
  type ProjectField,
  type ProjectSettings,
} from '@postern/contract/project-fields';
import type { Project } from '../../model/project.ts';
import {
  type Database,
  integer,
  integerOrNull,
  json,
  lockProject,
  mustHold,
  type Statement,
  statement,
  text,
} from '../database.ts';
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
    /** A new project with the first version of its policy. */
    creation: (project: Project, saved: SavedPolicy): Statement[] => [
      insertFirstVersion(project.id, saved),
      PROJECT.insert(project),
    ],
    /**
     * Applies from the next request on, in every process, if the project is still the one that was read. `saved` becomes
     * the policy’s newest version.
     */
    change({ id, version }: Project, change: ProjectChange, saved?: SavedPolicy): Statement[] {
      const set = PROJECT.assignments(change);
      return [
        lockProject(id),
        mustHold('EXISTS (SELECT 1 FROM project WHERE id = ? AND version = ?)', id, version),
        ...(saved === undefined ? [] : insertNextVersion(id, saved)),
        statement(
          `UPDATE project SET ${[...set.columns, 'version = version + 1'].join(', ')} WHERE id = ?`,
          ...[...set.values, id],
        ),
      ];
    },
    /** The same for tests, which are alone. */
    async update(id: string, change: ProjectChange): Promise<Project> {
      const set = PROJECT.assignments(change);
      const sql = `UPDATE project SET ${[...set.columns, 'version = version + 1'].join(', ')} WHERE id = ? RETURNING ${PROJECT.list}`;
      const [rows] = await database.write([statement(sql, ...set.values, id)]);
      if (!rows?.[0]) throw new StoreConflict(`There is no project with the ID ${id}`);
      return PROJECT.fromRow(rows[0]);
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
