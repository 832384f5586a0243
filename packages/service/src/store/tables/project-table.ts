import type { ProjectSettings } from '@postern/contract/project-fields';
import type { Project } from '../../model/project.ts';
import {
  type Database,
  integer,
  integerOrNull,
  type Row,
  type SqlValue,
  statement,
  text,
} from '../database.ts';
import { type NewProject, type ProjectChange, type ProjectStore, StoreConflict } from '../store.ts';
import { onboardingTable } from './onboarding-table.ts';
import { PROJECT_COLUMNS, SETTING_COLUMNS } from './project-columns.ts';

const COLUMNS = PROJECT_COLUMNS.join(', ');

export function projectTable(database: Database): ProjectStore {
  return {
    async create(project, now) {
      const [rows] = await database.write([insertion(project, now)]);
      const row = rows?.[0];
      if (!row) throw new StoreConflict(`There is already a project with the ID ${project.id}`);
      return toProject(row);
    },
    async list() {
      const rows = await database.read(statement(`SELECT ${COLUMNS} FROM project ORDER BY created_at, id`));
      return rows.map((row) => toProject(row));
    },
    async find(id) {
      const rows = await database.read(statement(`SELECT ${COLUMNS} FROM project WHERE id = ?`, id));
      return rows[0] && toProject(rows[0]);
    },
    async update(id, change, version) {
      const [rows] = await database.write([alteration(id, change, version)]);
      const row = rows?.[0];
      if (!row)
        throw new StoreConflict(
          version === undefined
            ? `There is no project with the ID ${id}`
            : `The project ${id} was changed by somebody else at the same time. Try again.`,
        );
      return toProject(row);
    },
    ...onboardingTable(database),
    async usage(id, month) {
      const rows = await database.read(
        statement('SELECT used FROM quota WHERE project_id = ? AND month = ?', id, month),
      );
      return rows[0] ? integer(rows[0], 'used') : 0;
    },
  };
}

function insertion(project: NewProject, now: number) {
  const settings = SETTING_COLUMNS.map(({ name, write }) => write(project[name]));
  const values = [project.id, ...settings, now, null, 1];
  return statement(
    `INSERT INTO project (${COLUMNS}) VALUES (${values.map(() => '?').join(', ')})
     ON CONFLICT (id) DO NOTHING RETURNING ${COLUMNS}`,
    ...values,
  );
}

function alteration(id: string, change: ProjectChange, version: number | undefined) {
  const sets: string[] = [];
  const values: SqlValue[] = [];
  const set = (column: string, value: SqlValue) => {
    sets.push(`${column} = ?`);
    values.push(value);
  };
  for (const { name, column, write } of SETTING_COLUMNS) {
    if (change[name] !== undefined) set(column, write(change[name]));
  }
  if (change.archivedAt !== undefined) set('archived_at', change.archivedAt);
  sets.push('version = version + 1');
  const where = version === undefined ? 'id = ?' : 'id = ? AND version = ?';
  values.push(id, ...(version === undefined ? [] : [version]));
  return statement(`UPDATE project SET ${sets.join(', ')} WHERE ${where} RETURNING ${COLUMNS}`, ...values);
}

/** Columns can have a prefix if a row joins several tables. */
export function toProject(row: Row, prefix = ''): Project {
  const settings = SETTING_COLUMNS.map(({ name, column, read }) => [name, read(row, prefix + column)]);
  return {
    ...(Object.fromEntries(settings) as ProjectSettings),
    id: text(row, `${prefix}id`),
    createdAt: integer(row, `${prefix}created_at`),
    archivedAt: integerOrNull(row, `${prefix}archived_at`),
    version: integer(row, `${prefix}version`),
  };
}
