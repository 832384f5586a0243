import type { ListEntry, Project, ProjectPolicy } from '../../model/project.ts';
import {
  type Database,
  integer,
  integerOrNull,
  json,
  type Row,
  type SqlValue,
  statement,
  text,
} from '../database.ts';
import { type NewProject, type ProjectChange, type ProjectStore, StoreConflict } from '../store.ts';

export const PROJECT_COLUMNS =
  'id, name, allowed_domains, plan, quota_limit, rate_client, rate_server, policy, allow_list, block_list, retention_days, created_at, archived_at, version';

export function projectTable(database: Database): ProjectStore {
  return {
    async create(project, now) {
      const [rows] = await database.write([insertion(project, now)]);
      const row = rows?.[0];
      if (!row) throw new StoreConflict(`There is already a project with the ID ${project.id}`);
      return toProject(row);
    },
    async list() {
      const rows = await database.read(
        statement(`SELECT ${PROJECT_COLUMNS} FROM project ORDER BY created_at, id`),
      );
      return rows.map((row) => toProject(row));
    },
    async find(id) {
      const rows = await database.read(statement(`SELECT ${PROJECT_COLUMNS} FROM project WHERE id = ?`, id));
      return rows[0] && toProject(rows[0]);
    },
    async update(id, change) {
      const [rows] = await database.write([alteration(id, change)]);
      const row = rows?.[0];
      if (!row) throw new StoreConflict(`There is no project with the ID ${id}`);
      return toProject(row);
    },
    async usage(id, month) {
      const rows = await database.read(
        statement('SELECT used FROM quota WHERE project_id = ? AND month = ?', id, month),
      );
      return rows[0] ? integer(rows[0], 'used') : 0;
    },
  };
}

function insertion(project: NewProject, now: number) {
  return statement(
    `INSERT INTO project (${PROJECT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '[]', '[]', ?, ?, NULL, 1)
     ON CONFLICT (id) DO NOTHING RETURNING ${PROJECT_COLUMNS}`,
    project.id,
    project.name,
    JSON.stringify(project.allowedDomains),
    project.plan,
    project.quotaLimit,
    project.rateClient,
    project.rateServer,
    JSON.stringify(project.policy),
    project.retentionDays,
    now,
  );
}

function alteration(id: string, change: ProjectChange) {
  const sets: string[] = [];
  const values: SqlValue[] = [];
  const set = (column: string, value: SqlValue | undefined) => {
    if (value === undefined) return;
    sets.push(`${column} = ?`);
    values.push(value);
  };
  const asJson = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));
  set('name', change.name);
  set('allowed_domains', asJson(change.allowedDomains));
  set('plan', change.plan);
  set('quota_limit', change.quotaLimit);
  set('rate_client', change.rateClient);
  set('rate_server', change.rateServer);
  set('policy', asJson(change.policy));
  set('allow_list', asJson(change.allowList));
  set('block_list', asJson(change.blockList));
  set('retention_days', change.retentionDays);
  set('archived_at', change.archivedAt);
  sets.push('version = version + 1');
  return statement(
    `UPDATE project SET ${sets.join(', ')} WHERE id = ? RETURNING ${PROJECT_COLUMNS}`,
    ...values,
    id,
  );
}

/** Columns may carry a prefix where a row joins several tables. */
export function toProject(row: Row, prefix = ''): Project {
  return {
    id: text(row, `${prefix}id`),
    name: text(row, `${prefix}name`),
    allowedDomains: json<string[]>(row, `${prefix}allowed_domains`),
    plan: text(row, `${prefix}plan`),
    quotaLimit: integerOrNull(row, `${prefix}quota_limit`),
    rateClient: integer(row, `${prefix}rate_client`),
    rateServer: integer(row, `${prefix}rate_server`),
    policy: json<ProjectPolicy>(row, `${prefix}policy`),
    allowList: json<ListEntry[]>(row, `${prefix}allow_list`),
    blockList: json<ListEntry[]>(row, `${prefix}block_list`),
    retentionDays: integer(row, `${prefix}retention_days`),
    createdAt: integer(row, `${prefix}created_at`),
    archivedAt: integerOrNull(row, `${prefix}archived_at`),
    version: integer(row, `${prefix}version`),
  };
}
