import type { KeyType } from '@postern/contract';
import type { ApiKey, HookDetails, KeyMode } from '../../model/api-key.ts';
import type { Project } from '../../model/project.ts';
import { integer, integerOrNull, jsonOrNull, text } from '../columns.ts';
import type { Database, Row, Statement } from '../database.ts';
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
    const place = await KEY_DIRECTORY.find(database.read, { handle: idHandle(id) });
    return place && API_KEY.find(database.read, { projectId: place.projectId, id: place.keyId });
  };
  return {
    find,
    creation: (key: ApiKey): Statement[] => [
      PROJECT.mustHave({ id: key.projectId }),
      API_KEY.insert(key),
      KEY_DIRECTORY.insert({ handle: idHandle(key.id), projectId: key.projectId, keyId: key.id }),
      KEY_DIRECTORY.insert({ handle: hashHandle(key.hash), projectId: key.projectId, keyId: key.id }),
    ],
    list: (projectId?: string): Promise<ApiKey[]> =>
      API_KEY.findAll(
        database.read,
        projectId === undefined ? {} : { projectId },
        'ORDER BY project_id, created_at, id',
      ),
    /** The same key with a new secret. The old one is refused from the next request on. */
    secretChange(before: ApiKey, { hash, hint, expiresAt, createdAt }: ApiKey): Statement[] {
      const { projectId, id } = before;
      const changed = { hash, hint, expiresAt, createdAt, lastUsedAt: null };
      return [
        ...unchanged(before),
        KEY_DIRECTORY.remove({ handle: hashHandle(before.hash) }),
        API_KEY.update({ projectId, id }, { ...changed, also: NEXT_VERSION }),
        KEY_DIRECTORY.insert({ handle: hashHandle(hash), projectId, keyId: id }),
      ];
    },
    /** Other secrets of a hook. */
    hookChange(before: ApiKey, hook: HookDetails): Statement[] {
      const { projectId, id } = before;
      return [...unchanged(before), API_KEY.update({ projectId, id }, { hook, also: NEXT_VERSION })];
    },
    revocation: ({ projectId, id }: ApiKey, now: number): Statement =>
      API_KEY.update({ projectId, id, revokedAt: null }, { revokedAt: now, also: NEXT_VERSION }),
  };
}

const NEXT_VERSION = 'version = version + 1';

/** Locks the key first, so that of two changes at once the second one sees the first. */
function unchanged({ projectId, id, version }: ApiKey): Statement[] {
  return [
    API_KEY.update({ projectId, id }, { also: 'version = version' }),
    API_KEY.mustHave({ projectId, id, version }),
  ];
}
