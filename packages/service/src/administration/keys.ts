import type { KeyType } from '@postern/contract';
import type { ApiKey, KeyMode } from '../model/api-key.ts';
import { type KeyFacts, keyFacts } from '../model/key-facts.ts';
import { hashKeySecret, keyHint, makeKeySecret } from '../model/key-secret.ts';
import {
  type Administration,
  audit,
  InvalidInput,
  NotFound,
  quoted,
  randomId,
  readLine,
} from './administration.ts';
import { checkLifetime } from './lifetime.ts';
import { findProject } from './projects.ts';

const MAX_NAME_LENGTH = 100;

export interface NewKeyFields {
  readonly projectId: string;
  readonly type: KeyType;
  readonly mode?: KeyMode | undefined;
  readonly name?: string | undefined;
  /** If absent, the key does not expire. */
  readonly expiresInMs?: number | undefined;
}

/** A key with its secret, which is known only at this moment. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

export async function createKey(admin: Administration, fields: NewKeyFields): Promise<IssuedKey> {
  const { type, mode = 'live' } = fields;
  if (type !== 'client' && type !== 'server') {
    throw new InvalidInput('type', `Key type ${quoted(type)} is not known. Use client or server.`);
  }
  if (mode !== 'live' && mode !== 'test') {
    throw new InvalidInput('mode', `Key mode ${quoted(mode)} is not known. Use live or test.`);
  }
  const name = readName(fields.name ?? `${type} key`);
  const now = admin.now();
  const expiresAt = readExpiry(fields.expiresInMs, now);
  const project = await findProject(admin, fields.projectId);
  if (project.archivedAt !== null) {
    throw new InvalidInput('project', `Project '${project.id}' is archived. Bring it back first.`);
  }
  const secret = makeKeySecret(type, mode, admin.randomBytes);
  const key = await admin.store.keys.create(
    {
      id: randomId('key_', 16, admin.randomBytes),
      projectId: project.id,
      type,
      mode,
      name,
      hash: hashKeySecret(secret),
      hint: keyHint(secret),
      expiresAt,
    },
    now,
  );
  await audit(admin, 'key.create', project.id, { keyId: key.id, type, mode, name, expiresAt });
  return { key, secret };
}

/**
 * Gives the key a new secret. The old one is refused from the next request on. A key with an expiry date gets the same
 * lifetime again, so that regenerating an expired key makes it valid.
 */
export async function regenerateKey(
  admin: Administration,
  id: string,
  { expiresInMs }: Pick<NewKeyFields, 'expiresInMs'> = {},
): Promise<IssuedKey> {
  const current = await findKey(admin, id);
  if (current.revokedAt !== null) {
    throw new InvalidInput('id', `Key '${id}' is revoked and stays so. Create a new one instead.`);
  }
  const now = admin.now();
  const lifetimeMs =
    expiresInMs ?? (current.expiresAt === null ? undefined : current.expiresAt - current.createdAt);
  const expiresAt = readExpiry(lifetimeMs, now);
  const secret = makeKeySecret(current.type, current.mode, admin.randomBytes);
  const key = await admin.store.keys.replaceSecret(
    id,
    { hash: hashKeySecret(secret), hint: keyHint(secret), expiresAt },
    now,
  );
  await audit(admin, 'key.regenerate', key.projectId, { keyId: id, name: key.name, expiresAt });
  return { key, secret };
}

/** Revoking twice is not an error: the result is the same. */
export async function revokeKey(admin: Administration, id: string): Promise<ApiKey> {
  const current = await findKey(admin, id);
  if (current.revokedAt !== null) return current;
  const key = await admin.store.keys.revoke(id, admin.now());
  await audit(admin, 'key.revoke', key.projectId, { keyId: id, name: key.name });
  return key;
}

export async function listKeys(
  admin: Pick<Administration, 'store' | 'now'>,
  projectId?: string,
): Promise<KeyFacts[]> {
  if (projectId !== undefined) await findProject(admin, projectId);
  const now = admin.now();
  const keys = await admin.store.keys.list(projectId);
  return keys.filter(({ hook }) => hook === null).map((key) => keyFacts(key, now));
}

async function findKey({ store }: Pick<Administration, 'store'>, id: string): Promise<ApiKey> {
  const key = await store.keys.find(id);
  if (key === undefined || key.hook !== null) {
    throw new NotFound(`There is no key '${id}'. The ID begins with key_; it is not the secret itself.`);
  }
  return key;
}

function readName(name: string): string {
  const read = readLine(name, MAX_NAME_LENGTH);
  if (read === undefined) {
    throw new InvalidInput('name', `A key’s name has 1 to ${MAX_NAME_LENGTH} characters.`);
  }
  return read;
}

function readExpiry(lifetimeMs: number | undefined, now: number): number | null {
  if (lifetimeMs === undefined) return null;
  return now + checkLifetime(lifetimeMs);
}
