import { DASHBOARD_API, DASHBOARD_AUTH } from '@postern/contract/dashboard';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardClient, member, PASSWORD, visitor } from './support/dashboard.ts';
import { freePort } from './support/free-port.ts';
import { type Ask, ask } from './support/http-client.ts';
import { postgresServer } from './support/postgres.ts';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
let owner: DashboardClient;
beforeAll(async () => {
  service = await startService();
  owner = await member(service, 'owner');
});
afterAll(() => service.close());

describe('a request that the API cannot read', () => {
  const post = (body: string, type?: string) =>
    owner.call('POST', '/projects', body, type === undefined ? {} : { 'content-type': type });

  it('is refused with the right status, as JSON, without a stack', async () => {
    const answers = {
      404: await owner.get('/nothing'),
      405: await owner.call('PUT', '/projects', '{}'),
      413: await post(JSON.stringify({ name: 'x'.repeat(300_000) })),
      415: await post('name=x', 'application/x-www-form-urlencoded'),
      400: await post('{"name":'),
    };
    for (const [status, answer] of Object.entries(answers)) {
      expect(String(answer.status)).toBe(status);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(Object.keys(answer.json)).toEqual(['error']);
      expect(answer.text).not.toMatch(/\bat \S+:\d+|node_modules|\.ts\b/);
    }
    expect(answers[405].headers.allow).toBe('GET, POST');
    for (const body of ['[]', '"x"', '5', 'null']) expect((await post(body)).status, body).toBe(400);
  });

  it('is also refused by the sign-in routes', async () => {
    const path = `${DASHBOARD_AUTH}/sign-in/email`;
    const headers = { 'content-type': 'application/json' };
    for (const body of ['{', '[]', '"x"', '{"email":5,"password":{}}', '{"email":"a@b.co"}', '']) {
      const answer = await service.ask({ method: 'POST', path, headers, body });
      expect([answer.status, typeof answer.json.error], body).toEqual([400, 'string']);
    }
    expect((await service.ask({ path })).status).toBe(405);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await service.ask({ method: 'POST', path, headers: form, body: 'email=a' })).status).toBe(415);
  });

  it('treats special JavaScript names as data', async () => {
    const answer = await post('{"__proto__":{"name":"x"},"constructor":1}');
    expect([answer.status, answer.json.field]).toEqual([400, '__proto__']);
    const project = (await post('{"name":"Plain"}')).json;
    const patch = '{"policy":{"actions":{"__proto__":"block","toString":"flag"}}}';
    expect((await owner.call('PATCH', `/projects/${project.id}`, patch)).status).toBe(400);
    for (const id of ['__proto__', 'constructor', '..%2f..', '%00'])
      expect((await owner.get(`/projects/${id}`)).status, id).toBeGreaterThanOrEqual(400);
  });
});

it('does not change the product’s routes', async () => {
  const project = await service.makeProject();
  const answer = await project.validate('not json');
  expect([answer.status, answer.json.error]).toEqual([400, 'Request body must be valid JSON']);
  const large = await project.validate({ email: 'x'.repeat(20_000) });
  expect(large.status).toBe(413);
  expect((await service.ask({ path: '/nothing' })).status).toBe(404);
});

it('lets no other origin read the API', async () => {
  const answer = await service.ask({
    path: `${DASHBOARD_API}/setup`,
    headers: { origin: 'https://evil.example' },
  });
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  const preflight = await service.ask({
    method: 'OPTIONS',
    path: `${DASHBOARD_API}/projects`,
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  });
  expect(preflight.status).toBe(405);
  expect(preflight.headers).not.toHaveProperty('access-control-allow-origin');
});

it('marks its cookies Secure, and knows its own origin, if people use HTTPS', async () => {
  const port = await freePort();
  const started = await startService({
    env: { POSTERN_PUBLIC_URL: 'https://postern.example', POSTERN_PORT: String(port) },
  });
  // The service has a public address. This test acts as the proxy.
  const secure = { ...started, ask: (what: Ask) => ask(`http://127.0.0.1:${port}`, what) };
  try {
    const { email } = await member(secure, 'viewer');
    const signIn = (origin: string) =>
      secure.ask({
        method: 'POST',
        path: `${DASHBOARD_AUTH}/sign-in/email`,
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ email, password: PASSWORD }),
      });
    const answer = await signIn('https://postern.example');
    expect(answer.headers['set-cookie']).toMatch(
      /^__Secure-postern\.session_token=[^;]+; Max-Age=604800; Path=\/dashboard; HttpOnly; Secure; SameSite=Strict, postern\.device=[^;]+; [^,]+; Secure$/,
    );
    expect((await signIn('https://postern.example.evil')).status).toBe(403);
  } finally {
    await secure.close();
  }
});

it('marks its cookies Secure if the proxy or the browser says HTTPS, without a configured address', async () => {
  const { email } = await member(service, 'viewer');
  const signIn = async (headers: Record<string, string>) => {
    const answer = await service.ask({
      method: 'POST',
      path: `${DASHBOARD_AUTH}/sign-in/email`,
      headers: { 'content-type': 'application/json', host: 'postern.example', ...headers },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    expect(answer.status).toBe(200);
    const sent = answer.headers['set-cookie'] ?? '';
    return [sent.match(/postern\.\w+=/g)?.length, sent.match(/; Secure/g)?.length ?? 0];
  };
  expect(await signIn({ 'x-forwarded-proto': 'https' })).toEqual([2, 2]);
  expect(await signIn({ 'x-forwarded-proto': 'http' })).toEqual([2, 0]);
  expect(service.output()).not.toContain('POSTERN_PUBLIC_URL');
  expect(await signIn({ origin: 'https://postern.example' })).toEqual([2, 2]);
  await expect.poll(() => service.output()).toContain('set POSTERN_PUBLIC_URL to the address they use');
});

// The tests do not stop a server that they did not start.
const ours = process.env.POSTERN_TEST_DATABASE_URL === undefined;
it.runIf(ours)('reports that the store is down, and recovers with it', async () => {
  const server = await postgresServer();
  const database = await server.database();
  const remote = await startService({ realDeadlines: true, env: { POSTERN_DATABASE_URL: database.url } });
  try {
    const jane = await member(remote, 'owner');
    await server.stop();
    const signIn = { email: jane.email, password: PASSWORD };
    for (const answer of [
      await jane.get('/session'),
      await jane.get('/setup'),
      await visitor(remote).auth('/sign-in/email', signIn),
    ]) {
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2']);
      expect(Object.keys(answer.json)).toEqual(['error']);
    }
    await server.start();
    // The first connection to a server that has just started can take longer than a request may wait.
    await expect.poll(async () => (await jane.get('/session')).status).toBe(200);
  } finally {
    await remote.close();
    await server.remove();
  }
});
