import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService, updateProject } from './support/service.ts';
import { untilCounted } from './support/until-counted.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('the monthly quota', () => {
  it('refuses with its numbers in body and headers, and says when it resets', async () => {
    const project = await service.makeProject({ quotaLimit: 2 });
    const first = await project.validate({ email: 'jane.doe@gmail.com' });
    // The answer says when it was given, and so which month it counts for.
    const now = new Date(first.headers.date ?? '');
    const resetAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
    await project.validate({ email: 'jane.doe@gmail.com' });
    const { status, json, headers } = await project.validate({ email: 'jane.doe@gmail.com' });
    expect(status).toBe(402);
    expect(json).toEqual({
      error: 'Monthly validation quota exceeded',
      limit: 2,
      used: 2,
      remaining: 0,
      resetAt,
    });
    expect(headers).toMatchObject({
      'x-quota-limit': '2',
      'x-quota-used': '2',
      'x-quota-remaining': '0',
      'x-quota-reset': resetAt,
    });
    expect(headers['x-ratelimit-limit']).toBe('5000');
  });

  it('is checked after the body', async () => {
    const project = await service.makeProject({ quotaLimit: 0 });
    expect((await project.validate('nonsense')).status).toBe(400);
    expect((await project.validate({ email: 'x' })).status).toBe(400);
    expect((await project.validate({ email: 'jane.doe@gmail.com' })).status).toBe(402);
  });

  it('admits exactly the remaining number of concurrent requests', async () => {
    const project = await service.makeProject({ quotaLimit: 40 });
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, at) =>
        untilCounted(() => project.validate({ email: `person.number${at}@gmail.com` })),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(40);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(80);
    const used = answers
      .filter(({ status }) => status === 200)
      .map(({ headers }) => Number(headers['x-quota-used']));
    expect(used.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  });

  it('can be raised from the next request on', async () => {
    const project = await service.makeProject({ quotaLimit: 0 });
    expect((await project.validate({ email: 'jane.doe@gmail.com' })).status).toBe(402);
    await service.admin((admin) => updateProject(admin, project.id, { quotaLimit: 1 }));
    expect((await project.validate({ email: 'jane.doe@gmail.com' })).status).toBe(200);
    expect((await project.validate({ email: 'jane.doe@gmail.com' })).status).toBe(402);
  });

  it('counts both key types together', async () => {
    const project = await service.makeProject({ quotaLimit: 2 });
    await project.validate({ email: 'jane.doe@gmail.com' });
    const { headers } = await project.validateFromPage({ email: 'jane.doe@gmail.com' });
    expect(headers['x-quota-remaining']).toBe('0');
  });
});
