import { expect, test } from 'vitest';
import { openAdministration } from '../../test/support/administration.ts';
import { DEFAULT_POLICY } from '../model/project.ts';
import { StoreConflict } from '../store/store.ts';
import { InvalidInput, NotFound } from './administration.ts';
import { createProject, findProject, listProjects, updateProject } from './change-project.ts';

test('a project of nothing but a name has every default, localhost among them', async () => {
  const admin = await openAdministration();
  const project = await createProject(admin, { name: 'Web Shop' });
  expect(project).toMatchObject({
    id: 'web-shop',
    name: 'Web Shop',
    allowedDomains: ['localhost:*'],
    plan: 'free',
    quotaLimit: null,
    rateClient: 1000,
    rateServer: 5000,
    retentionDays: 90,
    logRetentionDays: null,
    policy: DEFAULT_POLICY,
    archivedAt: null,
    createdAt: admin.now(),
  });
  expect(await findProject(admin, 'web-shop')).toEqual(project);
});

test('the given fields are stored', async () => {
  const admin = await openAdministration();
  const project = await createProject(admin, {
    id: 'Shop_1',
    name: 'Shop',
    allowedDomains: ['example.com', '*.example.com'],
    plan: 'pro',
    quotaLimit: 40,
    rateClient: 7,
    rateServer: 9,
    policy: { actions: { ip: 'block' }, relays: 'fail' },
    blockList: [{ value: 'Spam.example', note: 'asked for' }],
  });
  expect(await findProject(admin, 'Shop_1')).toEqual(project);
  expect(project).toMatchObject({ plan: 'pro', quotaLimit: 40, rateClient: 7, rateServer: 9 });
  expect(project.policy.actions).toEqual({ ...DEFAULT_POLICY.actions, ip: 'block' });
  expect(project.blockList).toEqual([{ value: 'spam.example', note: 'asked for', author: 'tester' }]);
});

test('a given ID must be free; one derived from a name is made unique', async () => {
  const admin = await openAdministration();
  await createProject(admin, { id: 'shop' });
  await expect(createProject(admin, { id: 'shop' })).rejects.toThrow(StoreConflict);
  const second = await createProject(admin, { name: 'Shop' });
  expect(second.id).toMatch(/^shop-[a-z0-9]{6}$/);
});

test('a name without a Latin letter gets a made-up ID', async () => {
  const admin = await openAdministration();
  const project = await createProject(admin, { name: '店' });
  expect(project.id).toMatch(/^proj_[a-z0-9]{12}$/);
  expect((await createProject(admin, { name: 'Café Zürich!' })).id).toBe('cafe-zurich');
});

test('an update changes what it names and nothing else', async () => {
  const admin = await openAdministration();
  const before = await createProject(admin, { id: 'shop', policy: { relays: 'fail' } });
  const after = await updateProject(admin, 'shop', { quotaLimit: 5, policy: { deviceThreshold: 7 } });
  expect(after).toEqual({
    ...before,
    quotaLimit: 5,
    policy: { ...before.policy, deviceThreshold: 7 },
    version: after.version,
  });
  expect(after.version).toBeGreaterThan(before.version);
});

test('an archived project keeps the time it was archived at, and can be brought back', async () => {
  const admin = await openAdministration();
  await createProject(admin, { id: 'shop' });
  const archived = await updateProject(admin, 'shop', { archived: true });
  expect(archived.archivedAt).toBe(admin.now());
  admin.wait(1000);
  expect((await updateProject(admin, 'shop', { archived: true })).archivedAt).toBe(archived.archivedAt);
  expect((await updateProject(admin, 'shop', { archived: false })).archivedAt).toBeNull();
});

test('invalid input is refused and changes nothing', async () => {
  const admin = await openAdministration();
  await expect(createProject(admin, { id: 'no spaces' })).rejects.toThrow(InvalidInput);
  await expect(createProject(admin, { id: 'a', plan: 'gold' })).rejects.toThrow(/free, pro/);
  await expect(updateProject(admin, 'a', { name: 'b' })).rejects.toThrow(NotFound);
  expect(await listProjects(admin)).toEqual([]);
  await createProject(admin, { id: 'a' });
  await expect(updateProject(admin, 'a', {})).rejects.toThrow(/Nothing to change/);
});

test('the list shows the effective limit: the project’s own, its plan’s, or none', async () => {
  const admin = await openAdministration();
  await createProject(admin, { id: 'by-plan', plan: 'pro' });
  await createProject(admin, { id: 'own', plan: 'pro', quotaLimit: 0 });
  const limits = async (plans: ReadonlyMap<string, number>) =>
    Object.fromEntries(
      (await listProjects({ ...admin, plans })).map((row) => [row.project.id, row.quotaLimit]),
    );
  expect(await limits(admin.plans)).toEqual({ 'by-plan': 100_000, own: 0 });
  expect(await limits(new Map([['free', 1000]]))).toEqual({ 'by-plan': 0, own: 0 });
});

test('each change is in the audit log, with actor and details', async () => {
  const admin = await openAdministration();
  await createProject(admin, { id: 'shop' });
  admin.wait(1);
  await updateProject(admin, 'shop', { rateClient: 3 });
  const rows = await admin.store.audit.page('shop', 10, null);
  expect(rows.map(({ actor, action, projectId }) => [actor, action, projectId])).toEqual([
    ['tester', 'project.update', 'shop'],
    ['tester', 'project.create', 'shop'],
  ]);
  expect(rows[0]?.detail).toEqual({ rateClient: 3, before: { rateClient: 1_000 } });
});

test('the audit log says what was added to a list and what was removed, and names no person', async () => {
  const admin = await openAdministration();
  const staying = { value: 'staying.example' };
  await createProject(admin, { id: 'shop', blockList: [staying, { value: 'leaving.example' }] });
  admin.wait(1);
  const added = { value: 'jane.doe@bad.example', expiresAt: 5 };
  await updateProject(admin, 'shop', { allowList: [], blockList: [staying, added] });
  const [row] = await admin.store.audit.page('shop', 1, null);
  expect(row).toMatchObject({ action: 'project.lists' });
  expect(row?.detail).toEqual({
    blockListAdded: [{ value: '***@bad.example', expiresAt: 5 }],
    blockListRemoved: [{ value: 'leaving.example' }],
  });
});
