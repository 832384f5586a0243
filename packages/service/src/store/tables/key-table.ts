import type { KeyType } from '@postern/contract';
import type { ApiKey, KeyMode } from '../../model/api-key.ts';
import { type Database, integer, integerOrNull, type Row, statement, text } from '../database.ts';
import { type KeyStore, type KeyWithProject, type NewKey, StoreConflict } from '../store.ts';
import { PROJECT_COLUMNS } from './project-columns.ts';
import { toProject } from './project-table.ts';

const KEY_COLUMNS =
  'project_id, id, type, mode, name, hash, hint, created_at, expires_at, revoked_at, last_used_at, version';

/** Keys by their hash. `wanted` is the condition in the back end’s dialect. */
export function keysWithProjects(wanted: string): string {
  const key = KEY_COLUMNS.split(', ').map((column) => `k.${column} AS key_${column}`);
  const project = PROJECT_COLUMNS.map((column) => `p.${column} AS project_${column}`);
  return `SELECT ${[...key, ...project].join(', ')} FROM key_directory d
    JOIN api_key k ON k.project_id = d.project_id AND k.id = d.key_id
    JOIN project p ON p.id = d.project_id
    WHERE d.handle ${wanted}`;
}

export const hashHandle = (hash: string) => `hash:${hash}`;
const idHandle = (id: string) => `id:${id}`;

export function keyTable(database: Database): KeyStore {
  const find = async (id: string): Promise<ApiKey | undefined> => {
    const rows = await database.read(
      statement(
        `SELECT ${prefixed('k')} FROM key_directory d
         JOIN api_key k ON k.project_id = d.project_id AND k.id = d.key_id WHERE d.handle = ?`,
        idHandle(id),
      ),
    );
    return rows[0] && toKey(rows[0]);
  };
  const known = async (id: string): Promise<ApiKey> => {
    const key = await find(id);
    if (!key) throw new StoreConflict(`There is no key with the ID ${id}`);
    return key;
  };

  return {
    find,
    create: (key, now) => createKey(database, key, now),
    async list(projectId) {
      const rows = await database.read(
        projectId === undefined
          ? statement(`SELECT ${KEY_COLUMNS} FROM api_key ORDER BY project_id, created_at, id`)
          : statement(
              `SELECT ${KEY_COLUMNS} FROM api_key WHERE project_id = ? ORDER BY created_at, id`,
              projectId,
            ),
      );
      return rows.map((row) => toKey(row));
    },
    async replaceSecret(id, secret, now) {
      const { projectId } = await known(id);
      const [, rows] = await database.write([
        statement(
          `DELETE FROM key_directory WHERE handle =
             (SELECT 'hash:' || hash FROM api_key WHERE project_id = ? AND id = ? AND revoked_at IS NULL)`,
          projectId,
          id,
        ),
        statement(
          `UPDATE api_key SET hash = ?, hint = ?, expires_at = ?, created_at = ?, last_used_at = NULL, version = version + 1
           WHERE project_id = ? AND id = ? AND revoked_at IS NULL RETURNING ${KEY_COLUMNS}`,
          secret.hash,
          secret.hint,
          secret.expiresAt,
          now,
          projectId,
          id,
        ),
        statement(
          `INSERT INTO key_directory (handle, project_id, key_id)
           SELECT 'hash:' || hash, project_id, id FROM api_key
           WHERE project_id = ? AND id = ? AND revoked_at IS NULL`,
          projectId,
          id,
        ),
      ]);
      const row = rows?.[0];
      if (!row) throw new StoreConflict(`The key ${id} is revoked; create a new one`);
      return toKey(row);
    },
    async revoke(id, now) {
      const { projectId } = await known(id);
      const [, rows] = await database.write([
        statement(
          'UPDATE api_key SET revoked_at = ?, version = version + 1 WHERE project_id = ? AND id = ? AND revoked_at IS NULL',
          now,
          projectId,
          id,
        ),
        statement(`SELECT ${KEY_COLUMNS} FROM api_key WHERE project_id = ? AND id = ?`, projectId, id),
      ]);
      const row = rows?.[0];
      if (!row) throw new StoreConflict(`There is no key with the ID ${id}`);
      return toKey(row);
    },
  };
}

async function createKey(database: Database, key: NewKey, now: number): Promise<ApiKey> {
  const directory = `INSERT INTO key_directory (handle, project_id, key_id)
    SELECT ?, project_id, id FROM api_key WHERE project_id = ? AND id = ? AND hash = ? ON CONFLICT (handle) DO NOTHING`;
  const [rows] = await database.write([
    statement(
      `INSERT INTO api_key (${KEY_COLUMNS})
       SELECT p.id, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 1 FROM project p WHERE p.id = ? AND NOT EXISTS
         (SELECT 1 FROM key_directory WHERE handle IN (?, ?))
       ON CONFLICT (project_id, id) DO NOTHING RETURNING ${KEY_COLUMNS}`,
      key.id,
      key.type,
      key.mode,
      key.name,
      key.hash,
      key.hint,
      now,
      key.expiresAt,
      key.projectId,
      idHandle(key.id),
      hashHandle(key.hash),
    ),
    statement(directory, idHandle(key.id), key.projectId, key.id, key.hash),
    statement(directory, hashHandle(key.hash), key.projectId, key.id, key.hash),
  ]);
  if (rows?.[0]) return toKey(rows[0]);
  const project = await database.read(statement('SELECT id FROM project WHERE id = ?', key.projectId));
  throw new StoreConflict(
    project.length === 0
      ? `There is no project with the ID ${key.projectId}`
      : `There is already a key with the ID ${key.id}`,
  );
}

function prefixed(table: string): string {
  return KEY_COLUMNS.split(', ')
    .map((column) => `${table}.${column} AS ${column}`)
    .join(', ');
}

export function toKeyWithProject(row: Row): KeyWithProject {
  return { key: toKey(row, 'key_'), project: toProject(row, 'project_') };
}

function toKey(row: Row, prefix = ''): ApiKey {
  return {
    id: text(row, `${prefix}id`),
    projectId: text(row, `${prefix}project_id`),
    type: text(row, `${prefix}type`) as KeyType,
    mode: text(row, `${prefix}mode`) as KeyMode,
    name: text(row, `${prefix}name`),
    hash: text(row, `${prefix}hash`),
    hint: text(row, `${prefix}hint`),
    createdAt: integer(row, `${prefix}created_at`),
    expiresAt: integerOrNull(row, `${prefix}expires_at`),
    revokedAt: integerOrNull(row, `${prefix}revoked_at`),
    lastUsedAt: integerOrNull(row, `${prefix}last_used_at`),
    version: integer(row, `${prefix}version`),
  };
}
