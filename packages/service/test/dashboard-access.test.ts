import {
  DASHBOARD_API,
  DASHBOARD_AUTH,
  IDLE_HEADER,
  type MemberRole,
  type ProjectRole,
} from '@postern/contract/dashboard';
import { OPERATOR_FIELDS } from '@postern/contract/project-fields';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dashboardRoutes } from '../dist/dashboard-api/routes.js';
import { type DashboardClient, member, PASSWORD, visitor } from './support/dashboard.ts';
import type { TestProject, TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';

const ORDER = ['none', 'viewer', 'analyst', 'admin', 'owner'];
const all = dashboardRoutes({} as Parameters<typeof dashboardRoutes>[0]).filter(
  ({ access }) => access !== 'anyone',
);
/** Deleting comes last. */
const routes = [
  ...all.filter(({ method }) => method !== 'DELETE'),
  ...all.filter(({ method }) => method === 'DELETE'),
];

interface Place {
  readonly project: TestProject;
  readonly webhookId: string;
  readonly deliveryId: string;
}

/** A role everywhere, and one in the first project. Every role occurs in both places, and as the higher and the lower. */
const MEMBERS: readonly [MemberRole, ProjectRole | undefined][] = [
  ['none', 'admin'],
  ['viewer', 'analyst'],
  ['analyst', 'viewer'],
  ['admin', undefined],
  ['owner', undefined],
];
const MORE_MEMBERS: readonly [MemberRole, ProjectRole | undefined][] = [
  ['none', 'viewer'],
  ['none', 'analyst'],
  ['viewer', 'admin'],
  ['admin', 'viewer'],
];

describe.each(USUAL_BACK_ENDS)('roles in projects, on %s', (backEnd) => {
  let service: TestService;
  let owner: DashboardClient;
  beforeAll(async () => {
    service = await startServiceOn(backEnd, { env: { POSTERN_WEBHOOK_ALLOW: '127.0.0.0/8' } });
    owner = await member(service, 'owner');
  });
  afterAll(() => service.close());

  const makePlace = async (): Promise<Place> => {
    const project = await service.makeProject();
    const webhook = await owner.post(`/projects/${project.id}/webhooks`, { url: 'http://127.0.0.1:9/hook' });
    await owner.post(`/webhooks/${webhook.json.id}/ping`);
    const deliveries = await owner.get(`/webhooks/${webhook.json.id}/deliveries`);
    return { project, webhookId: webhook.json.id, deliveryId: deliveries.json.rows[0].id };
  };
  it('an admin of a project cannot raise its plan, quota and rates, an admin of all projects can', async () => {
    const { id } = await service.makeProject();
    const tenant = await memberWith('none', { [id]: 'admin' });
    const change = (client: DashboardClient, fields: object) =>
      client.call('PATCH', `/projects/${id}`, fields).then(({ status }) => status);
    const before = (await owner.get(`/projects/${id}`)).json;
    const values = { plan: 'pro', quotaLimit: 1_000_000, rateClient: 9, rateServer: 9 };
    expect(Object.keys(values)).toEqual(OPERATOR_FIELDS);
    for (const [name, value] of Object.entries(values)) {
      expect([name, await change(tenant, { [name]: value })]).toEqual([name, 403]);
      // Not beside what it may change, and not with a new project either.
      expect([name, await change(tenant, { name: 'Mine', [name]: value })]).toEqual([name, 403]);
      expect((await tenant.post('/projects', { name: 'Second', [name]: value })).status).toBe(403);
    }
    expect((await owner.get(`/projects/${id}`)).json).toEqual(before);
    // No other route that a project's admin may use takes a limit.
    const offered = routes.filter(({ method, path }) => method !== 'GET' && path !== '/projects/:id');
    for (const { method, path } of offered.filter((route) => route.path.startsWith('/projects/:id')))
      await tenant.call(method, path.replace(':id', id), values);
    const after = (await owner.get(`/projects/${id}`)).json;
    expect(Object.keys(values).map((name) => after[name])).toEqual(
      Object.keys(values).map((name) => before[name]),
    );
    await owner.post(`/projects/${id}/restore`);
    const own = { visitorRate: 30, serverReserve: 10, logRetentionDays: 7, name: 'Mine' };
    expect(await change(tenant, own)).toBe(200);
    // What strangers could use up stays protected, also from the project's own admin.
    for (const loosened of [{ visitorRate: 0 }, { visitorRate: 100_000 }, { serverReserve: 0 }])
      expect([loosened, await change(tenant, loosened)]).toEqual([loosened, 403]);
    expect(await change(tenant, { visitorRate: 200, serverReserve: 5 })).toBe(200);
    expect(await change(owner, { visitorRate: 0, serverReserve: 0 })).toBe(200);
    // What is off already may be said again.
    expect(await change(tenant, { visitorRate: 0, name: 'Mine' })).toBe(200);
    expect(await change(await member(service, 'admin'), { rateServer: 6_000 })).toBe(200);
  });

  const memberWith = async (role: MemberRole, projects: Record<string, ProjectRole>) => {
    const client = await member(service, role);
    const { id } = (await client.get('/session')).json.user;
    const changed = await owner.call('PATCH', `/members/${id}`, { projects });
    expect(changed.status, changed.text).toBe(200);
    return client;
  };
  const real = (path: string, { project, webhookId, deliveryId }: Place) =>
    path
      .replace(/^\/(projects)\/:id/, `/$1/${project.id}`)
      .replace(':keyId', project.serverKeyId)
      .replace(':webhookId', webhookId)
      .replace(':deliveryId', deliveryId);
  const isOfProject = (path: string) => /:(keyId|webhookId)|^\/projects\/:id/.test(path);

  // The rules do not depend on the store, which only has to return the roles.
  const slow = process.env.TEST_SLOW === '1' ? MORE_MEMBERS : [];
  const members = backEnd === 'sqlite' ? [...MEMBERS, ...slow] : MEMBERS.slice(1, 2);
  it.each(members)('on every route: %s everywhere, %s in one project', async (base, own) => {
    const [mine, other] = [await makePlace(), await makePlace()];
    const client = await memberWith(base, own === undefined ? {} : { [mine.project.id]: own });
    for (const place of [mine, other]) {
      const inProject = base === 'owner' ? base : place === mine ? (own ?? base) : base;
      // What is refused comes first: what is allowed may delete it.
      for (const wanted of ['refused', 'allowed'])
        for (const { method, path, access } of routes) {
          const role = isOfProject(path) ? inProject : base;
          const allowed = access === 'member' || ORDER.indexOf(role) >= ORDER.indexOf(access);
          if (allowed !== (wanted === 'allowed') || (!isOfProject(path) && place === other)) continue;
          const answer = await client.call(method, real(path, place), method === 'GET' ? undefined : {});
          const hint = `${method} ${path} as ${role}: ${answer.status} ${answer.text.slice(0, 200)}`;
          if (allowed) {
            expect([401, 403], hint).not.toContain(answer.status);
            expect(answer.text, hint).not.toContain('There is no project');
          } else if (role === 'none' && isOfProject(path)) {
            expect([answer.status, answer.json.error], hint).toEqual([
              404,
              expect.stringMatching(/^There is no (project|key|webhook) '/),
            ]);
          } else expect(answer.status, hint).toBe(403);
        }
    }
  });

  it('what a member may not see does not exist: the same answer as for an unknown ID', async () => {
    const [mine, other] = [await makePlace(), await makePlace()];
    const client = await memberWith('none', { [mine.project.id]: 'admin' });
    const answers = async (path: string, id: string) => {
      const { status, text } = await client.post(path.replace('ID', id));
      return [status, text.replaceAll(id, 'ID')];
    };
    for (const [path, hidden] of [
      ['/projects/ID/keys', other.project.id],
      ['/keys/ID/revoke', other.project.serverKeyId],
      ['/webhooks/ID/ping', other.webhookId],
      [`/projects/ID/webhooks/${other.webhookId}/deliveries/${other.deliveryId}/resend`, other.project.id],
    ] as const)
      expect(await answers(path, hidden), path).toEqual(await answers(path, 'unknown'));
    expect((await other.project.validate({ email: 'jane.doe@gmail.com' })).status).toBe(200);
  });

  it('lists only the projects and the audit entries that a member may see', async () => {
    const [mine, other] = [await makePlace(), await makePlace()];
    const client = await memberWith('none', { [mine.project.id]: 'viewer' });
    const ids = (await client.get('/projects')).json.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([mine.project.id]);
    const seen = new Set(
      (await client.get('/audit?limit=200')).json.rows.map((row: { projectId: string }) => row.projectId),
    );
    expect([...seen]).toEqual([mine.project.id]);
    expect((await client.get(`/audit?project=${other.project.id}`)).json.rows).toEqual([]);
    expect((await client.get('/audit.csv')).text).not.toContain(other.project.id);
    expect((await client.get('/members')).status).toBe(403);
    const { user } = (await client.get('/session')).json;
    expect([user.role, user.projects]).toEqual(['none', { [mine.project.id]: 'viewer' }]);
  });

  it('come with an invitation, and change from the next request on, for access tokens too', async () => {
    const { project } = await makePlace();
    const projects = { [project.id]: 'analyst' };
    const { json } = await owner.post('/invites', { role: 'none', projects });
    expect((await owner.get('/invites')).json).toMatchObject([{ role: 'none', projects }]);
    const guest = visitor(service);
    const fields = { name: 'Guest', email: `guest-${backEnd}@example.com`, password: PASSWORD };
    const token = json.url.split('#token=')[1];
    const accepted = await guest.call('POST', '/invites/accept', { token, ...fields });
    expect(accepted.json).toMatchObject({ role: 'none', projects });
    const pat = (await guest.post('/tokens', { name: 'CI' })).json.token;
    const script = (method: string, path: string, body?: unknown) =>
      visitor(service).call(method, path, body, { authorization: `Bearer ${pat}` });
    const path = `/projects/${project.id}`;
    const bulk = { rows: [{ email: 'jane.doe@gmail.com' }] };
    expect((await script('POST', `${path}/bulk`, bulk)).status).toBe(200);
    expect((await script('PATCH', path, { name: 'New' })).status).toBe(403);
    const { id } = accepted.json;
    await owner.call('PATCH', `/members/${id}`, { projects: { [project.id]: 'admin' } });
    expect((await script('PATCH', path, { name: 'New' })).status).toBe(200);
    await owner.call('PATCH', `/members/${id}`, { projects: {} });
    expect((await script('GET', path)).status).toBe(404);
    expect((await guest.get(path)).status).toBe(404);
  });

  it('keeps both of two changes that are made at the same time', async () => {
    const { id: project } = await service.makeProject();
    const { id } = (await (await member(service, 'viewer')).get('/session')).json.user;
    const change = (body: object) => owner.call('PATCH', `/members/${id}`, body);
    for (const role of ['none', 'analyst', 'admin', 'viewer', 'none', 'analyst']) {
      await change({ role: 'viewer', projects: {} });
      await Promise.all([change({ role }), change({ projects: { [project]: 'admin' } })]);
      const { json } = await owner.get('/members');
      const found = json.find((one: { id: string }) => one.id === id);
      expect(found).toMatchObject({ role, projects: { [project]: 'admin' } });
    }
  });

  let made: Promise<{ project: TestProject; user: { id: string } }> | undefined;
  /** A viewer and a project, made once. */
  const someone = () => {
    const make = async () => {
      const client = await member(service, 'viewer');
      return { project: await service.makeProject(), user: (await client.get('/session')).json.user };
    };
    made ??= make();
    return made;
  };
  it.each([
    [{ projects: [] }, 'projects'],
    [{ projects: { 'no-such-project': 'viewer' } }, 'projects'],
    [{ projects: { PROJECT: 'owner' } }, 'projects'],
    [{ projects: { PROJECT: 'none' } }, 'projects'],
    [{ role: 'owner', projects: { PROJECT: 'viewer' } }, 'projects'],
    [{ role: 'king' }, 'role'],
    [{}, 'role'],
    [{ roles: 'viewer' }, 'roles'],
  ])('refuses %j', async (body, field) => {
    const { project, user } = await someone();
    const sent = JSON.parse(JSON.stringify(body).replace('PROJECT', project.id));
    const answer = await owner.call('PATCH', `/members/${user.id}`, sent);
    expect([answer.status, answer.json.field]).toEqual([400, field]);
  });

  it('shows who was active, and ends one session or all others', async () => {
    const jane = await member(service, 'viewer');
    const second = visitor(service);
    await second.auth('/sign-in/email', { email: jane.email, password: PASSWORD });
    const sessions = (await jane.get('/sessions')).json;
    expect(sessions).toHaveLength(2);
    expect(JSON.stringify(sessions)).not.toContain('token');
    expect(sessions.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
    for (const session of sessions) expect(Date.now() - session.lastActiveAt).toBeLessThan(600_000);
    const other = sessions.find(({ current }: { current: boolean }) => !current);
    // A member cannot end another member’s session.
    expect((await owner.call('DELETE', `/sessions/${other.id}`)).status).toBe(404);
    expect((await jane.call('DELETE', `/sessions/${other.id}`)).status).toBe(204);
    expect((await second.get('/session')).status).toBe(401);
    await second.auth('/sign-in/email', { email: jane.email, password: PASSWORD });
    await jane.auth('/revoke-other-sessions');
    expect((await second.get('/session')).status).toBe(401);
    expect((await jane.get('/sessions')).json).toHaveLength(1);
    const listed = (await owner.get('/members')).json.find(
      ({ email }: { email: string }) => email === jane.email,
    );
    expect(listed).toMatchObject({ lastActiveAt: expect.any(Number), twoFactorEnabled: false });
  });

  it('takes a page that asks by itself for no sign of its member', async () => {
    const email = `idle-${backEnd}@example.com`;
    const { createAccount } = await import('../dist/operations/accounts.js');
    await service.admin((admin) =>
      createAccount(admin, { name: 'Idle', email, password: PASSWORD }, 'viewer'),
    );
    // Without the request for the session that the other clients of these tests make at once.
    const signedIn = await service.ask({
      method: 'POST',
      path: `${DASHBOARD_AUTH}/sign-in/email`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
    const ask = (headers: Record<string, string> = {}) =>
      service.ask({ path: `${DASHBOARD_API}/projects`, headers: { cookie, ...headers } });
    const lastActive = async () =>
      (await owner.get('/members')).json.find((one: { email: string }) => one.email === email).lastActiveAt;
    expect((await ask({ [IDLE_HEADER]: '1' })).status).toBe(200);
    expect(await lastActive()).toBeNull();
    expect((await ask()).status).toBe(200);
    expect(await lastActive()).toEqual(expect.any(Number));
  });
});
