import { afterAll, beforeAll, expect, test } from 'vitest';
import { member } from '../../service/test/support/dashboard.ts';
import { startService, type TestService } from '../../service/test/support/service.ts';
import { posternOn } from './support/postern.ts';

let service: TestService;
let id: string;
beforeAll(async () => {
  service = await startService();
  id = (await service.makeProject()).id;
});
afterAll(() => service.close());

const api = (...args: string[]) => posternOn({ POSTERN_DATA_DIR: service.dataDir })('api', ...args);

test('calls operations on the store of a running service', async () => {
  const made = await api(`POST /projects/${id}/webhooks`, '--body', '{"url": "https://a.example/hook"}');
  expect(made).toMatchObject({ code: 0, error: '', json: { url: 'https://a.example/hook' } });
  expect(made.json.secret).toMatch(/^whsec_/);
  const path = `/webhooks/${made.json.id}`;
  expect((await api(`PATCH ${path}`, '--body', '{"paused": true}')).json.paused).toBe(true);
  expect((await api(`GET /projects/${id}/webhooks`, '--json')).json).toMatchObject([{ paused: true }]);
  expect((await api(`POST ${path}/ping`)).json.eventId).toMatch(/^test.ping-/);
  expect((await api(`GET ${path}/deliveries?limit=1`)).json.rows).toHaveLength(1);
  expect(await api(`DELETE ${path}`)).toMatchObject({ code: 0, json: {} });
});

/** Some need a person or a campaign that is not there. None needs a member, or fails without saying why. */
test('reads everything of a project without an account', async () => {
  const { storeRoutes } = await import('../../service/dist/dashboard-api/store-routes.js');
  const { operationsOf } = await import('../../service/dist/operations/run-operation.js');
  const names = Object.keys(storeRoutes).filter((name) => name.startsWith('GET ') && !name.endsWith('.csv'));
  expect(names.length).toBeGreaterThan(15);
  const params = {
    id,
    hash: 'x',
    inbox: 'x',
    version: '1',
    webhookId: 'x',
    deliveryId: 'x',
    validationId: 'x',
    campaignId: 'x',
    rule: 'x',
    subject: 'a.example',
  };
  for (const name of names) {
    const fault = await service.admin((admin) =>
      operationsOf(storeRoutes, admin)(name as keyof typeof storeRoutes, params as never).then(
        () => 'none',
        (error: Error) => error.name,
      ),
    );
    expect(['none', 'NotFound', 'InvalidInput'], name).toContain(fault);
  }
  expect((await api('GET /projects')).json).toMatchObject([{ id }]);
  expect((await api('GET /audit')).json.rows).toMatchObject(expect.any(Array));
  expect((await api('GET /audit.csv')).error).toMatch(/needs a running service/);
});

test('calls a running service with an access token and its role', async () => {
  const viewer = await member(service, 'viewer');
  const token = (await viewer.post('/tokens', { name: 'script' })).json.token;
  const remote = (access: string, ...args: string[]) =>
    posternOn({ POSTERN_ACCESS_TOKEN: access })('api', ...args, '--url', service.url);
  expect((await remote(token, `GET /projects/${id}/keys`)).json).toHaveLength(2);
  expect((await remote(token, 'GET /health')).json.parts).toBeDefined();
  expect(await remote(token, `POST /projects/${id}/keys`, '--body', '{"type": "client"}')).toMatchObject({
    code: 1,
    error: expect.stringContaining('This needs the role admin; yours is viewer.'),
  });
  const reading = (await viewer.post('/tokens', { name: 'report', scope: 'read' })).json.token;
  expect((await remote(reading, `GET /projects/${id}/keys`)).json).toHaveLength(2);
  expect(await remote(reading, 'PATCH /session', '--body', '{"name": "Not me"}')).toMatchObject({
    code: 1,
    error: expect.stringContaining("The access token 'report' may only read (GET)."),
  });
  expect((await viewer.get('/session')).json.user.name).toBe('A viewer');
  expect((await remote('', `GET /projects/${id}/keys`)).error).toMatch(/POSTERN_ACCESS_TOKEN/);
});

test.each([
  ['GET', "'GET' is not a method and a path"],
  ['GET /nothing', "There is no route 'GET /nothing'"],
  ['PUT /projects', "There is no route 'PUT /projects'"],
  ['GET /projects/%', 'a % needs two digits'],
])('says what is wrong with %s', async (route, message) => {
  const { code, error } = await api(route);
  expect([code, error]).toEqual([2, expect.stringContaining(message)]);
});

test('says what is wrong with a body', async () => {
  const post = (body: string) => api(`POST /projects/${id}/keys`, '--body', body);
  expect((await post('{')).error).toMatch(/--body is not JSON/);
  expect((await post('@/nowhere.json')).error).toMatch(/nowhere.json: cannot be read \(ENOENT\)/);
  expect((await post('{"type": "x", "mod": 1}')).error).toMatch(
    /Unknown field: 'mod'.* type 'x' is not known. Use one of: client, server\./,
  );
  expect((await api('POST /projects/no/keys', '--body', '{"type": "client"}')).code).toBe(1);
});
