import { expect, test } from 'vitest';
import { openAdministration } from '../../test/support/administration.ts';
import { readKeySecret } from '../model/key-secret.ts';
import { hashSecretToken } from '../model/secret-token.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { createProject, updateProject } from './change-project.ts';
import { firstStart } from './first-start.ts';

test('an empty store gets a demo project whose two keys work', async () => {
  const admin = await openAdministration();
  const demo = await firstStart(admin);
  expect(demo?.project).toMatchObject({ id: 'demo', allowedDomains: ['localhost:*'] });
  for (const type of ['client', 'server'] as const) {
    const secret = demo?.[type].key ?? '';
    expect(readKeySecret(secret)).toEqual({ type, mode: 'live' });
    expect((await admin.store.findKey(hashSecretToken(secret)))?.project.id).toBe('demo');
  }
});

test('it happens once, archived or not, and never if another project exists', async () => {
  const admin = await openAdministration();
  await firstStart(admin);
  expect(await firstStart(admin)).toBeUndefined();
  await updateProject(admin, 'demo', { archived: true });
  expect(await firstStart(admin)).toBeUndefined();

  const other = await openAdministration();
  await createProject(other, { id: 'shop' });
  expect(await firstStart(other)).toBeUndefined();
});

test('if ten processes start at once, one creates the demo', async () => {
  const admin = await openAdministration();
  const stores = await Promise.all(Array.from({ length: 9 }, () => openSqliteStore({ file: admin.file })));
  try {
    const demos = await Promise.all([admin.store, ...stores].map((store) => firstStart({ ...admin, store })));
    expect(demos.filter((demo) => demo !== undefined)).toHaveLength(1);
    expect(await admin.store.projects.list()).toHaveLength(1);
    expect(await admin.store.keys.list()).toHaveLength(2);
  } finally {
    await Promise.all(stores.map((store) => store.close()));
  }
});
