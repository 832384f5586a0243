import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import { startService, type TestProject, type TestService } from './support/service.ts';

let service: TestService;
let project: TestProject;
let owner: DashboardClient;
beforeAll(async () => {
  service = await startService();
  owner = await member(service, 'owner');
  project = await service.makeProject();
});
afterAll(() => service.close());

it('an admin makes, tests, rotates and deletes a hook', async () => {
  const hooks = `/projects/${project.id}/hooks`;
  const made = await owner.post(hooks, { format: 'kratos' });
  expect(made.status).toBe(201);
  const { id, url, secret, instructions } = made.json;
  expect(url).toBe(`${service.url}/v1/hooks/kratos/${id}`);
  expect(instructions).toContain(`Bearer ${secret}`);
  const call = (bearer: string, email = 'jane@mailinator.com') =>
    service.ask({
      method: 'POST',
      path: new URL(url).pathname,
      headers: { authorization: `Bearer ${bearer}` },
      body: JSON.stringify({ email }),
    });
  expect((await call(secret)).status).toBe(403);
  expect((await owner.get(hooks)).json).toMatchObject([{ id, format: 'kratos', previousSecretUntil: null }]);
  expect(JSON.stringify((await owner.get(hooks)).json)).not.toContain(secret);

  const used = async () => (await project.validate({ email: 'jane.doe@gmail.com' })).headers['x-quota-used'];
  const before = Number(await used());
  const tested = await owner.post(`${hooks}/${id}/test`);
  expect(tested.json).toEqual({ status: 200, body: '{}', open: null });
  expect(Number(await used())).toBe(before + 1);

  const rotated = await owner.post(`${hooks}/${id}/rotate`, { secret: 'a-secret-of-the-server' });
  expect(rotated.json).toMatchObject({ id, secret: 'a-secret-of-the-server' });
  for (const bearer of [secret, 'a-secret-of-the-server']) expect((await call(bearer)).status).toBe(403);
  expect((await owner.call('DELETE', `${hooks}/${id}`)).status).toBe(204);
  expect((await call(secret)).status).toBe(404);
  expect((await owner.post(hooks, { format: 'nobody' })).status).toBe(400);
  const other = await service.makeProject();
  expect((await owner.post(`/projects/${other.id}/hooks/${id}/test`)).status).toBe(404);
  const viewer = await member(service, 'viewer');
  expect((await viewer.post(hooks, { format: 'kratos' })).status).toBe(403);
  const actions = (await owner.get(`/audit?project=${project.id}`)).json.rows.map(
    (row: { action: string }) => row.action,
  );
  expect(actions.slice(0, 3)).toEqual(['hook.delete', 'hook.rotate', 'hook.create']);
});

it('shows claims with their reasons, and an admin releases one', async () => {
  const own = await service.makeProject();
  const claim = () =>
    service.ask({
      method: 'POST',
      path: '/v1/claims',
      headers: { authorization: `Bearer ${own.serverKey}`, 'x-project-id': own.id },
      body: JSON.stringify({ claim: 'trial', email: 'ann.lee@gmail.com' }),
    });
  const { id } = (await claim()).json;
  await claim();
  const view = (await owner.get(`/projects/${own.id}/claims`)).json;
  expect(view.summary).toEqual([{ claim: 'trial', granted: 1, refused: 1, refusedGood: 0, refusedBad: 0 }]);
  expect(view.days.at(-1)).toMatchObject({ granted: 1, refused: 1 });
  expect(view.rows).toMatchObject([
    { granted: false, because: ['inbox'], address: 'a***@gmail.com' },
    { id, granted: true },
  ]);
  const release = await owner.post(`/projects/${own.id}/claims/${id}/release`, { reason: 'a mistake' });
  expect(release.status).toBe(204);
  // Once more changes nothing, and the audit log has nothing to say of it.
  expect((await owner.post(`/projects/${own.id}/claims/${id}/release`)).status).toBe(204);
  expect((await claim()).json.granted).toBe(true);
  const [row] = (await owner.get(`/audit?project=${own.id}`)).json.rows;
  expect(row).toMatchObject({ action: 'claim.release', detail: { claimId: id, reason: 'a mistake' } });
});
