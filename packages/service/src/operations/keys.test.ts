import { DAY_MS } from '@postern/contract';
import type { NewKeyRequest } from '@postern/contract/dashboard';
import { expect, test } from 'vitest';
import { openAdministration, type TestAdministration } from '../../test/support/administration.ts';
import { readKeySecret } from '../model/key-secret.ts';
import { hashSecretToken } from '../model/secret-token.ts';
import { InvalidInput, NotFound } from './administration.ts';
import { createProject, updateProject } from './change-project.ts';
import { keyOperations, listKeys } from './keys.ts';
import { operationsOf } from './run-operation.ts';

async function openShop(): Promise<TestAdministration> {
  const admin = await openAdministration();
  await createProject(admin, { id: 'shop' });
  return admin;
}

function create(admin: TestAdministration, { id = 'shop', ...fields }: Record<string, unknown>) {
  const body = fields as unknown as NewKeyRequest;
  return operationsOf(keyOperations, admin)('POST /projects/:id/keys', { id: String(id) }, body);
}

const regenerate = (admin: TestAdministration, keyId: string, body = {}) =>
  operationsOf(keyOperations, admin)('POST /keys/:keyId/regenerate', { keyId }, body);
const revoke = (admin: TestAdministration, keyId: string) =>
  operationsOf(keyOperations, admin)('POST /keys/:keyId/revoke', { keyId });

test('the secret finds the key, states its kind, and is stored nowhere', async () => {
  const admin = await openShop();
  const { key: secret, ...key } = await create(admin, { type: 'server', mode: 'test' });
  expect(readKeySecret(secret)).toEqual({ type: 'server', mode: 'test' });
  expect(key.id).toMatch(/^key_[a-z0-9]{16}$/);
  expect((await admin.store.findKey(hashSecretToken(secret)))?.key.id).toBe(key.id);
  const kept = JSON.stringify([
    await admin.store.keys.list(),
    await admin.store.audit.page('shop', 10, null),
  ]);
  expect(kept).not.toContain(secret);
  expect(kept).not.toContain(secret.slice(-12));
});

test('regenerating keeps the key and invalidates the old secret immediately', async () => {
  const admin = await openShop();
  const before = await create(admin, { type: 'client', name: 'Page' });
  const after = await regenerate(admin, before.id);
  expect(after).toMatchObject({ id: before.id, type: 'client', name: 'Page' });
  expect(await admin.store.findKey(hashSecretToken(before.key))).toBeUndefined();
  expect((await admin.store.findKey(hashSecretToken(after.key)))?.key.id).toBe(before.id);
});

test('a key’s age is its secret’s age, and it is due for rotation after 90 days', async () => {
  const admin = await openShop();
  const { id } = await create(admin, { type: 'client' });
  const facts = async () => (await listKeys(admin, 'shop'))[0];
  admin.wait(90 * DAY_MS - 1);
  expect(await facts()).toMatchObject({ ageDays: 89, rotationDue: false, status: 'active' });
  admin.wait(1);
  expect(await facts()).toMatchObject({ ageDays: 90, rotationDue: true });
  await regenerate(admin, id);
  expect(await facts()).toMatchObject({ ageDays: 0, rotationDue: false });
});

test('a key expires on time, and regenerating renews its lifetime', async () => {
  const admin = await openShop();
  const key = await create(admin, { type: 'client', expiresInDays: 1 });
  expect(key.expiresAt).toBe(admin.now() + DAY_MS);
  admin.wait(DAY_MS);
  expect((await listKeys(admin))[0]?.status).toBe('expired');
  expect((await regenerate(admin, key.id)).expiresAt).toBe(admin.now() + DAY_MS);
  expect((await regenerate(admin, key.id, { expiresInDays: 0.5 })).expiresAt).toBe(admin.now() + DAY_MS / 2);
});

test('revoking twice is not an error, and a revoked key cannot be regenerated', async () => {
  const admin = await openShop();
  const { id, key: secret } = await create(admin, { type: 'server' });
  const revoked = await revoke(admin, id);
  admin.wait(1000);
  expect(await revoke(admin, id)).toEqual(revoked);
  const found = await admin.store.findKey(hashSecretToken(secret));
  expect(found?.key.revokedAt ?? 'gone').not.toBeNull();
  await expect(regenerate(admin, id)).rejects.toThrow(/revoked and stays so/);
  expect((await listKeys(admin))[0]).toMatchObject({ status: 'revoked', rotationDue: false });
});

test('the list can be limited to one project', async () => {
  const admin = await openShop();
  await createProject(admin, { id: 'other' });
  await create(admin, { type: 'client' });
  await create(admin, { id: 'other', type: 'client' });
  expect((await listKeys(admin, 'other')).map(({ projectId }) => projectId)).toEqual(['other']);
  expect(await listKeys(admin)).toHaveLength(2);
  await expect(listKeys(admin, 'nobody')).rejects.toThrow(NotFound);
});

test('invalid input is refused with advice', async () => {
  const admin = await openShop();
  const make = (fields: object) => create(admin, { type: 'client', ...fields });
  await expect(make({ type: 'admin' })).rejects.toThrow(/Use one of: client, server/);
  await expect(make({ mode: 'sandbox' })).rejects.toThrow(/Use one of: live, test/);
  await expect(make({ name: ' ' })).rejects.toThrow(InvalidInput);
  await expect(make({ expiresInDays: 0 })).rejects.toThrow(/at most 3650/);
  await expect(make({ id: 'nobody' })).rejects.toThrow(/no project 'nobody'/);
  await expect(revoke(admin, 'key_nobody')).rejects.toThrow(NotFound);
  await updateProject(admin, 'shop', { archived: true });
  await expect(make({})).rejects.toThrow(/archived/);
  expect(await listKeys(admin)).toEqual([]);
});
