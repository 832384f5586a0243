import { CORS_EXPOSED_HEADERS } from '@postern/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestProject, type TestService } from './support/service.ts';

let service: TestService;
let project: TestProject;

beforeAll(async () => {
  service = await startService();
  project = await service.makeProject();
});
afterAll(() => service.close());

describe('a preflight', () => {
  it.each(['/validate', '/v1/validate'])('to %s is answered for any origin, without a key', async (path) => {
    const { status, headers, text } = await service.ask({
      method: 'OPTIONS',
      path,
      headers: {
        origin: 'https://anywhere.test',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-project-id',
      },
    });
    expect([status, text]).toEqual([204, '']);
    expect(headers['access-control-allow-origin']).toBe('https://anywhere.test');
    expect(headers['access-control-allow-headers']).toBe(
      'Authorization, Content-Type, X-Project-Id, X-Request-Id, Idempotency-Key',
    );
    expect(headers['access-control-allow-methods']).toContain('POST');
    expect(Number(headers['access-control-max-age'])).toBeGreaterThan(0);
    expect(headers.vary).toContain('Origin');
  });
});

describe('the real answer', () => {
  it('lets the page read success, and every error', async () => {
    const origin = 'https://app.example';
    const email = 'jane.doe@gmail.com';
    const answers = [
      await project.validateFromPage({ email }),
      await project.validateFromPage('nonsense'),
      await project.validateFromPage({ email }, { authorization: 'Bearer x' }),
      await project.validateFromPage({ email }, { 'x-project-id': ' ' }),
      await project.validateFromPage({ email: 'x'.repeat(20_000) }),
      await service.ask({ path: '/nowhere', headers: { origin } }),
      await service.ask({ path: '/validate', headers: { origin } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 400, 413, 404, 405]);
    for (const { headers } of answers) {
      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(headers['access-control-expose-headers']).toBe(CORS_EXPOSED_HEADERS);
      expect(headers.vary).toContain('Origin');
      expect(headers['x-request-id']).toBeTruthy();
    }
  });

  it('has no CORS headers without an Origin', async () => {
    const { headers } = await project.validate({ email: 'jane.doe@gmail.com' });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers.vary).toContain('Origin');
  });
});
