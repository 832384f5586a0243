import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_ADDRESSES } from '../src/checks/sandbox-address.ts';
import { createKey, startService, type TestProject, type TestService } from './support/service.ts';

let service: TestService;
let project: TestProject;
let testKey: { authorization: string };

beforeAll(async () => {
  service = await startService();
  project = await service.makeProject({ quotaLimit: 5 });
  const { secret } = await service.admin((admin) =>
    createKey(admin, { projectId: project.id, type: 'server', mode: 'test' }),
  );
  testKey = { authorization: `Bearer ${secret}` };
});
afterAll(() => service.close());

const ask = (email: string, more: object = {}) => project.validate({ email, ...more }, testKey);

describe('a test key', () => {
  it('gets real answers and uses no quota', async () => {
    const answer = await ask('someone@mailinator.com');
    expect(answer.json.recommendation).toBe('block');
    expect(answer.json.signals).toContain('disposable_email');
    expect(answer.headers['x-quota-used']).toBe('0');
  });

  it('records no sighting', async () => {
    await ask('jane.doe@gmail.com', { fingerprintHash: 'test-device' });
    const live = await project.validate({ email: 'john.roe@gmail.com', fingerprintHash: 'test-device' });
    expect(live.json.metadata.previousSignups).toBe(0);
  });

  it.each([
    ['allow', 'allow'],
    ['flag', 'flag'],
    ['block', 'block'],
  ])('%s@postern.test is answered %s', async (local, recommendation) => {
    const { json } = await ask(`${local}@postern.test`);
    expect(json.recommendation).toBe(recommendation);
    expect(json.message === null).toBe(recommendation === 'allow');
  });

  it.each(
    Object.entries(SANDBOX_ADDRESSES).flatMap(([local, { fails }]) =>
      fails === undefined ? [] : [[local, fails] as const],
    ),
  )('%s@postern.test fails %s', async (local, check) => {
    const { json } = await ask(`${local}@postern.test`);
    expect(json.checks[check].pass).toBe(false);
    const others = Object.entries<{ pass: boolean }>(json.checks).filter(([name]) => name !== check);
    expect(others.every(([, { pass }]) => pass)).toBe(true);
  });

  it('quota@ and rate@ return the errors, with body and headers', async () => {
    const quota = await ask('quota@postern.test');
    expect(quota.status).toBe(402);
    expect(quota.headers['x-quota-used']).toBe(String(quota.json.used));
    expect(quota.headers['x-quota-remaining']).toBe('0');
    const rate = await ask('rate@postern.test');
    expect([rate.status, rate.headers['retry-after']]).toEqual([429, String(rate.json.retryAfter)]);
    expect(rate.headers['x-ratelimit-remaining']).toBe('0');
  });

  it('quota@ and rate@ return the errors again when a request is repeated with its Idempotency-Key', async () => {
    for (const [local, status] of [
      ['quota', 402],
      ['rate', 429],
    ]) {
      const repeated = { ...testKey, 'idempotency-key': `repeated-${local}` };
      const once = () => project.validate({ email: `${local}@postern.test` }, repeated);
      expect([(await once()).status, (await once()).status]).toEqual([status, status]);
    }
  });

  it('device@ counts like its signal, and an address fails only checks that run', async () => {
    const { json } = await ask('device@postern.test');
    expect(json.signals).toContain(`device_seen_${json.metadata.previousSignups}_times`);
    const other = await ask('device@postern.test', { validations: { syntax: 'block' } });
    expect(Object.keys(other.json.checks)).toEqual(['syntax']);
    expect(other.json.recommendation).toBe('allow');
    expect(json.checks.alias.metadata).toMatchObject({ canonical: 'device@postern.test' });
  });

  it('these addresses do nothing with a live key', async () => {
    const { json } = await project.validate({ email: 'allow@postern.test' });
    expect(json.recommendation).toBe('block');
  });
});
