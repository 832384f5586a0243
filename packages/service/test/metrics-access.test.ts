import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestProject, type TestService } from './support/service.ts';

describe('/metrics without a token', () => {
  let service: TestService;
  let project: TestProject;
  beforeAll(async () => {
    service = await startService();
    project = await service.makeProject();
  });
  afterAll(() => service.close());

  it.each<[string, Record<string, string>, number]>([
    ['this machine', {}, 200],
    ['a private network behind a proxy', { 'x-forwarded-for': '10.1.2.3' }, 200],
    ['the internet behind a proxy', { 'x-forwarded-for': '198.51.100.7' }, 404],
    ['the internet behind two proxies', { 'x-forwarded-for': '198.51.100.7, 10.0.0.1' }, 404],
    ['the internet behind the edge', { 'cf-connecting-ip': '198.51.100.7' }, 404],
    [
      'the internet with a forged edge header',
      { 'cf-connecting-ip': '127.0.0.1', 'x-forwarded-for': '198.51.100.7' },
      404,
    ],
    ['the internet with a forged first hop', { 'x-forwarded-for': '127.0.0.1, 198.51.100.7' }, 404],
    ['nobody knows where', { 'x-forwarded-for': 'unknown' }, 404],
    ['a proxy that states it another way', { 'x-real-ip': '198.51.100.7' }, 404],
    ['a proxy with the Forwarded header', { forwarded: 'for=127.0.0.1' }, 404],
    ['a page whose name points to this machine', { host: 'evil.example' }, 404],
    ['such a page with a port', { host: 'evil.example:8080' }, 404],
    ['a name of this machine', { host: 'localhost:8080' }, 200],
    ['a name inside a cluster', { host: 'postern.default.svc.cluster.local' }, 200],
    ['an IPv6 address', { host: '[::1]:8080' }, 200],
  ])('from %s', async (_name, headers, status) => {
    const answer = await service.ask({ path: '/metrics', headers });
    expect(answer.status).toBe(status);
    if (status === 404) expect(answer.json).toEqual({ error: 'Not found' });
  });

  it('warns the operator once', async () => {
    const warned = () => service.output().match(/metrics was refused to a public address/g);
    await expect.poll(warned).toHaveLength(1);
  });

  it('a Cloudflare header from elsewhere is ignored and logged once, and not reported to the public', async () => {
    const forged = { 'cf-connecting-ip': '192.0.2.1', 'x-forwarded-for': '198.51.100.7' };
    for (const _ of [1, 2]) {
      const { json } = await project.validate({ email: 'jane.doe@gmail.com' }, forged);
      expect(json.checks.ip.metadata.address).toBe('198.51.100.7');
    }
    await expect.poll(() => service.output()).toContain('CF-Connecting-IP header came from elsewhere');
    expect(service.output().match(/CF-Connecting-IP header came from elsewhere/g)).toHaveLength(1);
    expect(JSON.stringify((await service.ask({ path: '/readyz' })).json)).not.toContain('CF-Connecting');
  });
});

describe('/metrics with a token', () => {
  it('requires it from every address', async () => {
    const service = await startService({ env: { POSTERN_METRICS_TOKEN: 'secret' } });
    try {
      const ask = (headers: Record<string, string>) => service.ask({ path: '/metrics', headers });
      expect((await ask({})).status).toBe(401);
      expect((await ask({ authorization: 'Bearer secret' })).status).toBe(200);
      const outside = { authorization: 'Bearer secret', 'x-forwarded-for': '198.51.100.7' };
      expect((await ask(outside)).status).toBe(200);
    } finally {
      await service.close();
    }
  });
});
