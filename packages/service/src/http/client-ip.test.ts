import { describe, expect, it } from 'vitest';
import { cidrText } from '../model/cidr.ts';
import { CLOUDFLARE_IP_HEADER } from '../model/edge-networks.ts';
import {
  type ConnectionFacts,
  createClientIp,
  DEFAULT_TRUSTED_PROXIES,
  parseTrustedProxies,
} from './client-ip.ts';

const byDefault = createClientIp({
  trustedProxies: DEFAULT_TRUSTED_PROXIES,
  clientIpHeader: CLOUDFLARE_IP_HEADER,
});

interface Request extends Omit<Partial<ConnectionFacts>, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>;
}

function chosen(request: Request, clientIp = byDefault): string | undefined {
  const { headers = {}, keyType = 'client', peer = '127.0.0.1', bodyIp } = request;
  return clientIp({ peer, keyType, bodyIp, headers: (name) => headers[name] })?.text;
}

const forwarded = (value: string, more: Request = {}) =>
  chosen({ ...more, headers: { 'x-forwarded-for': value } });

describe('the body’s ip', () => {
  it('wins for a server key', () => {
    const headers = { 'cf-connecting-ip': '198.51.100.1', 'x-forwarded-for': '198.51.100.2' };
    expect(chosen({ keyType: 'server', bodyIp: '192.0.2.7', headers })).toBe('192.0.2.7');
  });

  it('is ignored from a client key', () => {
    expect(chosen({ bodyIp: '192.0.2.7', peer: '198.51.100.9' })).toBe('198.51.100.9');
  });
});

describe('the edge’s header', () => {
  const headers = { 'cf-connecting-ip': '198.51.100.1', 'x-forwarded-for': '192.0.2.5, 162.158.1.1' };

  it('wins over X-Forwarded-For, for both key types', () => {
    expect(chosen({ headers })).toBe('198.51.100.1');
    expect(chosen({ headers, keyType: 'server' })).toBe('198.51.100.1');
  });

  it('counts from Cloudflare itself, and does not where the proxy says that somebody else connected to it', () => {
    expect(chosen({ headers, peer: '162.158.1.1' })).toBe('198.51.100.1');
    expect(chosen({ headers: { 'x-forwarded-for': '192.0.2.5' }, peer: '162.158.1.1' })).toBe('162.158.1.1');
    expect(chosen({ headers: { ...headers, 'x-forwarded-for': '162.158.1.1, 198.51.100.2' } })).toBe(
      '198.51.100.2',
    );
  });

  it('is ignored unless a trusted proxy sends it', () => {
    expect(chosen({ headers, peer: '203.0.113.9' })).toBe('203.0.113.9');
    expect(chosen({ headers, peer: '203.0.113.9', keyType: 'server' })).toBeUndefined();
  });

  it.each(['garbage', '', '198.51.100.1, 198.51.100.3', '1.2.3'])(
    'is skipped when its value is %j',
    (value) => {
      expect(chosen({ headers: { ...headers, 'cf-connecting-ip': value } })).toBe('162.158.1.1');
    },
  );

  it('is the one that the operator configured, or none', () => {
    const named = createClientIp({ trustedProxies: DEFAULT_TRUSTED_PROXIES, clientIpHeader: 'X-Real-IP' });
    expect(chosen({ headers: { ...headers, 'x-real-ip': '198.51.100.7' } }, named)).toBe('198.51.100.7');
    const none = createClientIp({ trustedProxies: DEFAULT_TRUSTED_PROXIES, clientIpHeader: undefined });
    expect(chosen({ headers }, none)).toBe('162.158.1.1');
  });
});

describe('X-Forwarded-For', () => {
  it('is not believed when a stranger sends it', () => {
    expect(forwarded('192.0.2.1', { peer: '203.0.113.9' })).toBe('203.0.113.9');
    expect(forwarded('192.0.2.1', { peer: '203.0.113.9', keyType: 'server' })).toBeUndefined();
  });

  it('is read from the right past trusted hops, to the first entry that a client could have forged', () => {
    expect(forwarded('192.0.2.66, 198.51.100.4, 10.0.0.2, 192.168.1.1')).toBe('198.51.100.4');
    expect(forwarded('198.51.100.4')).toBe('198.51.100.4');
  });

  it('gives the leftmost hop when all of them are trusted', () => {
    expect(forwarded('192.168.7.7, 10.0.0.2')).toBe('192.168.7.7');
  });

  it.each([
    ['198.51.100.4:51234', '198.51.100.4'],
    ['[2001:db8::5]:443', '2001:db8::5'],
    ['[2001:db8::5]', '2001:db8::5'],
    ['2001:DB8::5', '2001:db8::5'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:80', 'fe80::1'],
    ['::ffff:198.51.100.4', '198.51.100.4'],
    ['[::ffff:198.51.100.4]:80', '198.51.100.4'],
    [',, 198.51.100.4 ,,', '198.51.100.4'],
    ['198.51.100.4,10.0.0.1,', '198.51.100.4'],
  ])('reads %j as %s', (value, expected) => {
    expect(forwarded(value)).toBe(expected);
  });

  it.each([
    'unknown',
    '_hidden',
    '999.1.1.1',
    '198.51.100.4:',
    '198.51.100.4:x',
    '[::1',
    '010.1.1.1',
    '1.2.3.4%e',
    '"::1"',
  ])('stops at %j', (garbage) => {
    expect(forwarded(`198.51.100.4, ${garbage}, 10.0.0.2`)).toBe('10.0.0.2');
    expect(forwarded(`198.51.100.4, ${garbage}`)).toBe('127.0.0.1');
    expect(forwarded(`198.51.100.4, ${garbage}`, { keyType: 'server' })).toBeUndefined();
  });

  it('reads very long headers without running out of stack or time', () => {
    expect(forwarded(`198.51.100.4${', 10.0.0.1'.repeat(100_000)}`)).toBe('198.51.100.4');
    expect(forwarded(','.repeat(1_000_000))).toBe('127.0.0.1');
  });
});

describe('the socket’s address', () => {
  it('is the last resort, and only for client keys', () => {
    expect(chosen({ peer: '203.0.113.9' })).toBe('203.0.113.9');
    expect(chosen({ peer: '::ffff:203.0.113.9' })).toBe('203.0.113.9');
    expect(chosen({ peer: 'fe80::1%eth0' })).toBe('fe80::1');
    expect(chosen({ peer: '203.0.113.9', keyType: 'server' })).toBeUndefined();
  });

  it('may be missing', () => {
    expect(byDefault({ peer: undefined, headers: () => '192.0.2.1', keyType: 'client' })).toBeUndefined();
  });

  it.each(['127.0.0.1', '::1', '10.1.2.3', '172.16.0.9', '192.168.0.4', 'fd00::2', '::ffff:10.0.0.1'])(
    'is a trusted proxy’s by default when it is %s',
    (peer) => {
      expect(forwarded('198.51.100.4', { peer })).toBe('198.51.100.4');
    },
  );
});

describe('parseTrustedProxies', () => {
  it('reads ranges, addresses and the keyword for the default', () => {
    expect(parseTrustedProxies(' 173.245.48.0/20, 203.0.113.9 ,2400:cb00::/32').map(cidrText)).toEqual([
      '173.245.48.0/20',
      '203.0.113.9/32',
      '2400:cb00::/32',
    ]);
    expect(parseTrustedProxies('private,203.0.113.9')).toHaveLength(DEFAULT_TRUSTED_PROXIES.length + 1);
  });

  it('trusts nobody when empty', () => {
    const nobody = createClientIp({ trustedProxies: parseTrustedProxies(''), clientIpHeader: undefined });
    expect(chosen({ headers: { 'x-forwarded-for': '192.0.2.1' } }, nobody)).toBe('127.0.0.1');
  });

  it('names every entry that it cannot parse', () => {
    expect(() => parseTrustedProxies('10.0.0.0/8,proxy.local,10.0.0.0/99')).toThrow(
      '“proxy.local”, “10.0.0.0/99”: neither an IP address nor a CIDR range',
    );
  });
});

describe('an edge header that did not come from the edge', () => {
  const judge = (headers: Record<string, string>, clientIpHeader = CLOUDFLARE_IP_HEADER) => {
    let warnings = 0;
    const clientIp = createClientIp({
      trustedProxies: DEFAULT_TRUSTED_PROXIES,
      clientIpHeader,
      onForgedCfHeader: () => {
        warnings += 1;
      },
    });
    const facts = { peer: '10.0.0.1', headers: (name: string) => headers[name], keyType: 'client' } as const;
    for (let times = 0; times < 2; times += 1) clientIp(facts);
    return warnings;
  };

  it('is reported once', () => {
    expect(judge({ 'cf-connecting-ip': '192.0.2.1', 'x-forwarded-for': '198.51.100.7' })).toBe(1);
  });

  it.each<[string, Record<string, string>]>([
    ['the edge’s own', { 'cf-connecting-ip': '192.0.2.1', 'x-forwarded-for': '192.0.2.1, 162.158.1.1' }],
    ['one without a hop to judge by', { 'cf-connecting-ip': '192.0.2.1' }],
    ['one within the private network', { 'cf-connecting-ip': '192.0.2.1', 'x-forwarded-for': '10.0.0.2' }],
    ['none', { 'x-forwarded-for': '198.51.100.7' }],
  ])('is not %s', (_name, headers) => {
    expect(judge(headers)).toBe(0);
  });

  it('is not reported for other edges, whose networks are unknown', () => {
    const headers = { 'true-client-ip': '192.0.2.1', 'x-forwarded-for': '198.51.100.7' };
    expect(judge(headers, 'True-Client-IP')).toBe(0);
  });
});
