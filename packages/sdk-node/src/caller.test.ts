import { describe, expect, it } from 'vitest';
import { getCaller } from './caller.ts';

const socket = { remoteAddress: '::ffff:198.51.100.7' };
const forwarded = { 'x-forwarded-for': '203.0.113.9, 192.0.2.4', 'user-agent': 'Mozilla/5.0' };

describe('the caller behind a request', () => {
  it('of Node is the socket’s peer, whatever the headers say', () => {
    expect(getCaller({ headers: forwarded, socket })).toEqual({
      ip: '198.51.100.7',
      userAgent: 'Mozilla/5.0',
    });
  });

  it('of Node is found by skipping our own proxies from the right', () => {
    expect(getCaller({ headers: forwarded, socket }, { trustedProxies: 1 }).ip).toBe('192.0.2.4');
    expect(getCaller({ headers: forwarded, socket }, { trustedProxies: 2 }).ip).toBe('203.0.113.9');
    expect(getCaller({ headers: {}, socket }, { trustedProxies: 1 }).ip).toBe('198.51.100.7');
  });

  it('of Express and Fastify is the one they determined', () => {
    expect(getCaller({ headers: forwarded, socket, ip: '203.0.113.9' }).ip).toBe('203.0.113.9');
  });

  it('of a web request is unknown, unless somebody says which header or proxy to believe', () => {
    const headers = { ...forwarded, 'x-real-ip': '203.0.113.5' };
    const request = new Request('http://site.example', { headers });
    expect(getCaller(request)).toEqual({ userAgent: 'Mozilla/5.0' });
    expect(getCaller(request, { trustedProxies: 1 }).ip).toBe('192.0.2.4');
    expect(getCaller(request, { clientIpHeader: 'X-Real-IP' }).ip).toBe('203.0.113.5');
    expect(getCaller(request, { clientIp: '198.51.100.7' }).ip).toBe('198.51.100.7');
    // As with Bun’s `server.requestIP(request)?.address`.
    const clientIp = (asked: Request) => (asked === request ? '::ffff:198.51.100.8' : null);
    expect(getCaller(request, { clientIp }).ip).toBe('198.51.100.8');
  });

  it('of Hono is the peer that Node, Bun or Deno name', () => {
    const req = { raw: new Request('http://site.example', { headers: forwarded }) };
    expect(getCaller({ req, env: { incoming: { socket } } }).ip).toBe('198.51.100.7');
    expect(getCaller({ req, env: { requestIP: () => ({ address: '198.51.100.8' }) } }).ip).toBe(
      '198.51.100.8',
    );
    expect(getCaller({ req, env: { remoteAddr: { hostname: '198.51.100.9' } } }).ip).toBe('198.51.100.9');
    expect(getCaller({ req, env: undefined }).ip).toBe(undefined);
    expect(getCaller({ req }, { trustedProxies: 1 }).ip).toBe('192.0.2.4');
  });

  it('comes from the edge’s own header if one is configured', () => {
    const headers = { 'cf-connecting-ip': '2001:db8::1' };
    expect(getCaller({ headers, socket }, { clientIpHeader: 'CF-Connecting-IP' }).ip).toBe('2001:db8::1');
    expect(getCaller({ headers: {}, socket }, { clientIpHeader: 'CF-Connecting-IP' }).ip).toBe(
      '198.51.100.7',
    );
  });

  it.each([
    ['203.0.113.9:4711', '203.0.113.9'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['unknown', undefined],
    ['', undefined],
  ])('%j is read as %s', (text, ip) => {
    expect(getCaller({ headers: {}, ip: text }).ip).toBe(ip);
  });
});
