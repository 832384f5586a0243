import { DAY_MS } from '@postern/contract';
import type { NewKeyRequest, NewKeyView } from '@postern/contract/dashboard';
import { keyOperations } from '../../dist/operations/keys.js';
import { operationsOf } from '../../dist/operations/run-operation.js';
import type { ApiKey } from '../../src/model/api-key.ts';
import type { Administration } from '../../src/operations/administration.ts';

interface IssuedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

export async function createKey(
  admin: Administration,
  {
    projectId,
    expiresInMs,
    ...body
  }: NewKeyRequest & { readonly projectId: string; readonly expiresInMs?: number },
): Promise<IssuedKey> {
  const expiresInDays = expiresInMs === undefined ? undefined : expiresInMs / DAY_MS;
  const call = operationsOf(keyOperations, admin);
  return issued(admin, await call('POST /projects/:id/keys', { id: projectId }, { ...body, expiresInDays }));
}

export async function regenerateKey(admin: Administration, keyId: string): Promise<IssuedKey> {
  const call = operationsOf(keyOperations, admin);
  return issued(admin, await call('POST /keys/:keyId/regenerate', { keyId }, {}));
}

export async function revokeKey(admin: Administration, keyId: string): Promise<void> {
  await operationsOf(keyOperations, admin)('POST /keys/:keyId/revoke', { keyId });
}

async function issued({ store }: Administration, { id, key: secret }: NewKeyView): Promise<IssuedKey> {
  const key = await store.keys.find(id);
  if (key === undefined) throw new Error('The key is not stored');
  return { key, secret };
}
