import { ROLES } from '@postern/contract/dashboard';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dashboardRoutes } from '../dist/dashboard-api/routes.js';
import { deleteProject } from '../dist/operations/change-project.js';
import { type DashboardClient, member, PASSWORD, visitor } from './support/dashboard.ts';
import { startService, type TestProject, type TestService } from './support/service.ts';

let service: TestService;
let project: TestProject;
let owner: DashboardClient;
let admin: DashboardClient;
let viewer: DashboardClient;
beforeAll(async () => {
  service = await startService();
  project = await service.makeProject();
  owner = await member(service, 'owner');
  admin = await member(service, 'admin');
  viewer = await member(service, 'viewer');
});
afterAll(() => service.close());

const routes = dashboardRoutes({} as Parameters<typeof dashboardRoutes>[0]);
/** Routes that only read, or only change what is the caller’s own. */
const HARMLESS = [
  'origin-test',
  'playground',
  'time-machine',
  'rules/test',
  'rules/check',
  '/search',
  '/reach',
];

describe('roles', () => {
  const changing = routes.filter(
    ({ method, path, access }) =>
      method !== 'GET' &&
      access !== 'anyone' &&
      access !== 'member' &&
      !HARMLESS.some((part) => path.includes(part)),
  );
  const real = (path: string) => path.replace(':id', project.id).replace(':keyId', project.serverKeyId);

  it('refuses a viewer on every route that changes something', async () => {
    expect(changing.length).toBeGreaterThan(10);
    for (const { method, path, access } of changing) {
      expect(access, path).not.toBe('viewer');
      const answer = await viewer.call(method, real(path), {});
      expect([answer.status, answer.json.error], `${method} ${path}`).toEqual([
        403,
        `This needs the role ${access}; yours is viewer.`,
      ]);
    }
    expect((await project.validate({ email: 'jane.doe@gmail.com' })).status).toBe(200);
  });

  it('refuses an admin on the owners’ routes', async () => {
    for (const { method, path, access } of changing.filter((route) => route.access === 'owner'))
      expect((await admin.call(method, real(path), {})).status, `${method} ${path} ${access}`).toBe(403);
  });

  it('refuses callers without a session on all routes except signing in', async () => {
    for (const { method, path } of routes.filter(({ access }) => access !== 'anyone')) {
      const answer = await visitor(service).call(method, real(path), method === 'GET' ? undefined : {});
      expect([answer.status, answer.json.error], `${method} ${path}`).toEqual([401, 'Sign in first.']);
    }
    const open = routes
      .filter(({ access }) => access === 'anyone')
      .map(({ method, path }) => `${method} ${path}`);
    expect(open).toEqual([
      'GET /setup',
      'POST /setup',
      'POST /sign-in-link',
      'POST /invites/check',
      'POST /invites/accept',
      'POST /password/forgot',
      'POST /password/check',
      'POST /password/reset',
    ]);
  });

  it('every route has a valid minimum role', () => {
    for (const { access } of routes) expect(['anyone', 'member', ...ROLES]).toContain(access);
  });
});

describe('changes with a session', () => {
  it('need its own CSRF token', async () => {
    const { csrf } = (await owner.get('/session')).json;
    const foreign = (await admin.get('/session')).json.csrf;
    for (const token of ['', 'x', foreign, `${csrf}x`]) {
      const answer = await owner.call('POST', '/projects', { name: 'Forged' }, { 'X-Postern-Csrf': token });
      expect([answer.status, token]).toEqual([403, token]);
    }
    const names = (await owner.get('/projects')).json.map(({ name }: { name: string }) => name);
    expect(names).not.toContain('Forged');
  });

  it('are refused from another site’s page, and work from the dashboard’s own', async () => {
    const from = (headers: Record<string, string>) =>
      owner.call('POST', `/projects/${project.id}/origin-test`, { origin: 'https://app.example' }, headers);
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${service.url}.evil.example` },
      { origin: service.url, 'sec-fetch-site': 'cross-site' },
    ])
      expect((await from(headers as Record<string, string>)).status, JSON.stringify(headers)).toBe(403);
    expect((await from({ origin: service.url, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    const signIn = await service.ask({
      method: 'POST',
      path: '/dashboard/api/auth/sign-in/email',
      headers: { 'content-type': 'application/json', origin: 'https://evil.example' },
      body: JSON.stringify({ email: owner.email, password: PASSWORD }),
    });
    expect(signIn.status).toBe(403);
  });
});

describe('invitations', () => {
  it('create one account each, with the role of the invitation', async () => {
    const made = await owner.post('/invites', { role: 'admin' });
    expect(made.status).toBe(201);
    expect(made.json.url).toMatch(
      new RegExp(`^${service.url}/dashboard/invite#token=pst_invite_[\\w-]{43}$`),
    );
    const listed = await owner.get('/invites');
    expect(listed.json).toMatchObject([{ id: made.json.id, role: 'admin' }]);
    expect(listed.text).not.toContain('pst_invite_');

    const token = new URL(made.json.url).hash.slice('#token='.length);
    const fields = { token, name: 'Invited', email: 'invited@example.com', password: PASSWORD };
    const guest = visitor(service);
    const taken = await guest.call('POST', '/invites/accept', { ...fields, email: owner.email });
    expect(taken.status).toBe(409);
    const accepted = await guest.call('POST', '/invites/accept', fields);
    expect([accepted.status, accepted.json.role]).toEqual([201, 'admin']);
    expect((await guest.get('/session')).json.user.name).toBe('Invited');
    const again = await visitor(service).call('POST', '/invites/accept', {
      ...fields,
      email: 'x@example.com',
    });
    expect(again.status).toBe(404);
    expect((await owner.get('/invites')).json).toEqual([]);
  });

  it('can be withdrawn', async () => {
    const { json } = await owner.post('/invites', { role: 'viewer' });
    expect((await owner.call('DELETE', `/invites/${json.id}`)).status).toBe(204);
    expect((await owner.call('DELETE', `/invites/${json.id}`)).status).toBe(404);
    const token = json.url.split('#token=')[1];
    const fields = { token, name: 'Late', email: 'late@example.com', password: PASSWORD };
    expect((await visitor(service).call('POST', '/invites/accept', fields)).status).toBe(404);
    expect((await owner.post('/invites', { role: 'king' })).json.field).toBe('role');
  });
});

describe('members', () => {
  it('lose access immediately when the role changes or they are removed, with sessions and tokens', async () => {
    const jane = await member(service, 'viewer');
    const { id } = (await jane.get('/session')).json.user;
    const token = (await jane.post('/tokens', { name: 'CI' })).json.token;
    const scripted = (method: string, path: string, body?: unknown) =>
      visitor(service).call(method, path, body, { authorization: `Bearer ${token}` });

    expect((await jane.post('/projects', { name: 'Mine' })).status).toBe(403);
    expect((await scripted('POST', '/projects', { name: 'Mine' })).status).toBe(403);
    expect((await owner.call('PATCH', `/members/${id}`, { role: 'admin' })).json.role).toBe('admin');
    expect((await jane.post('/projects', { name: 'Mine' })).status).toBe(201);
    expect((await scripted('POST', '/projects', { name: 'Mine too' })).status).toBe(201);

    expect((await owner.call('DELETE', `/members/${id}`)).status).toBe(204);
    expect((await jane.get('/session')).status).toBe(401);
    expect((await scripted('GET', '/session')).status).toBe(401);
    const members = (await owner.get('/members')).json.map((one: { id: string }) => one.id);
    expect(members).not.toContain(id);
    const back = await visitor(service).auth('/sign-in/email', { email: jane.email, password: PASSWORD });
    expect(back.status).toBe(401);
  });

  it('who were owners cannot return with an old link', async () => {
    for (const leave of [
      (id: string) => owner.call('DELETE', `/members/${id}`),
      (id: string) => owner.call('PATCH', `/members/${id}`, { role: 'viewer' }),
    ]) {
      const other = await member(service, 'owner');
      const { id } = (await other.get('/session')).json.user;
      const token = (await other.post('/invites', { role: 'owner' })).json.url.split('token=')[1];
      expect((await leave(id)).status).toBeLessThan(300);
      const account = { token, name: 'Back', email: `back-${id}@example.com`, password: PASSWORD };
      expect((await visitor(service).call('POST', '/invites/accept', account)).status).toBe(404);
      expect((await owner.get('/invites')).json).toEqual([]);
    }
  });

  it('always include an owner', async () => {
    const { id } = (await owner.get('/session')).json.user;
    expect((await owner.call('PATCH', `/members/${id}`, { role: 'viewer' })).status).toBe(409);
    expect((await owner.call('DELETE', `/members/${id}`)).status).toBe(409);
    expect((await owner.get('/session')).json.user.role).toBe('owner');
  });

  it('can rename themselves', async () => {
    expect((await admin.call('PATCH', '/session', { name: '  Ada  ' })).json.name).toBe('Ada');
    expect((await admin.get('/session')).json.user.name).toBe('Ada');
    expect((await admin.call('PATCH', '/session', { name: '' })).json.field).toBe('name');
  });
});

describe('access tokens', () => {
  it('work like a session, without cookie and CSRF token, until removed', async () => {
    const made = await owner.post('/tokens', { name: 'CI', expiresInDays: 30 });
    expect(made.json.token).toMatch(/^pst_pat_[\w-]{43}$/);
    const headers = { authorization: `Bearer ${made.json.token}` };
    const script = visitor(service);
    const project = await script.call('POST', '/projects', { name: 'Scripted' }, headers);
    expect([project.status, project.json.id]).toEqual([201, 'scripted']);
    expect((await script.call('GET', '/session', undefined, headers)).json.csrf).toBe('');
    // What a token makes must not outlive it.
    const { id } = (await owner.get('/session')).json.user;
    for (const [method, path, fields] of [
      ['POST', '/tokens', { name: 'Heir' }],
      ['POST', '/invites', { role: 'owner' }],
      ['DELETE', '/invites/unknown', undefined],
      ['PATCH', `/members/${id}`, { role: 'owner' }],
      ['DELETE', `/members/${id}`, undefined],
    ] as const)
      expect([path, (await script.call(method, path, fields, headers)).status]).toEqual([path, 403]);
    expect((await owner.get('/invites')).json).toEqual([]);
    const listed = await owner.get('/tokens');
    expect(listed.text).not.toContain(made.json.token);
    expect(listed.json[0]).toMatchObject({ name: 'CI', lastUsedAt: expect.any(Number) });
    expect((await admin.get('/tokens')).json).toEqual([]);
    expect((await admin.call('DELETE', `/tokens/${made.json.id}`)).status).toBe(404);
    expect((await owner.call('DELETE', `/tokens/${made.json.id}`)).status).toBe(204);
    expect((await script.call('GET', '/session', undefined, headers)).status).toBe(401);
  });

  const asScript = async (from: DashboardClient, fields: object) => {
    const { json } = await from.post('/tokens', { name: 'Report', ...fields });
    const headers = { authorization: `Bearer ${json.token}` };
    return (method: string, path: string, body?: unknown) =>
      visitor(service).call(method, path, body, headers);
  };
  const only = (what: string) =>
    `The access token 'Report' may only ${what}. Create another one in the dashboard, under Your account, Personal access tokens.`;

  it('may only read if their scope is read, and the refusal says so', async () => {
    const ask = await asScript(owner, { scope: 'read' });
    for (const path of ['/session', '/projects', '/invites', '/audit.csv', `/projects/${project.id}/keys`])
      expect([path, (await ask('GET', path)).status]).toEqual([path, 200]);
    expect((await ask('HEAD', '/projects')).status).toBe(200);
    for (const [method, path, body] of [
      ['POST', '/projects', { name: 'Not made' }],
      ['PATCH', `/projects/${project.id}`, { name: 'Not renamed' }],
      ['POST', `/projects/${project.id}/keys`, { type: 'server' }],
      ['DELETE', `/projects/${project.id}/step-up-vendor`, undefined],
      ['PATCH', '/session', { name: 'Not me' }],
      ['POST', '/tokens', { name: 'Heir' }],
    ] as const)
      expect([path, await ask(method, path, body)]).toEqual([
        path,
        expect.objectContaining({ status: 403, json: { error: only('read (GET)') } }),
      ]);
    const names = (await owner.get('/projects')).json.map(({ name }: { name: string }) => name);
    expect(names).not.toContain('Not made');
    expect(names).not.toContain('Not renamed');
    expect((await owner.get('/session')).json.user.name).not.toBe('Not me');
  });

  it('may only use one project if they are made for it, as its member may', async () => {
    const other = await service.makeProject();
    const webhook = (await owner.post(`/projects/${other.id}/webhooks`, { url: 'https://a.example/' })).json;
    const ask = await asScript(owner, { onlyProject: project.id });
    expect((await ask('PATCH', `/projects/${project.id}`, { name: 'Scripts' })).json.name).toBe('Scripts');
    expect((await ask('GET', '/projects')).json).toMatchObject([{ id: project.id }]);
    expect((await ask('GET', '/session')).json.user).toMatchObject({
      role: 'none',
      projects: { [project.id]: 'admin' },
    });
    const { rows } = (await ask('GET', '/audit?limit=200')).json;
    expect(rows.map(({ projectId }: { projectId: string }) => projectId)).toContain(project.id);
    expect(new Set(rows.map(({ projectId }: { projectId: string }) => projectId)).size).toBe(1);
    for (const [method, path, body] of [
      ['GET', `/projects/${other.id}`, undefined],
      ['GET', '/projects/not-there', undefined],
      ['PATCH', `/projects/${other.id}`, { name: 'Not renamed' }],
      ['DELETE', `/webhooks/${webhook.id}`, undefined],
      ['DELETE', '/webhooks/wh_not_there', undefined],
      ['POST', '/projects', { name: 'Not made either' }],
      ['GET', '/members', undefined],
      ['GET', '/invites', undefined],
      ['GET', '/sessions', undefined],
      ['GET', '/tokens', undefined],
      ['PATCH', '/session', { name: 'Not me' }],
    ] as const)
      expect([path, await ask(method, path, body)]).toEqual([
        path,
        expect.objectContaining({ status: 403, json: { error: only(`use project '${project.id}'`) } }),
      ]);
    expect((await owner.get(`/projects/${other.id}`)).json.name).not.toBe('Not renamed');
    expect((await owner.get(`/projects/${other.id}/webhooks`)).json).toHaveLength(1);

    const reading = await asScript(owner, { onlyProject: project.id, scope: 'read' });
    expect((await reading('GET', `/projects/${project.id}/keys`)).status).toBe(200);
    expect((await reading('POST', `/projects/${project.id}/keys`, { type: 'server' })).json.error).toBe(
      only(`read (GET) and use project '${project.id}'`),
    );
    // A viewer’s token stays a viewer’s.
    const viewers = await asScript(await member(service, 'viewer'), { onlyProject: project.id });
    expect((await viewers('POST', `/projects/${project.id}/keys`, { type: 'server' })).json.error).toBe(
      'This needs the role admin; yours is viewer.',
    );
  });

  it('end with the only project that they may use, and name it and their scope in the audit log', async () => {
    const gone = await service.makeProject();
    const ask = await asScript(owner, { onlyProject: gone.id });
    const { rows } = (await owner.get('/audit?action=token.create&limit=1')).json;
    expect(rows[0].detail).toMatchObject({ name: 'Report', scope: 'full', onlyProject: gone.id });
    expect((await ask('POST', `/projects/${gone.id}/archive`)).status).toBe(200);
    await service.admin((admin) => deleteProject(admin as Parameters<typeof deleteProject>[0], gone.id));
    expect((await ask('GET', '/session')).status).toBe(401);
    const listed = (await owner.get('/tokens')).json;
    expect(listed.some(({ onlyProject }: { onlyProject: string }) => onlyProject === gone.id)).toBe(false);
  });

  it('are refused with a scope or a project that is none, also a project that the member may not see', async () => {
    const stranger = await member(service, 'none');
    for (const [from, fields, error] of [
      [owner, { scope: 'write' }, "scope 'write' is not known. Use one of: full, read."],
      [owner, { scope: null }, 'scope'],
      [owner, { onlyProject: 'not-there' }, "There is no project 'not-there'."],
      [owner, { onlyProject: 'a\0b' }, 'onlyProject must be'],
      [owner, { onlyProject: 7 }, 'onlyProject must be'],
      [owner, { onlyProject: '' }, "There is no project ''."],
      [stranger, { onlyProject: project.id }, `There is no project '${project.id}'.`],
    ] as const) {
      const { status, json } = await from.post('/tokens', { name: 'Never', ...fields });
      expect([fields, status, json.error]).toEqual([fields, 400, expect.stringContaining(error)]);
    }
    const named = (await owner.get('/tokens')).json.map(({ name }: { name: string }) => name);
    expect(named).not.toContain('Never');
  });

  it('are not API keys, and API keys are not access tokens', async () => {
    const headers = { authorization: `Bearer ${project.serverKey}` };
    expect((await visitor(service).call('GET', '/projects', undefined, headers)).status).toBe(401);
    const { token } = (await owner.post('/tokens', { name: 'Other' })).json;
    const answer = await project.validate({ email: 'a.b@gmail.com' }, { authorization: `Bearer ${token}` });
    expect(answer.status).toBe(401);
  });
});

describe('password guessing', () => {
  it('is limited per account, whoever tries, and the answer says for how long', async () => {
    const jane = await member(service, 'viewer');
    const guess = () =>
      visitor(service).auth('/sign-in/email', {
        email: jane.email.toUpperCase(),
        password: 'wrong password',
      });
    const statuses: number[] = [];
    for (let tries = 0; tries < 11; tries += 1) statuses.push((await guess()).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    const right = await visitor(service).auth('/sign-in/email', { email: jane.email, password: PASSWORD });
    expect([right.status, right.headers['retry-after']]).toEqual([429, String(right.json.retryAfter)]);
    expect((await jane.get('/session')).status).toBe(200);
  });
});
