import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestService } from './support/service.ts';
import { updateProject } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';
import { untilCounted } from './support/until-counted.ts';

const body = { email: 'jane.doe@gmail.com' };
const from = (ip: string) => ({ 'x-forwarded-for': ip });

describe.each(USUAL_BACK_ENDS)('limits against strangers, with two processes on %s', (backEnd) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startServiceOn(backEnd, { env: { POSTERN_WORKERS: '2' } });
  });
  afterAll(() => service?.close());

  it('a visitor gets a 429 for the visitor limit, and the project’s rate is not used', async () => {
    const project = await service.makeProject({ visitorRate: 2, rateClient: 50 });
    const ask = (ip: string) => project.validateFromPage(body, from(ip));
    expect((await ask('93.184.216.34')).headers['x-ratelimit-limit']).toBe('50');
    await ask('93.184.216.34');
    const { status, json, headers } = await ask('93.184.216.34');
    expect(status).toBe(429);
    expect(json).toMatchObject({ error: 'Too many requests', limit: 2, window: '1h' });
    expect(json.retryAfter).toBeGreaterThan(3_500);
    expect(headers).toMatchObject({
      'retry-after': String(json.retryAfter),
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '0',
      'x-quota-used': '2',
    });
    const other = await ask('93.184.216.35');
    expect([other.status, other.headers['x-ratelimit-remaining']]).toEqual([200, '47']);
  });

  it('admits exactly the visitor’s limit of concurrent requests', async () => {
    const project = await service.makeProject({ visitorRate: 20 });
    const answers = await Promise.all(
      Array.from({ length: 90 }, (_, index) =>
        untilCounted(() => project.validateFromPage(body, from(`93.184.216.${index % 3}`))),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  it('one IPv6 /64 is one visitor, private and reserved addresses are not visitors', async () => {
    const project = await service.makeProject({ visitorRate: 1 });
    const statuses = async (...ips: string[]) => {
      const seen: number[] = [];
      for (const ip of ips) seen.push((await project.validateFromPage(body, from(ip))).status);
      return seen;
    };
    expect(await statuses('2a00:1450:4001::1', '2a00:1450:4001::2:1', '2a00:1450:4001:1::1')).toEqual([
      200, 429, 200,
    ]);
    expect(await statuses('10.0.0.1', '10.0.0.1', '198.51.100.7', '198.51.100.7')).toEqual([
      200, 200, 200, 200,
    ]);
  });

  it('one line with many /64s gets twice the limit in its /56 and four times in its /48', async () => {
    const project = await service.makeProject({ visitorRate: 2 });
    const limits = async (count: number, address: (index: number) => string) => {
      const seen: number[] = [];
      for (let index = 0; index < count; index += 1) {
        const { status, json } = await project.validateFromPage(body, from(address(index)));
        seen.push(status === 200 ? 200 : json.limit);
      }
      return seen;
    };
    expect(await limits(6, (index) => `2a00:1450:4001:0:${index}::1`)).toEqual([200, 200, 2, 2, 2, 2]);
    expect(await limits(4, (index) => `2a00:1450:4001:${index + 1}::1`)).toEqual([200, 200, 4, 4]);
    expect(await limits(6, (index) => `2a00:1450:4001:${index + 1}00::1`)).toEqual([
      200, 200, 200, 200, 8, 8,
    ]);
    // The next site is another visitor.
    expect(await limits(1, () => '2a00:1450:4002::1')).toEqual([200]);
  });

  it('a new project keeps a tenth of its plan’s quota for server keys', async () => {
    const project = await service.makeProject();
    expect((await project.validateFromPage(body)).headers['x-quota-limit']).toBe('9000');
    expect((await project.validate(body)).headers['x-quota-limit']).toBe('10000');
    const own = await service.makeProject({ quotaLimit: 5_000 });
    expect((await own.validateFromPage(body)).headers['x-quota-limit']).toBe('5000');
  });

  it('is checked before the body', async () => {
    const project = await service.makeProject({ visitorRate: 1 });
    await project.validateFromPage(body, from('93.184.216.34'));
    expect((await project.validateFromPage('nonsense', from('93.184.216.34'))).status).toBe(429);
  });

  it('applies to client keys only, and 0 switches it off from the next request on', async () => {
    const project = await service.makeProject({ visitorRate: 1 });
    const server = { ...body, ip: '93.184.216.34' };
    expect((await project.validate(server)).status).toBe(200);
    expect((await project.validate(server)).status).toBe(200);
    await project.validateFromPage(body, from('93.184.216.34'));
    expect((await project.validateFromPage(body, from('93.184.216.34'))).status).toBe(429);
    await service.admin((admin) => updateProject(admin, project.id, { visitorRate: 0 }));
    expect((await project.validateFromPage(body, from('93.184.216.34'))).status).toBe(200);
  });

  it('keeps the reserve for server keys, and shows client keys only their share', async () => {
    const project = await service.makeProject({ quotaLimit: 5, serverReserve: 3 });
    const first = await project.validateFromPage(body);
    expect(first.headers).toMatchObject({
      'x-quota-limit': '2',
      'x-quota-used': '1',
      'x-quota-remaining': '1',
    });
    await project.validateFromPage(body);
    const refused = await project.validateFromPage(body);
    expect(refused.status).toBe(402);
    expect(refused.json).toMatchObject({ limit: 2, used: 2, remaining: 0 });
    const backend = await project.validate(body);
    expect([backend.status, backend.headers['x-quota-limit'], backend.headers['x-quota-used']]).toEqual([
      200,
      '5',
      '3',
    ]);
    const again = await project.validateFromPage(body);
    expect([again.status, again.json.used, again.json.remaining]).toEqual([402, 2, 0]);
    await project.validate(body);
    await project.validate(body);
    expect((await project.validate(body)).status).toBe(402);
  });

  it('has separate metrics for each kind of refusal', async () => {
    const project = await service.makeProject({ visitorRate: 1 });
    await project.validateFromPage(body, from('93.184.216.34'));
    await project.validateFromPage(body, from('93.184.216.34'));
    const { text } = await service.ask({ path: '/metrics' });
    expect(text).toMatch(/postern_refusals_total\{.*reason="visitor-rate-limited".*\} [1-9]/);
  });
});
