import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKeySecret } from '../src/model/key-secret.ts';
import {
  createKey,
  regenerateKey,
  revokeKey,
  startService,
  type TestProject,
  type TestService,
} from './support/service.ts';

let service: TestService;
let project: TestProject;

beforeAll(async () => {
  service = await startService();
  project = await service.makeProject();
});
afterAll(() => service.close());

const invalid = [401, { error: 'Invalid API key' }];
const email = 'jane.doe@gmail.com';

describe('an invalid key', () => {
  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['without a scheme', 'pst_server_live_x'],
    ['of another scheme', 'Basic dXNlcjpwYXNz'],
    ['malformed', 'Bearer nonsense'],
    ['very long', `Bearer ${'x'.repeat(9_000)}`],
    ['well-formed but unknown', `Bearer ${makeKeySecret('server', 'live', randomBytes)}`],
  ])('%s', async (_name, authorization) => {
    const headers: Record<string, string> = { 'x-project-id': project.id };
    if (authorization !== undefined) headers.authorization = authorization;
    const answer = await service.ask({ method: 'POST', path: '/validate', headers, body: 'not even JSON' });
    expect([answer.status, answer.json]).toEqual(invalid);
  });

  it('is reported before a missing project ID', async () => {
    const answer = await service.ask({ method: 'POST', path: '/validate', body: '' });
    expect([answer.status, answer.json]).toEqual(invalid);
  });
});

describe('a key', () => {
  it('is refused after its expiry', async () => {
    const { secret } = await service.admin(async (admin) =>
      createKey(
        { ...admin, now: () => Date.now() - 2_000 },
        { projectId: project.id, type: 'server', expiresInMs: 1_000 },
      ),
    );
    const answer = await project.validate({ email }, { authorization: `Bearer ${secret}` });
    expect([answer.status, answer.json]).toEqual(invalid);
  });

  it('is refused from the next request on when it is revoked or regenerated', async () => {
    const own = await service.makeProject();
    expect((await own.validate({ email })).status).toBe(200);
    const { secret } = await service.admin((admin) => regenerateKey(admin, own.serverKeyId));
    expect((await own.validate({ email })).status).toBe(401);
    const renewed = { authorization: `Bearer ${secret}` };
    expect((await own.validate({ email }, renewed)).status).toBe(200);
    await service.admin((admin) => revokeKey(admin, own.serverKeyId));
    expect((await own.validate({ email }, renewed)).status).toBe(401);
  });

  it('is accepted from the next request on', async () => {
    const { secret } = await service.admin((admin) =>
      createKey(admin, { projectId: project.id, type: 'server' }),
    );
    expect((await project.validate({ email }, { authorization: `Bearer ${secret}` })).status).toBe(200);
  });
});

describe('a server key in a browser', () => {
  const refused = [401, { error: 'Server keys cannot be used in browsers' }];

  it.each([
    ['an Origin', { origin: 'https://app.example' }],
    ['the Origin null', { origin: 'null' }],
    ['a Referer', { referer: 'https://app.example/sign-up' }],
    [
      'Chrome',
      {
        'user-agent':
          'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
      },
    ],
    ['Firefox', { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0' }],
    [
      'Safari',
      {
        'user-agent':
          'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      },
    ],
  ])('with %s is refused', async (_name, headers: Record<string, string>) => {
    const answer = await project.validate({ email }, headers);
    expect([answer.status, answer.json]).toEqual(refused);
  });

  it('is reported before a wrong project', async () => {
    const answer = await project.validate(
      { email },
      { origin: 'https://app.example', 'x-project-id': 'other' },
    );
    expect([answer.status, answer.json]).toEqual(refused);
  });

  it.each([
    undefined,
    'node',
    'undici',
    'axios/1.13.2',
    'python-requests/2.32.5',
    'Go-http-client/2.0',
    'Java/21.0.5',
    'okhttp/5.2.1',
    'GuzzleHttp/7',
    'curl/8.17.0',
    'Ruby',
    'PHP/8.4',
  ])('%s is a backend’s user agent', async (userAgent) => {
    const headers: Record<string, string> = { 'sec-fetch-mode': 'cors' };
    if (userAgent !== undefined) headers['user-agent'] = userAgent;
    expect((await project.validate({ email }, headers)).status).toBe(200);
  });
});
