import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestProject, type TestService } from '../../service/test/support/service.ts';
import { posternOn } from './support/postern.ts';

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await startService();
  project = await service.makeProject();
});
afterAll(() => service.close());

const create = (url: string, env: Record<string, string> = {}) =>
  posternOn({ POSTERN_DATA_DIR: service.dataDir, POSTERN_FEEDS: 'off', ...env })(
    ...['webhook', 'create', '--project', project.id, '--url', url, '--json'],
  );

test.each(['http://127.0.0.1:9/hook', 'http://[::1]/hook', 'http://10.1.2.3/', 'http://localhost/hook'])(
  'webhook create warns that nothing will be delivered to %s',
  async (url) => {
    const { json, error } = await create(url);
    expect(json.url).toBe(url);
    expect(error).toMatch(/Warning: .* nothing will be delivered\. Add its range to POSTERN_WEBHOOK_ALLOW/);
  },
);

test('webhook create does not warn about public and allowed addresses', async () => {
  expect((await create('https://198.41.0.4/hook')).error).toBe('');
  const allowed = { POSTERN_WEBHOOK_ALLOW: '127.0.0.0/8' };
  expect((await create('http://127.0.0.1:9/hook', allowed)).error).toBe('');
  expect((await create('mailto:ops@example.com')).error).toBe('');
});
