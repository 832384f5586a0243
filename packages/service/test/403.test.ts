import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestProject, type TestService, updateProject } from './support/service.ts';

let service: TestService;
let project: TestProject;

beforeAll(async () => {
  service = await startService();
  project = await service.makeProject({
    allowedDomains: [
      'app.example',
      '*.wild.example',
      'localhost:3000',
      'app://com.example.mobile',
      'https://pinned.example',
      'capacitor://localhost',
      'ionic://localhost',
      'tauri://localhost',
      'chrome-extension://abcdefgh',
    ],
  });
});
afterAll(() => service.close());

const body = { email: 'jane.doe@gmail.com' };
const fromOrigin = (origin: string) => project.validateFromPage(body, { origin });

describe('an origin outside the allowed domains', () => {
  it.each([
    'https://app.example.evil.test',
    'https://evilapp.example',
    'https://app.example:8443',
    'https://wild.example',
    'http://localhost:3001',
    'http://pinned.example',
    'app://com.example.mobile2',
    'capacitor://evil',
    'ionic://localhost:1',
    'chrome-extension://abcdefgh2',
    'null',
    'https://app.example/',
    'https://app.example, https://evil.test',
  ])('%s is refused, and the message names it', async (origin) => {
    const answer = await fromOrigin(origin);
    expect([answer.status, answer.json]).toEqual([
      403,
      { error: `Origin '${origin}' not in allowed domains` },
    ]);
    expect(answer.headers['access-control-allow-origin']).toBe(origin);
  });

  it('that is missing has its own message', async () => {
    const answer = await service.ask({
      method: 'POST',
      path: '/validate',
      headers: { authorization: `Bearer ${project.clientKey}`, 'x-project-id': project.id },
      body: JSON.stringify(body),
    });
    expect([answer.status, answer.json]).toEqual([403, { error: 'Origin not in allowed domains list' }]);
  });

  it.each([
    'https://app.example',
    'http://app.example',
    'https://a.b.wild.example',
    'http://localhost:3000',
    'app://com.example.mobile',
    'https://pinned.example',
    'capacitor://localhost',
    'ionic://localhost',
    'tauri://localhost',
    'chrome-extension://abcdefgh',
  ])('%s is allowed', async (origin) => {
    expect((await fromOrigin(origin)).status).toBe(200);
  });

  it('follows a change from the next request on, both ways', async () => {
    const own = await service.makeProject();
    expect((await own.validateFromPage(body)).status).toBe(200);
    await service.admin((admin) => updateProject(admin, own.id, { allowedDomains: [] }));
    expect((await own.validateFromPage(body)).status).toBe(403);
    await service.admin((admin) => updateProject(admin, own.id, { allowedDomains: ['app.example'] }));
    expect((await own.validateFromPage(body)).status).toBe(200);
  });
});

describe('a project that the key does not open', () => {
  const refused = [403, { error: 'Project not found or API key lacks access' }];

  it('does not exist, or belongs to another key', async () => {
    const other = await service.makeProject();
    for (const id of ['nowhere', other.id]) {
      const answer = await project.validate(body, { 'x-project-id': id });
      expect([answer.status, answer.json]).toEqual(refused);
    }
  });

  it('is reported before the origin', async () => {
    const answer = await project.validateFromPage(body, {
      'x-project-id': 'nowhere',
      origin: 'https://evil.test',
    });
    expect([answer.status, answer.json]).toEqual(refused);
  });
});
