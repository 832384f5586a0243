import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from './config.ts';
import { ConfigError } from './setting-reader.ts';
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

describe('secrets in files', () => {
  it('are read, and a file that cannot be read or a second value is a fault that does not repeat it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'postern-config-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'token');
    writeFileSync(file, 'a-token\n');
    expect(readConfig({ POSTERN_METRICS_TOKEN_FILE: file })).toMatchObject({
      metricsToken: 'a-token',
      unknownSettings: [],
    });
    const missing = faults({ POSTERN_DATABASE_URL_FILE: join(folder, 'none') });
    expect(missing).toEqual(['POSTERN_DATABASE_URL_FILE names a file that cannot be read (ENOENT)']);
    const both = faults({ POSTERN_METRICS_TOKEN: 'other', POSTERN_METRICS_TOKEN_FILE: file });
    expect(both).toEqual([expect.stringContaining('are both set')]);
    expect(both.join()).not.toContain('other');
  });
});

describe('the company sign-in', () => {
  const oidc = {
    POSTERN_OIDC_ISSUER: 'https://login.example.com',
    POSTERN_OIDC_CLIENT_ID: 'postern',
    POSTERN_OIDC_CLIENT_SECRET: 's3cret',
    POSTERN_OIDC_ROLES: 'groups=owners:owner, https://x.example/roles=urn:a:b:admin@shop',
  };

  it('has an issuer, a client and roles', () => {
    expect(readConfig(oidc).company).toEqual({
      issuer: 'https://login.example.com',
      clientId: 'postern',
      clientSecret: 's3cret',
      scopes: 'openid email profile',
      name: 'Company account',
      roles: [
        { claim: 'groups', value: 'owners', role: 'owner', project: undefined },
        { claim: 'https://x.example/roles', value: 'urn:a:b', role: 'admin', project: 'shop' },
      ],
    });
    expect(readConfig({}).company).toBeUndefined();
  });

  it.each([
    ['POSTERN_OIDC_ISSUER', 'http://login.example.com'],
    ['POSTERN_OIDC_CLIENT_SECRET', ''],
    ['POSTERN_OIDC_ROLES', ''],
    ['POSTERN_OIDC_ROLES', 'groups=owners:owner@shop'],
    ['POSTERN_OIDC_ROLES', 'groups=owners'],
    ['POSTERN_OIDC_SCOPES', 'email'],
  ])('refuses %s=%s', (name, value) => {
    expect(faults({ ...oidc, [name]: value })[0]).toMatch(new RegExp(`^${name} `));
  });

  it('is needed where passwords are off', () => {
    expect(faults({ POSTERN_PASSWORDS: 'off' })[0]).toContain('nobody could sign in');
    expect(readConfig({ ...oidc, POSTERN_PASSWORDS: 'off' }).passwords).toBe(false);
  });
});
