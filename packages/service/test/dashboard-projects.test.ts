import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
let owner: DashboardClient;
beforeAll(async () => {
  service = await startService();
  owner = await member(service, 'admin');
});
afterAll(() => service.close());

function validate(projectId: string, key: string, body: object, headers: Record<string, string> = {}) {
  return service.ask({
    method: 'POST',
    path: '/validate',
    headers: { authorization: `Bearer ${key}`, 'x-project-id': projectId, ...headers },
    body: JSON.stringify(body),
  });
}

async function projectWithKey(fields: object = {}) {
  const project = (await owner.post('/projects', { name: 'Shop', ...fields })).json;
  const key = (await owner.post(`/projects/${project.id}/keys`, { type: 'server' })).json;
  return { project, key };
}

describe('projects', () => {
  it('are created with sensible defaults and found again', async () => {
    const made = await owner.post('/projects', { name: 'Wéb Shop', allowedDomains: ['example.com'] });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      id: 'web-shop',
      name: 'Wéb Shop',
      allowedDomains: ['example.com'],
      plan: 'free',
      quotaLimit: null,
      quota: { limit: 10_000, used: 0 },
      archivedAt: null,
    });
    expect((await owner.get('/projects/web-shop')).json).toEqual(made.json);
    expect((await owner.post('/projects', { name: 'x', id: 'web-shop' })).status).toBe(409);
    expect((await owner.post('/projects', { name: '' })).json.field).toBe('name');
    expect((await owner.get('/projects/nowhere')).status).toBe(404);
  });

  it('accept a change of every field, and refuse invalid values by field name', async () => {
    const { project } = await projectWithKey();
    const patch = {
      name: 'Renamed',
      allowedDomains: ['*.example.com', 'localhost:3000'],
      plan: 'pro',
      quotaLimit: 5,
      rateClient: 7,
      rateServer: 9,
      retentionDays: 30,
      logRetentionDays: 14,
      allowList: [{ value: 'example.org', note: 'ours' }],
      blockList: [{ value: '203.0.113.0/24' }],
      policy: {
        relays: 'fail',
        deviceThreshold: 5,
        actions: { ip: 'off', alias: 'block' },
      },
    };
    const changed = await owner.call('PATCH', `/projects/${project.id}`, patch);
    const { policy, ...rest } = patch;
    expect(changed.json).toMatchObject(rest);
    expect(changed.json.policy).toMatchObject({ relays: 'fail', deviceThreshold: 5 });
    expect(changed.json.policy.actions).toMatchObject({ alias: 'block', syntax: 'block' });
    expect(policy.actions.ip in changed.json.policy.actions).toBe(false);
    expect(changed.json.policy.actions.ip).toBeUndefined();
    for (const [field, value] of Object.entries({
      allowedDomains: ['not a domain'],
      plan: 'gold',
      rateServer: -1,
      logRetentionDays: 0,
      quotaLimit: 'many',
      blockList: [{ value: '???' }],
      policy: 'strict',
    })) {
      const refused = await owner.call('PATCH', `/projects/${project.id}`, { [field]: value });
      expect([refused.status, refused.json.field], field).toEqual([400, field]);
    }
  });

  it('refuse unknown fields by name', async () => {
    const { project } = await projectWithKey();
    const misspelt = { name: 'Renamed', quota: 5, allowedDomain: ['example.org'] };
    const refused = await owner.call('PATCH', `/projects/${project.id}`, misspelt);
    expect([refused.status, refused.json.field]).toEqual([400, 'quota']);
    expect(refused.json.error).toMatch(/'quota', 'allowedDomain'.*Known fields: name, .*quotaLimit/);
    expect((await owner.get(`/projects/${project.id}`)).json.name).not.toBe('Renamed');
    const unmade = await owner.post('/projects', { name: 'New', quotaLimit: 5 });
    expect([unmade.status, unmade.json.field]).toEqual([400, 'quotaLimit']);
  });

  it('keep every change that is made at the same time', async () => {
    const { project } = await projectWithKey();
    const domains = Array.from({ length: 12 }, (_, at) => `bad-${at}.example`);
    const added = await Promise.all(
      domains.map((value) =>
        owner.post(`/projects/${project.id}/lists`, { changes: [{ list: 'blockList', add: { value } }] }),
      ),
    );
    expect(added.map(({ json }) => json.undo)).toEqual(
      domains.map((value) => [{ list: 'blockList', remove: value }]),
    );
    await Promise.all(
      ['alias', 'roleEmail', 'device', 'ip'].map((check) =>
        owner.call('PATCH', `/projects/${project.id}`, { policy: { actions: { [check]: 'block' } } }),
      ),
    );
    const after = (await owner.get(`/projects/${project.id}`)).json;
    expect(after.blockList.map(({ value }: { value: string }) => value).sort()).toEqual([...domains].sort());
    expect(after.policy.actions).toMatchObject({
      alias: 'block',
      roleEmail: 'block',
      device: 'block',
      ip: 'block',
    });
  });

  it('do not overwrite what somebody else changed while a form was open', async () => {
    const { project } = await projectWithKey({ allowedDomains: ['example.com'] });
    const save = (body: object) => owner.call('PATCH', `/projects/${project.id}`, body);
    const expected = { allowedDomains: ['example.com'] };
    expect((await save({ allowedDomains: ['example.com', 'a.example'], expected })).status).toBe(200);
    const late = await save({ allowedDomains: ['example.com', 'b.example'], name: 'Late', expected });
    expect([late.status, late.json.error]).toEqual([
      409,
      expect.stringContaining('Allowed domains: somebody else'),
    ]);
    const { allowedDomains, name } = (await owner.get(`/projects/${project.id}`)).json;
    expect({ allowedDomains, name }).toEqual({ allowedDomains: ['example.com', 'a.example'], name: 'Shop' });
    const again = { rateClient: 5, expected: { rateClient: 1_000 } };
    expect((await save(again)).status).toBe(200);
    // The answer may have been lost; the same change is no conflict with itself.
    expect((await save(again)).status).toBe(200);
    // Of the policy, the settings that the change names. Another one may change meanwhile.
    const policy = { actions: { alias: 'block', mx: 'off' } };
    const stricter = { policy, expected: { policy: { actions: { alias: 'flag', mx: 'block' } } } };
    expect((await save({ policy: { actions: { ip: 'block' } } })).status).toBe(200);
    expect((await save(stricter)).status).toBe(200);
    expect((await save(stricter)).status).toBe(200);
    expect((await save({ policy: { actions: { alias: 'allow' } } })).status).toBe(200);
    const lost = await save(stricter);
    expect([lost.status, lost.json.error]).toEqual([409, expect.stringContaining('Policy: somebody else')]);
    for (const wrong of [7, null, ['name'], { misspelt: 1 }]) {
      const refused = await save({ name: 'x', expected: wrong });
      expect([refused.status, refused.json.field]).toEqual([400, 'expected']);
    }
  });

  it('refuse all requests while archived', async () => {
    const { project, key } = await projectWithKey();
    const ask = () => validate(project.id, key.key, { email: 'jane.doe@gmail.com' });
    expect((await ask()).status).toBe(200);
    expect((await owner.post(`/projects/${project.id}/archive`)).json.archivedAt).toEqual(expect.any(Number));
    expect((await ask()).status).toBe(403);
    expect((await owner.post(`/projects/${project.id}/restore`)).json.archivedAt).toBeNull();
    expect((await ask()).status).toBe(200);
  });

  it('show which pattern allows an origin, also for unsaved patterns', async () => {
    const { project } = await projectWithKey({ allowedDomains: ['example.com', '*.example.com'] });
    const test = async (body: object) => (await owner.post(`/projects/${project.id}/origin-test`, body)).json;
    expect(await test({ origin: 'https://shop.example.com' })).toEqual({
      allowed: true,
      matchedBy: '*.example.com',
      invalid: [],
      warnings: [],
    });
    expect(await test({ origin: 'https://example.org' })).toMatchObject({ allowed: false, matchedBy: null });
    const edited = await test({ origin: 'app://com.shop', allowedDomains: ['ex ample', 'app://com.shop'] });
    expect(edited).toMatchObject({
      allowed: true,
      matchedBy: 'app://com.shop',
      invalid: [{ pattern: 'ex ample' }],
    });
    const wide = await test({ origin: 'https://a.example', allowedDomains: ['*.com', '*.github.io'] });
    expect(wide).toMatchObject({
      invalid: [{ pattern: '*.com', error: expect.stringContaining('anyone') }],
      warnings: [{ pattern: '*.github.io' }],
    });
    const saved = await owner.call('PATCH', `/projects/${project.id}`, { allowedDomains: ['*.com'] });
    expect([saved.status, saved.json.field]).toEqual([400, 'allowedDomains']);
  });
});

describe('keys', () => {
  it('work from the first request after they are created, and are refused from the first one after they are replaced', async () => {
    const { project, key } = await projectWithKey();
    const ask = (secret: string) => validate(project.id, secret, { email: 'jane.doe@gmail.com' });
    expect((await ask(key.key)).status).toBe(200);
    const next = await owner.post(`/keys/${key.id}/regenerate`);
    expect([next.status, next.json.id]).toEqual([200, key.id]);
    expect((await ask(key.key)).status).toBe(401);
    expect((await ask(next.json.key)).status).toBe(200);
    expect((await owner.post(`/keys/${key.id}/revoke`)).json.status).toBe('revoked');
    expect((await ask(next.json.key)).status).toBe(401);
    expect((await owner.post(`/keys/${key.id}/regenerate`)).status).toBe(400);

    const listed = await owner.get(`/projects/${project.id}/keys`);
    expect(listed.json).toMatchObject([{ id: key.id, status: 'revoked', rotationDue: false, ageDays: 0 }]);
    expect(listed.json[0]).not.toHaveProperty('hash');
    expect(listed.text).not.toContain(next.json.key);
  });

  it('can be created in every type and mode, and invalid ones are refused', async () => {
    const { project } = await projectWithKey();
    const make = (body: object) => owner.post(`/projects/${project.id}/keys`, body);
    const test = await make({ type: 'client', mode: 'test', name: 'Page', expiresInDays: 90 });
    expect(test.json).toMatchObject({ type: 'client', mode: 'test', name: 'Page' });
    expect(test.json.expiresAt - test.json.createdAt).toBe(90 * 86_400_000);
    expect(test.json.key).toMatch(/^pst_client_test_/);
    expect((await make({ type: 'other' })).json.field).toBe('type');
    expect((await make({ type: 'server', mode: 'x' })).json.field).toBe('mode');
    expect((await make({ type: 'server', expiresInDays: 0 })).json.field).toBe('expiresInDays');
    expect((await owner.post('/projects/nowhere/keys', { type: 'server' })).status).toBe(404);
    expect((await owner.post('/keys/key_nothing/revoke')).status).toBe(404);
  });
});

it('apply a policy change from the next request on', async () => {
  const { project, key } = await projectWithKey();
  const ask = async () => (await validate(project.id, key.key, { email: 'support@mail-house.net' })).json;
  const patch = (policy: object) => owner.call('PATCH', `/projects/${project.id}`, { policy });
  expect((await ask()).recommendation).toBe('flag');
  await patch({ actions: { roleEmail: 'block' } });
  expect((await ask()).recommendation).toBe('block');
  await patch({ actions: { roleEmail: 'off' } });
  const answer = await ask();
  expect(answer.recommendation).not.toBe('block');
  expect(answer.checks).not.toHaveProperty('roleEmail');
});

it('record who changed what', async () => {
  const { project, key } = await projectWithKey();
  await owner.call('PATCH', `/projects/${project.id}`, { name: 'Renamed' });
  await owner.post(`/keys/${key.id}/regenerate`);
  await owner.post(`/keys/${key.id}/revoke`);
  await owner.post(`/projects/${project.id}/archive`);
  const me = (await owner.get('/session')).json.user;
  const { rows, next } = (await owner.get(`/audit?project=${project.id}`)).json;
  expect(next).toBeNull();
  expect(rows.map((row: { action: string }) => row.action)).toEqual([
    'project.update',
    'key.revoke',
    'key.regenerate',
    'project.update',
    'key.create',
    'project.create',
  ]);
  for (const row of rows)
    expect(row).toMatchObject({ actor: me.id, actorName: me.name, projectId: project.id });
  expect(JSON.stringify(rows)).not.toContain('pst_server_live_');

  const first = (await owner.get(`/audit?project=${project.id}&limit=4`)).json;
  const rest = (await owner.get(`/audit?project=${project.id}&limit=4&before=${first.next}`)).json;
  expect([...first.rows, ...rest.rows]).toEqual(rows);
});
