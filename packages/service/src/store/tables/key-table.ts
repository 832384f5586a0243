import type { KeyType } from '@postern/contract';
import type { ApiKey, HookDetails, KeyMode } from '../../model/api-key.ts';
import type { Project } from '../../model/project.ts';
import {
  type Database,
  integer,
  integerOrNull,
  jsonOrNull,
  mustHold,
  type Row,
  type Statement,
  statement,
  text,
} from '../database.ts';
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
  return {
    find,
    creation: (key: ApiKey): Statement[] => [
      mustHold('EXISTS (SELECT 1 FROM project WHERE id = ?)', key.projectId),
      API_KEY.insert(key),
      KEY_DIRECTORY.insert({ handle: idHandle(key.id), projectId: key.projectId, keyId: key.id }),
      KEY_DIRECTORY.insert({ handle: hashHandle(key.hash), projectId: key.projectId, keyId: key.id }),
    ],
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
    secretChange(before: ApiKey, after: ApiKey): Statement[] {
      const key = [before.projectId, before.id];
      const { hash, hint, expiresAt, createdAt } = after;
      const set = API_KEY.assignments({ hash, hint, expiresAt, createdAt });
      return [
        ...unchanged(before),
        statement('DELETE FROM key_directory WHERE handle = ?', hashHandle(before.hash)),
        statement(
          `UPDATE api_key SET ${[...set.columns, 'last_used_at = NULL', 'version = version + 1'].join(', ')}
           WHERE project_id = ? AND id = ?`,
          ...[...set.values, ...key],
        ),
        KEY_DIRECTORY.insert({ handle: hashHandle(hash), projectId: before.projectId, keyId: before.id }),
      ];
    },
    /** Other secrets of a hook. */
    hookChange(before: ApiKey, hook: HookDetails): Statement[] {
      const set = API_KEY.assignments({ hook });
      const sql = `UPDATE api_key SET ${set.columns.join(', ')}, version = version + 1 WHERE project_id = ? AND id = ?`;
      return [...unchanged(before), statement(sql, ...set.values, before.projectId, before.id)];
    },
    revocation: ({ projectId, id }: ApiKey, now: number): Statement =>
      statement(
        'UPDATE api_key SET revoked_at = ?, version = version + 1 WHERE project_id = ? AND id = ? AND revoked_at IS NULL',
        ...[now, projectId, id],
      ),
  };
}

/** Locks the key first, so that of two changes at once the second one sees the first. */
function unchanged({ projectId, id, version }: ApiKey): Statement[] {
  return [
    statement('UPDATE api_key SET version = version WHERE project_id = ? AND id = ?', projectId, id),
    mustHold(
      'EXISTS (SELECT 1 FROM api_key WHERE project_id = ? AND id = ? AND version = ?)',
      ...[projectId, id, version],
    ),
  ];
}
