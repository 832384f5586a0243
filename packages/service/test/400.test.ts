import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestProject, type TestService } from './support/service.ts';

let service: TestService;
let project: TestProject;

beforeAll(async () => {
  service = await startService();
  project = await service.makeProject();
});
afterAll(() => service.close());

describe('a body that is not a JSON object', () => {
  it.each([
    ['nothing', ''],
    ['no JSON', '{"email":'],
    ['an array', '[{"email":"a@b.co"}]'],
    ['null', 'null'],
    ['a string', '"jane.doe@gmail.com"'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['deep nesting', '['.repeat(8_000)],
  ])('%s', async (_name, body) => {
    const answer = await project.validate(body);
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({ error: 'Request body must be valid JSON' });
    expect(answer.headers['x-ratelimit-limit']).toBe('5000');
    expect(answer.headers['x-quota-limit']).toBe('10000');
  });

  it('is parsed the same way with any Content-Type', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
      ';;;',
      'x',
    ]) {
      const answer = await project.validate({ email: 'jane.doe@gmail.com' }, { 'content-type': type });
      expect(answer.status, type).toBe(200);
    }
  });
});

describe('email', () => {
  it.each([[{}], [{ email: '' }], [{ email: '   ' }], [{ email: 5 }], [{ email: null }], [{ email: {} }]])(
    '%j is missing',
    async (body) => {
      const answer = await project.validate(body);
      expect([answer.status, answer.json]).toEqual([400, { error: 'Email address is required' }]);
    },
  );

  it.each([
    'jane',
    'jane@',
    '@gmail.com',
    'a@b@c.com',
    'a..b@gmail.com',
    'a b@gmail.com',
    `${'x'.repeat(65)}@gmail.com`,
    'a@-b.com',
    'a@b..com',
    'jane@gmail.com\u0000',
    'a\u202eb@gmail.com',
    '\ud800@gmail.com',
  ])('%j is malformed', async (email) => {
    const answer = await project.validate({ email });
    expect([answer.status, answer.json]).toEqual([400, { error: 'Invalid email format' }]);
  });

  it('__proto__ is data', async () => {
    const answer = await project.validate(
      '{"__proto__":{"email":"a@gmail.com"},"constructor":{"prototype":{}}}',
    );
    expect(answer.json).toEqual({ error: 'Email address is required' });
  });
});

describe('the other fields', () => {
  it.each([
    [{ fingerprintHash: 5 }, 'fingerprintHash'],
    [{ fingerprintHash: 'x'.repeat(257) }, 'fingerprintHash'],
    [{ sdkVersion: {} }, 'sdkVersion'],
    [{ ip: 'not an address' }, 'ip'],
    [{ userAgent: 1 }, 'userAgent'],
    [{ validations: 'block' }, 'validations'],
    [{ validations: { smtp: 'block' } }, 'smtp'],
    [{ validations: { mx: 'deny' } }, 'mx'],
  ])('%j is refused with the field’s name', async (fields, name) => {
    const answer = await project.validate({ email: 'jane.doe@gmail.com', ...fields });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.json)).toEqual(['error']);
    expect(answer.json.error).toContain(name);
  });

  it('null counts as absent, and unknown fields are ignored', async () => {
    const body = {
      email: 'jane.doe@gmail.com',
      fingerprintHash: null,
      ip: null,
      userAgent: null,
      sdkVersion: null,
      validations: null,
      more: 1,
    };
    expect((await project.validate(body)).status).toBe(200);
  });

  it('ip and userAgent of a client key are ignored', async () => {
    const answer = await project.validateFromPage({ email: 'jane.doe@gmail.com', ip: 5, userAgent: {} });
    expect(answer.status).toBe(200);
  });
});

describe('X-Project-Id', () => {
  it.each([undefined, '', '   '])('%j is missing', async (id) => {
    const headers: Record<string, string> = { authorization: `Bearer ${project.serverKey}` };
    if (id !== undefined) headers['x-project-id'] = id;
    const answer = await service.ask({
      method: 'POST',
      path: '/validate',
      headers,
      body: '{"email":"a@gmail.com"}',
    });
    expect([answer.status, answer.json]).toEqual([400, { error: 'X-Project-Id header is required' }]);
  });
});

describe('a request that ends in 400', () => {
  it('uses no quota, and counts against the rate if its caller is known', async () => {
    const other = await service.makeProject({ rateServer: 3 });
    await other.validate('nonsense');
    await other.validate({ email: 'nonsense' });
    const good = await other.validate({ email: 'jane.doe@gmail.com' });
    expect(good.headers['x-quota-used']).toBe('1');
    expect(good.headers['x-ratelimit-remaining']).toBe('0');
    expect((await other.validate('nonsense')).status).toBe(429);
  });
});
