import type { KeyType } from '@postern/contract';
import type { ApiKey, HookDetails, KeyMode } from '../../model/api-key.ts';
import type { Project } from '../../model/project.ts';
import { type Database, integer, integerOrNull, jsonOrNull, type Row, statement, text } from '../database.ts';
import { StoreConflict } from '../store-errors.ts';
import { tableOf } from '../table-of.ts';
import { PROJECT } from './project-table.ts';

export const API_KEY = tableOf('api_key', {
  projectId: text,
  id: text,
  type: text<KeyType>,
  mode: text<KeyMode>,
  name: text,
  hash: text,
  hint: text,
  createdAt: integer,
  expiresAt: integerOrNull,
  revokedAt: integerOrNull,
  lastUsedAt: integerOrNull,
  version: integer,
  hook: jsonOrNull<HookDetails>,
});

/** Finds a key without its project: one row by the key’s ID, one by its hash. */
export const KEY_DIRECTORY = tableOf('key_directory', { handle: text, projectId: text, keyId: text });

export type NewKey = Omit<ApiKey, 'createdAt' | 'revokedAt' | 'lastUsedAt' | 'version' | 'hook'> &
  Partial<Pick<ApiKey, 'hook'>>;

export interface KeyWithProject {
  readonly key: ApiKey;
  readonly project: Project;
}

/** Keys by their hash. `wanted` is the condition in the back end’s dialect. */
export function keysWithProjects(wanted: string): string {
  return `SELECT ${API_KEY.prefixed('k', 'key_')}, ${PROJECT.prefixed('p', 'project_')} FROM key_directory d
    JOIN api_key k ON k.project_id = d.project_id AND k.id = d.key_id
    JOIN project p ON p.id = d.project_id
    WHERE d.handle ${wanted}`;
}

export function toKeyWithProject(row: Row): KeyWithProject {
  return { key: API_KEY.fromPrefixed(row, 'key_'), project: PROJECT.fromPrefixed(row, 'project_') };
}

export const hashHandle = (hash: string) => `hash:${hash}`;
const idHandle = (id: string) => `id:${id}`;

export type KeyStore = ReturnType<typeof keyStore>;

export function keyStore(database: Database) {
  const find = async (id: string): Promise<ApiKey | undefined> => {
    const rows = await database.read(
      statement(
        `SELECT ${API_KEY.prefixed('k', '')} FROM key_directory d
         JOIN api_key k ON k.project_id = d.project_id AND k.id = d.key_id WHERE d.handle = ?`,
        idHandle(id),
      ),
    );
    return rows[0] && API_KEY.fromRow(rows[0]);
  };
  const existing = async (id: string): Promise<ApiKey> => {
    const key = await find(id);
    if (!key) throw new StoreConflict(`There is no key with the ID ${id}`);
    return key;
  };

  return {
    find,
    create: (key: NewKey, now: number) => createKey(database, key, now),
    async list(projectId?: string): Promise<ApiKey[]> {
      const rows = await database.read(
        projectId === undefined
          ? statement(`SELECT ${API_KEY.list} FROM api_key ORDER BY project_id, created_at, id`)
          : statement(
              `SELECT ${API_KEY.list} FROM api_key WHERE project_id = ? ORDER BY created_at, id`,
              projectId,
            ),
      );
      return rows.map(API_KEY.fromRow);
    },
    /** The same key with a new secret. The old one is refused from the next request on. */
    async replaceSecret(
      id: string,
      secret: { hash: string; hint: string; expiresAt: number | null },
      now: number,
    ): Promise<ApiKey> {
      const { projectId } = await existing(id);
      const [, rows] = await database.write([
        statement(
          `DELETE FROM key_directory WHERE handle =
             (SELECT 'hash:' || hash FROM api_key WHERE project_id = ? AND id = ? AND revoked_at IS NULL)`,
          projectId,
          id,
        ),
        statement(
          `UPDATE api_key SET hash = ?, hint = ?, expires_at = ?, created_at = ?, last_used_at = NULL, version = version + 1
           WHERE project_id = ? AND id = ? AND revoked_at IS NULL RETURNING ${API_KEY.list}`,
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
      return API_KEY.fromRow(row);
    },
    /** Other secrets of a hook. */
    async changeHook(id: string, hook: HookDetails): Promise<ApiKey> {
      const { projectId } = await existing(id);
      const [rows] = await database.write([
        statement(
          `UPDATE api_key SET hook = ?, version = version + 1
           WHERE project_id = ? AND id = ? AND revoked_at IS NULL RETURNING ${API_KEY.list}`,
          JSON.stringify(hook),
          projectId,
          id,
        ),
      ]);
      const row = rows?.[0];
      if (!row) throw new StoreConflict(`The hook ${id} is deleted`);
      return API_KEY.fromRow(row);
    },
    async revoke(id: string, now: number): Promise<ApiKey> {
      const { projectId } = await existing(id);
      const [, rows] = await database.write([
        statement(
          'UPDATE api_key SET revoked_at = ?, version = version + 1 WHERE project_id = ? AND id = ? AND revoked_at IS NULL',
          now,
          projectId,
          id,
        ),
        statement(`SELECT ${API_KEY.list} FROM api_key WHERE project_id = ? AND id = ?`, projectId, id),
      ]);
      const row = rows?.[0];
      if (!row) throw new StoreConflict(`There is no key with the ID ${id}`);
      return API_KEY.fromRow(row);
    },
  };
}

async function createKey(database: Database, key: NewKey, now: number): Promise<ApiKey> {
  const directory = `INSERT INTO key_directory (handle, project_id, key_id)
    SELECT ?, project_id, id FROM api_key WHERE project_id = ? AND id = ? AND hash = ? ON CONFLICT (handle) DO NOTHING`;
  const [rows] = await database.write([
    API_KEY.insert(
      { ...key, createdAt: now, version: 1 },
      {
        when: {
          sql: `EXISTS (SELECT 1 FROM project WHERE id = ?)
            AND NOT EXISTS (SELECT 1 FROM key_directory WHERE handle IN (?, ?))`,
          values: [key.projectId, idHandle(key.id), hashHandle(key.hash)],
        },
        suffix: `ON CONFLICT (project_id, id) DO NOTHING RETURNING ${API_KEY.list}`,
      },
    ),
    statement(directory, idHandle(key.id), key.projectId, key.id, key.hash),
    statement(directory, hashHandle(key.hash), key.projectId, key.id, key.hash),
  ]);
  if (rows?.[0]) return API_KEY.fromRow(rows[0]);
  const project = await database.read(statement('SELECT id FROM project WHERE id = ?', key.projectId));
  throw new StoreConflict(
    project.length === 0
      ? `There is no project with the ID ${key.projectId}`
      : `There is already a key with the ID ${key.id}`,
  );
}
