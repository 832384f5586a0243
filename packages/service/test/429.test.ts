import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService, updateProject } from './support/service.ts';
import { untilCounted } from './support/until-counted.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const body = { email: 'jane.doe@gmail.com' };

describe('the hourly rate', () => {
  it('refuses with limit, window and retryAfter, equal to Retry-After', async () => {
    const project = await service.makeProject({ rateServer: 1 });
    await project.validate(body);
    const { status, json, headers } = await project.validate(body);
    expect(status).toBe(429);
    expect(json).toEqual({
      error: 'Too many requests',
      limit: 1,
      window: '1h',
      retryAfter: expect.any(Number),
    });
    // The window began with the first request, which may be a while ago on a busy machine.
    expect(json.retryAfter).toBeGreaterThan(3_000);
    expect(json.retryAfter).toBeLessThanOrEqual(3_601);
    expect(headers['retry-after']).toBe(String(json.retryAfter));
    expect(headers).toMatchObject({
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-quota-limit': '10000',
      'x-quota-used': '1',
    });
  });

  it('is separate for each key type', async () => {
    const project = await service.makeProject({ rateServer: 1, rateClient: 2 });
    await project.validate(body);
    expect((await project.validate(body)).status).toBe(429);
    const fromPage = await project.validateFromPage(body);
    expect([
      fromPage.status,
      fromPage.headers['x-ratelimit-limit'],
      fromPage.headers['x-ratelimit-remaining'],
    ]).toEqual([200, '2', '1']);
  });

  it('is checked before the body, but after the origin', async () => {
    const project = await service.makeProject({ rateClient: 1 });
    await project.validateFromPage(body);
    expect((await project.validateFromPage('nonsense')).status).toBe(429);
    expect((await project.validateFromPage(body, { origin: 'https://evil.test' })).status).toBe(403);
  });

  it('admits exactly its limit of concurrent requests', async () => {
    const project = await service.makeProject({ rateServer: 40 });
    const answers = await Promise.all(
      Array.from({ length: 120 }, () => untilCounted(() => project.validate(body))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(40);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(80);
  });

  it('does not count requests that were refused before', async () => {
    const project = await service.makeProject({ rateClient: 1 });
    await project.validateFromPage(body, { origin: 'https://evil.test' });
    await project.validateFromPage(body, { 'x-project-id': 'other' });
    expect((await project.validateFromPage(body)).status).toBe(200);
  });

  it('counts a request once, even if its project changes in the meantime', async () => {
    const slow = await startService({
      zone: (name) =>
        name === 'slow.mail-house.net' ? 'silent' : { MX: [[10, 'mx.mail-house.net']], A: ['93.184.216.34'] },
      env: { POSTERN_DNS_BUDGET_MS: '2000' },
    });
    try {
      const project = await slow.makeProject({ rateServer: 100 });
      await project.validate(body);
      const pending = Array.from({ length: 19 }, () =>
        project.validate({ email: 'jane.doe@slow.mail-house.net' }),
      );
      await slow.dns.whenAsked('slow.mail-house.net');
      await slow.admin((admin) => updateProject(admin, project.id, { name: 'Renamed' }));
      const statuses = (await Promise.all(pending)).map(({ status }) => status);
      const answered = statuses.filter((status) => status === 200).length;
      // A busy machine may answer some with 503, which may have been counted.
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
      expect(answered).toBeGreaterThan(0);
      const { headers } = await untilCounted(() => project.validate(body));
      const remaining = Number(headers['x-ratelimit-remaining']);
      expect(remaining).toBeLessThanOrEqual(100 - 2 - answered);
      if (answered === 19) expect(remaining).toBe(79);
    } finally {
      await slow.close();
    }
  });

  it('refused requests use no quota', async () => {
    const project = await service.makeProject({ rateServer: 2, quotaLimit: 10 });
    for (let times = 0; times < 6; times += 1) await project.validate(body);
    expect((await project.validateFromPage(body)).headers['x-quota-used']).toBe('3');
  });
});
