import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { SETTINGS } from './settings.ts';

function faults(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('the settings', () => {
  it('have the defaults that the table states', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      workers: 1,
      demo: true,
      clientIpHeader: 'cf-connecting-ip',
    });
    expect(config.dataDir).toMatch(/\/data$/);
    expect([...config.plans]).toEqual([
      ['free', 10_000],
      ['pro', 100_000],
      ['scale', 1_000_000],
    ]);
    expect(config.databaseUrl).toBeUndefined();
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('are each named and explained once', () => {
    const names = SETTINGS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { meaning } of SETTINGS) expect(meaning).toMatch(/\.$/);
  });

  it('that are invalid are all reported together', () => {
    const found = faults({
      POSTERN_PORT: '70000',
      POSTERN_WORKERS: 'two',
      POSTERN_DEMO: 'maybe',
      POSTERN_PLANS: 'free',
      POSTERN_TLS_CERT: 'a.pem',
    });
    expect(found.map((fault) => fault.split(' ')[0]).sort()).toEqual([
      'POSTERN_DEMO',
      'POSTERN_PLANS',
      'POSTERN_PORT',
      'POSTERN_TLS_KEY',
      'POSTERN_WORKERS',
    ]);
  });

  it('accept resolvers in every documented form, and no other', () => {
    expect(
      readConfig({ POSTERN_DNS_SERVERS: '192.0.2.1, dns.internal:5353,[2001:db8::1]:53' }).dnsServers,
    ).toEqual(['192.0.2.1', 'dns.internal:5353', '[2001:db8::1]:53']);
    expect(faults({ POSTERN_DNS_SERVERS: '192.0.2.1:dns,https://dns.example/' })).toEqual([
      'POSTERN_DNS_SERVERS has "192.0.2.1:dns"; write host, host:port or [IPv6]:port',
      'POSTERN_DNS_SERVERS has "https://dns.example/"; write host, host:port or [IPv6]:port',
    ]);
  });

  it('never repeat a database password', () => {
    expect(faults({ POSTERN_DATABASE_URL: 'mysql://user:hunter2@host/db' }).join()).not.toContain('hunter2');
  });

  it('accept the keywords off, none and private', () => {
    expect(readConfig({ POSTERN_DNS_CANARIES: 'off' }).dnsCanaries).toEqual([]);
    expect(readConfig({ POSTERN_TRUSTED_PROXIES: 'none' }).trustedProxies).toEqual([]);
    expect(readConfig({ POSTERN_TRUSTED_PROXIES: 'private, 198.51.100.0/24' }).trustedProxies).toEqual([
      'private',
      '198.51.100.0/24',
    ]);
  });

  it('require a scheme in the address for links', () => {
    const read = (url: string) => readConfig({ POSTERN_PUBLIC_URL: url }).publicUrl;
    expect(read('https://postern.example/')).toBe('https://postern.example');
    expect(read('')).toBeUndefined();
    for (const url of [
      'postern.example',
      'ftp://postern.example',
      'https://',
      'https://a b',
      'https://postern.example/?from=mail',
      'https://postern.example/#top',
      'https://ann:secret@postern.example',
    ])
      expect(faults({ POSTERN_PUBLIC_URL: url }), url).toHaveLength(1);
  });

  it('require an address with the request ID for the link to the operator’s own pages', () => {
    const link = 'https://admin.example/users?request={requestId}';
    expect(readConfig({ POSTERN_ADMIN_LINK: link }).adminLink).toBe(link);
    expect(readConfig({}).adminLink).toBeUndefined();
    for (const wrong of ['https://admin.example/', 'javascript:alert({requestId})', '{requestId}'])
      expect(faults({ POSTERN_ADMIN_LINK: wrong }), wrong).toHaveLength(1);
  });

  it('that do not exist are listed for a warning, except those of the tests', () => {
    expect(readConfig({ POSTERN_PROT: '1', POSTERN_TEST_DATABASE_URL: 'x' }).unknownSettings).toEqual([
      'POSTERN_PROT',
    ]);
  });
});
