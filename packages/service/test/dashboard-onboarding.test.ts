import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerdictVerifier } from '../../sdk-node/src/verify-verdict.ts';
import { type DashboardClient, member } from './support/dashboard.ts';
import type { TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';

describe.each(USUAL_BACK_ENDS)('the steps to a protected form, on %s', (backEnd) => {
  let service: TestService;
  let admin: DashboardClient;
  beforeAll(async () => {
    service = await startServiceOn(backEnd);
    admin = await member(service, 'admin');
  });
  afterAll(() => service.close());

  const done = async (id: string): Promise<string[]> => {
    const { steps } = (await admin.get(`/projects/${id}/onboarding`)).json;
    return steps.flatMap((step: { id: string; done: boolean }) => (step.done ? [step.id] : []));
  };

  it('are each noticed by the service', async () => {
    const { json: project } = await admin.post('/projects', { name: 'Shop' });
    const path = `/projects/${project.id}`;
    expect(await done(project.id)).toEqual(['project']);
    await admin.post(`${path}/keys`, { type: 'client', mode: 'test' });
    expect(await done(project.id)).toEqual(['project']);
    const { json: client } = await admin.post(`${path}/keys`, { type: 'client' });
    expect(await done(project.id)).toEqual(['project', 'key']);
    await admin.call('PATCH', path, { allowedDomains: ['localhost:*', 'shop.example'] });
    expect(await done(project.id)).toEqual(['project', 'key', 'origin']);

    // A file that is checked is not a form.
    await admin.post(`${path}/bulk`, { rows: [{ email: 'jane.doe@gmail.com' }] });
    expect(await done(project.id)).toEqual(['project', 'key', 'origin']);
    const answer = await service.ask({
      method: 'POST',
      path: '/validate',
      headers: {
        authorization: `Bearer ${client.key}`,
        'x-project-id': project.id,
        origin: 'https://shop.example',
        'content-type': 'application/json',
        prefer: 'verdict',
      },
      body: JSON.stringify({ email: 'jane.doe@gmail.com' }),
    });
    expect(await done(project.id)).toEqual(['project', 'key', 'origin', 'snippet', 'validation']);

    const verifier = createVerdictVerifier({ baseUrl: service.url, projectId: project.id });
    const token = answer.headers['x-postern-verdict'];
    expect(await verifier.verifyVerdict(token, { email: 'jane.doe@gmail.com' })).toMatchObject({ ok: true });
    await expect.poll(() => done(project.id)).toContain('verdict');
  });

  it('count a backend that asks with a server key', async () => {
    const project = await service.makeProject();
    expect(await done(project.id)).not.toContain('verdict');
    await project.validate({ email: 'jane.doe@gmail.com' });
    expect(await done(project.id)).toEqual(['project', 'key', 'origin', 'validation', 'verdict']);
  });

  it('say which key’s script found no form, unless the key was used in the day before', async () => {
    const project = await service.makeProject({ allowedDomains: ['shop.example'] });
    const origin = 'https://shop.example';
    const keys = (await admin.get(`/projects/${project.id}/keys`)).json;
    const { id: keyId, name } = keys.find(({ type }: { type: string }) => type === 'client');
    const report = (body: unknown, headers: Record<string, string> = {}, of = project) =>
      service.ask({
        method: 'POST',
        path: '/v1/page-reports',
        headers: {
          authorization: `Bearer ${of.clientKey}`,
          'x-project-id': of.id,
          ...{ origin, ...headers },
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    const noForm = async (of = project) => (await admin.get(`/projects/${of.id}/onboarding`)).json.noForm;
    expect(await noForm()).toEqual([]);

    for (const [body, headers, status] of [
      [{ form: '#sign-up' }, { authorization: 'Bearer x' }, 401],
      [{ form: '#sign-up' }, { authorization: `Bearer ${project.serverKey}` }, 401],
      [{ form: '#sign-up' }, { 'x-project-id': 'other' }, 403],
      [{ form: '#sign-up' }, { origin: 'https://other.example' }, 403],
      [{ form: '\u0007' }, {}, 400],
      [{ form: 7 }, {}, 400],
      ['null', {}, 400],
      ['{', {}, 400],
    ] as const)
      expect((await report(body, headers)).status).toBe(status);
    expect(await noForm()).toEqual([]);

    const taken = await report({ form: `#sign\u202e\n-up ${'x'.repeat(1_000)}` });
    expect([taken.status, taken.json]).toEqual([200, {}]);
    expect(taken.headers['access-control-allow-origin']).toBe(origin);
    expect(taken.headers['x-quota-used']).toBeUndefined();
    const form = `#sign-up ${'x'.repeat(55)}`;
    expect(await noForm()).toEqual([{ keyId, name, form, at: expect.any(Number) }]);

    const validated = await project.validateFromPage({ email: 'jane.doe@gmail.com' }, { origin });
    expect(validated.headers['x-quota-used']).toBe('1');
    expect(validated.headers['x-ratelimit-remaining']).toBe('999');
    expect(await noForm()).toEqual([]);

    // The site loads the script on a page without a form as well.
    const running = await service.makeProject({ allowedDomains: ['shop.example'] });
    await running.validateFromPage({ email: 'jane.doe@gmail.com' }, { origin });
    expect((await report({ form: '#sign-up' }, {}, running)).status).toBe(200);
    expect(await noForm(running)).toEqual([]);
  });

  it.each(['no-such-project', '', 'x'.repeat(5_000), '../../etc', "a' OR 1=1"])(
    'are not disturbed by keys fetched for %j',
    async (projectId) => {
      const { status } = await service.ask({
        method: 'GET',
        path: '/.well-known/jwks.json',
        headers: { 'x-project-id': projectId },
      });
      expect(status).toBe(200);
    },
  );
});
