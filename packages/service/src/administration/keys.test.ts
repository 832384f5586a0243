import { DAY_MS } from '@postern/contract';
import { expect, test } from 'vitest';
import { openAdministration, type TestAdministration } from '../../test/support/administration.ts';
import { hashKeySecret, readKeySecret } from '../model/key-secret.ts';
import { InvalidInput, NotFound } from './administration.ts';
import { createKey, listKeys, regenerateKey, revokeKey } from './keys.ts';
import { createProject, updateProject } from './projects.ts';

async function openShop(): Promise<TestAdministration> {
  const admin = await openAdministration();
  await createProject(admin, { id: 'shop' });
  return admin;
}

test('the secret finds the key, states its kind, and is stored nowhere', async () => {
  const admin = await openShop();
  const { key, secret } = await createKey(admin, { projectId: 'shop', type: 'server', mode: 'test' });
  expect(readKeySecret(secret)).toEqual({ type: 'server', mode: 'test' });
  expect(key.id).toMatch(/^key_[a-z0-9]{16}$/);
  expect((await admin.store.findKey(hashKeySecret(secret)))?.key.id).toBe(key.id);
  const kept = JSON.stringify([
    await admin.store.keys.list(),
    await admin.store.audit.page('shop', 10, null),
  ]);
  expect(kept).not.toContain(secret);
  expect(kept).not.toContain(secret.slice(-12));
});

test('regenerating keeps the key and invalidates the old secret immediately', async () => {
  const admin = await openShop();
  const before = await createKey(admin, { projectId: 'shop', type: 'client', name: 'Page' });
  const after = await regenerateKey(admin, before.key.id);
  expect(after.key).toMatchObject({ id: before.key.id, type: 'client', name: 'Page' });
  expect(await admin.store.findKey(hashKeySecret(before.secret))).toBeUndefined();
  expect((await admin.store.findKey(hashKeySecret(after.secret)))?.key.id).toBe(before.key.id);
});

test('a key’s age is its secret’s age, and it is due for rotation after 90 days', async () => {
  const admin = await openShop();
  const { key } = await createKey(admin, { projectId: 'shop', type: 'client' });
  const facts = async () => (await listKeys(admin, 'shop'))[0];
  admin.wait(90 * DAY_MS - 1);
  expect(await facts()).toMatchObject({ ageDays: 89, rotationDue: false, status: 'active' });
  admin.wait(1);
  expect(await facts()).toMatchObject({ ageDays: 90, rotationDue: true });
  await regenerateKey(admin, key.id);
  expect(await facts()).toMatchObject({ ageDays: 0, rotationDue: false });
});

test('a key expires on time, and regenerating renews its lifetime', async () => {
  const admin = await openShop();
  const { key } = await createKey(admin, { projectId: 'shop', type: 'client', expiresInMs: DAY_MS });
  expect(key.expiresAt).toBe(admin.now() + DAY_MS);
  admin.wait(DAY_MS);
  expect((await listKeys(admin))[0]?.status).toBe('expired');
  expect((await regenerateKey(admin, key.id)).key.expiresAt).toBe(admin.now() + DAY_MS);
  expect((await regenerateKey(admin, key.id, { expiresInMs: 5 })).key.expiresAt).toBe(admin.now() + 5);
});

test('revoking twice is not an error, and a revoked key cannot be regenerated', async () => {
  const admin = await openShop();
  const { key, secret } = await createKey(admin, { projectId: 'shop', type: 'server' });
  const revoked = await revokeKey(admin, key.id);
  admin.wait(1000);
  expect(await revokeKey(admin, key.id)).toEqual(revoked);
  const found = await admin.store.findKey(hashKeySecret(secret));
  expect(found?.key.revokedAt ?? 'gone').not.toBeNull();
  await expect(regenerateKey(admin, key.id)).rejects.toThrow(/revoked and stays so/);
  expect((await listKeys(admin))[0]).toMatchObject({ status: 'revoked', rotationDue: false });
});

test('the list can be limited to one project', async () => {
  const admin = await openShop();
  await createProject(admin, { id: 'other' });
  await createKey(admin, { projectId: 'shop', type: 'client' });
  await createKey(admin, { projectId: 'other', type: 'client' });
  expect((await listKeys(admin, 'other')).map(({ key }) => key.projectId)).toEqual(['other']);
  expect(await listKeys(admin)).toHaveLength(2);
  await expect(listKeys(admin, 'nobody')).rejects.toThrow(NotFound);
});

test('invalid input is refused with advice', async () => {
  const admin = await openShop();
  const make = (fields: object) => createKey(admin, { projectId: 'shop', type: 'client', ...fields });
  await expect(make({ type: 'admin' })).rejects.toThrow(/Use client or server/);
  await expect(make({ mode: 'sandbox' })).rejects.toThrow(/Use live or test/);
  await expect(make({ name: ' ' })).rejects.toThrow(InvalidInput);
  await expect(make({ expiresInMs: 0 })).rejects.toThrow(/at most 3650 days/);
  await expect(make({ projectId: 'nobody' })).rejects.toThrow(/no project 'nobody'/);
  await expect(revokeKey(admin, 'key_nobody')).rejects.toThrow(NotFound);
  await updateProject(admin, 'shop', { archived: true });
  await expect(make({})).rejects.toThrow(/archived/);
  expect(await listKeys(admin)).toEqual([]);
});
