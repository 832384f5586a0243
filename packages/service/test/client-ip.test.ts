import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestProject, type TestService } from './support/service.ts';

const email = 'jane.doe@gmail.com';
const judged = (answer: { json: { checks: { ip?: { metadata: { address: string } } } } }) =>
  answer.json.checks.ip?.metadata.address;

describe('behind a trusted proxy (by default, loopback is trusted)', () => {
  let service: TestService;
  let project: TestProject;
  beforeAll(async () => {
    service = await startService();
    project = await service.makeProject();
  });
  afterAll(() => service.close());

  it('a server key’s ip wins over every header', async () => {
    const headers = { 'cf-connecting-ip': '198.51.100.1', 'x-forwarded-for': '198.51.100.2' };
    expect(judged(await project.validate({ email, ip: '2001:db8::5' }, headers))).toBe('2001:db8::5');
  });

  it.each([
    ['198.51.100.7:443', '198.51.100.7'],
    ['[2001:db8::5]:443', '2001:db8::5'],
    ['[2001:db8::5]', '2001:db8::5'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
  ])('a server key’s ip %s is accepted in the notation of frameworks', async (ip, address) => {
    const answer = await project.validate({ email, ip });
    expect([answer.status, judged(answer)]).toEqual([200, address]);
  });

  it('then comes the edge’s header, then X-Forwarded-For from the right, without trusted hops', async () => {
    // The proxy says that Cloudflare connected to it.
    const edge = { 'cf-connecting-ip': '198.51.100.1', 'x-forwarded-for': '198.51.100.1, 162.158.1.1' };
    expect(judged(await project.validateFromPage({ email }, edge))).toBe('198.51.100.1');
    const spoofed = { 'x-forwarded-for': '1.1.1.1, 198.51.100.9, 10.0.0.3' };
    expect(judged(await project.validateFromPage({ email }, spoofed))).toBe('198.51.100.9');
  });

  it('a client key’s own ip and userAgent are ignored', async () => {
    const answer = await project.validateFromPage(
      { email, ip: '198.51.100.3', userAgent: 'HeadlessChrome/1', fingerprintHash: 'ua' },
      { 'x-forwarded-for': '198.51.100.4' },
    );
    expect(judged(answer)).toBe('198.51.100.4');
    expect(answer.json.signals).not.toContain('automated_browser');
  });

  it('without any header, a client key’s IP is the socket’s, and a server key has none', async () => {
    expect(judged(await project.validateFromPage({ email }))).toBe('127.0.0.1');
    expect(judged(await project.validate({ email }))).toBeUndefined();
  });

  it('a server key’s userAgent is checked', async () => {
    const answer = await project.validate({
      email,
      fingerprintHash: 'ua-2',
      userAgent:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36',
    });
    expect(answer.json.signals).toContain('automated_browser');
    expect(answer.json.checks.device.metadata.automated).toBe(true);
  });
});

describe('without a proxy', () => {
  it('forwarding headers are not trusted', async () => {
    const service = await startService({ env: { POSTERN_TRUSTED_PROXIES: 'none' } });
    try {
      const project = await service.makeProject();
      const spoofed = { 'cf-connecting-ip': '198.51.100.1', 'x-forwarded-for': '198.51.100.2' };
      expect(judged(await project.validateFromPage({ email }, spoofed))).toBe('127.0.0.1');
    } finally {
      await service.close();
    }
  });
});
