import type { SafetyItem } from '@postern/contract/dashboard';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import { startService, type TestProject, type TestService } from './support/service.ts';

let service: TestService;
let viewer: DashboardClient;
let project: TestProject;
beforeAll(async () => {
  service = await startService({
    env: { POSTERN_HOST: '0.0.0.0', POSTERN_TRUSTED_PROXIES: 'private' },
  });
  viewer = await member(service, 'viewer');
  project = await service.makeProject({ serverReserve: 0 });
});
afterAll(() => service.close());

async function unsafe(): Promise<SafetyItem[]> {
  const { status, json } = await viewer.get(`/projects/${project.id}/safety`);
  expect(status).toBe(200);
  return json.items.filter((item: SafetyItem) => !item.safe);
}

it('says what is unsafe, what to do and where, and forgets it once it is fixed', async () => {
  expect((await unsafe()).map(({ id, place, projects }) => [id, place, projects])).toEqual([
    ['client-overrides', 'policy', [project.id]],
    ['server-reserve', 'settings', [project.id]],
    ['metrics', 'environment', []],
  ]);
  const admin = await member(service, 'admin');
  const change = { serverReserve: 500, policy: { clientOverrides: 'tighten' } };
  expect((await admin.call('PATCH', `/projects/${project.id}`, change)).status).toBe(200);
  const [left, ...others] = await unsafe();
  expect(others).toEqual([]);
  expect(left).toMatchObject({ id: 'metrics', fix: 'Set POSTERN_METRICS_TOKEN.' });
});

it('does not know other projects', async () => {
  expect((await viewer.get('/projects/none/safety')).status).toBe(404);
});
