import { DAY_MS } from '@postern/contract';
import type { KeyView, NewKeyRequest, NewKeyView } from '@postern/contract/dashboard';
import type { ApiKey } from '../model/api-key.ts';
import { keyFacts } from '../model/key-facts.ts';
import { keyHint, makeKeySecret } from '../model/key-secret.ts';
import { hashSecretToken } from '../model/secret-token.ts';
import { type Administration, InvalidInput, NotFound, randomId } from './administration.ts';
import { findProject } from './change-project.ts';
import { created, type DashboardHandlers, ok } from './operation.ts';
import type { Change, Note } from './perform.ts';

export const keyOperations = {
  'GET /projects/:id/keys': async ({ admin, params }) => ok(await listKeys(admin, params.id)),
  'POST /projects/:id/keys': async ({ admin, params, body }) => {
    const { answer, ...change } = await newKey(admin, params.id, body);
    return { ...change, answer: created(answer) };
  },
  'POST /keys/:keyId/regenerate': async ({ admin, params, body }) => {
    const before = await findKey(admin, params.keyId);
    if (before.revokedAt !== null)
      throw new InvalidInput('id', `Key '${before.id}' is revoked and stays so. Create a new one instead.`);
    const now = admin.now();
    // A key with an end gets the same lifetime again, so that an expired one becomes valid.
    const lifetimeMs =
      lifetimeOf(body) ?? (before.expiresAt === null ? null : before.expiresAt - before.createdAt);
    const expiresAt = lifetimeMs === null ? null : now + lifetimeMs;
    const secret = makeKeySecret(before.type, before.mode, admin.randomBytes);
    const key: ApiKey = {
      ...before,
      hash: hashSecretToken(secret),
      hint: keyHint(secret),
      createdAt: now,
      expiresAt,
    };
    return {
      write: admin.store.keys.secretChange(before, key),
      note: [keyNote('key.regenerate', key, { name: key.name, expiresAt })],
      answer: ok({ ...keyView({ ...key, lastUsedAt: null }, now), key: secret }),
    };
  },
  'POST /keys/:keyId/revoke': async ({ admin, params }) => {
    const before = await findKey(admin, params.keyId);
    const now = admin.now();
    // Revoking twice is not an error: the result is the same.
    if (before.revokedAt !== null) return ok(keyView(before, now));
    return {
      write: [admin.store.keys.revocation(before, now)],
      note: [keyNote('key.revoke', before, { name: before.name })],
      answer: ok(keyView({ ...before, revokedAt: now }, now)),
    };
  },
} satisfies Partial<DashboardHandlers>;

/** A key with its secret, which is known only at this moment. */
export async function newKey(
  admin: Administration,
  projectId: string,
  { type, mode = 'live', name = `${type} key`, expiresInDays }: NewKeyRequest,
): Promise<Change<NewKeyView>> {
  const project = await findProject(admin, projectId);
  if (project.archivedAt !== null)
    throw new InvalidInput('project', `Project '${project.id}' is archived. Bring it back first.`);
  const now = admin.now();
  const secret = makeKeySecret(type, mode, admin.randomBytes);
  const lifetimeMs = lifetimeOf({ expiresInDays });
  const key: ApiKey = {
    id: randomId('key_', 16, admin.randomBytes),
    projectId: project.id,
    type,
    mode,
    name: name || `${type} key`,
    hash: hashSecretToken(secret),
    hint: keyHint(secret),
    createdAt: now,
    expiresAt: lifetimeMs === undefined ? null : now + lifetimeMs,
    revokedAt: null,
    lastUsedAt: null,
    version: 1,
    hook: null,
  };
  return {
    write: admin.store.keys.creation(key),
    note: [keyNote('key.create', key, { type, mode, name: key.name, expiresAt: key.expiresAt })],
    answer: { ...keyView(key, now), key: secret },
  };
}

export async function listKeys(
  admin: Pick<Administration, 'store' | 'now'>,
  projectId?: string,
): Promise<KeyView[]> {
  if (projectId !== undefined) await findProject(admin, projectId);
  const keys = await admin.store.keys.list(projectId);
  return keys.filter(({ hook }) => hook === null).map((key) => keyView(key, admin.now()));
}

function keyView(stored: ApiKey, now: number): KeyView {
  const { hash: _hash, version: _version, hook: _hook, ...fields } = stored;
  const { key: _key, ...facts } = keyFacts(stored, now);
  return { ...fields, ...facts };
}

function keyNote(
  action: 'key.create' | 'key.regenerate' | 'key.revoke',
  { id, projectId }: ApiKey,
  detail: Note['detail'],
): Note {
  return { action, project: projectId, detail: { keyId: id, ...detail } };
}

async function findKey({ store }: Pick<Administration, 'store'>, id: string): Promise<ApiKey> {
  const key = await store.keys.find(id);
  if (key === undefined || key.hook !== null)
    throw new NotFound(`There is no key '${id}'. The ID begins with key_; it is not the secret itself.`);
  return key;
}

function lifetimeOf({
  expiresInDays,
}: {
  readonly expiresInDays?: number | null | undefined;
}): number | undefined {
  return expiresInDays == null ? undefined : Math.round(expiresInDays * DAY_MS);
}
