import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startDnsServer } from '../../service/test/support/dns-server.ts';
import { freshFolder, posternOn } from './support/postern.ts';

async function settingsWithoutInternet(): Promise<Record<string, string>> {
  const dns = await startDnsServer({});
  onTestFinished(() => dns.close());
  return { POSTERN_DNS_SERVERS: dns.address, POSTERN_DATA_DIR: await freshFolder() };
}

test('a resolver without internet access is reported with advice, but not as a fault', async () => {
  const postern = posternOn(await settingsWithoutInternet());
  await postern('migrate');
  const { code, out } = await postern('doctor');
  expect(code).toBe(0);
  expect(out).toMatch(/^dns +attention +The DNS resolver cannot see the public internet/m);
  expect(out).toMatch(/^ {2}dns: .*POSTERN_DNS_SERVERS/m);
  expect(out).toMatch(/^store +ok/m);
  expect(out).toMatch(/^clock +ok/m);
});

test('a store that does not exist is pointed out and not created', async () => {
  const settings = await settingsWithoutInternet();
  const folder = join(settings.POSTERN_DATA_DIR ?? '', 'elsewhere');
  const { code, out } = await posternOn({ ...settings, POSTERN_DATA_DIR: folder })('doctor');
  expect(code).toBe(0);
  expect(out).toMatch(/^store +attention +.*postern\.db does not exist/m);
  expect(out).toMatch(/^ {2}store: .*posternctl/m);
  expect(out).toMatch(/^dns +attention/m);
  expect(existsSync(folder)).toBe(false);
});

test('a damaged database is a fault, and is not changed', async () => {
  const settings = await settingsWithoutInternet();
  const file = join(settings.POSTERN_DATA_DIR ?? '', 'postern.db');
  const content = 'this is no database '.repeat(500);
  await writeFile(file, content);
  const { code, json } = await posternOn(settings)('doctor', '--json');
  expect(code).toBe(1);
  expect(json.healthy).toBe(false);
  expect(json.parts).toContainEqual(expect.objectContaining({ part: 'store', state: 'fault' }));
  expect(await readFile(file, 'utf8')).toBe(content);
});

test('a misspelt setting is found', async () => {
  const settings = { ...(await settingsWithoutInternet()), POSTERN_PROT: '1' };
  const { json } = await posternOn(settings)('doctor', '--json');
  expect(json.parts[0]).toMatchObject({
    part: 'settings',
    state: 'attention',
    says: 'POSTERN_PROT: no such setting',
  });
});

test('what is unsafe on a public address is pointed out, with the command that fixes it', async () => {
  const settings = { ...(await settingsWithoutInternet()), POSTERN_HOST: '0.0.0.0' };
  const postern = posternOn(settings);
  await postern('project', 'create', '--id', 'shop', '--name', 'Shop', '--server-reserve', '0');
  await postern('key', 'create', '--project', 'shop', '--type', 'client');
  const states = async (more: Record<string, string> = {}) => {
    const { code, json } = await posternOn({ ...settings, ...more })('doctor', '--json');
    expect(code).toBe(0);
    const parts = json.parts as { part: string; state: string; says: string; advice?: string }[];
    return Object.fromEntries(parts.map(({ part, ...rest }) => [part, rest]));
  };
  const open = await states();
  expect(open['client overrides']).toMatchObject({
    state: 'attention',
    says: expect.stringMatching(/^shop: /),
    advice: expect.stringContaining('project update ID --client-overrides tighten'),
  });
  expect(open['server reserve']).toMatchObject({
    state: 'attention',
    advice: expect.stringContaining('--server-reserve'),
  });
  expect(open['visitor rate']?.state).toBe('ok');
  expect(open['demo keys']?.state).toBe('ok');
  expect(open.metrics?.state).toBe('attention');
  expect(open['client address']).toMatchObject({
    state: 'attention',
    advice: expect.stringContaining('POSTERN_TRUSTED_PROXIES'),
  });

  await postern('project', 'update', 'shop', '--client-overrides', 'tighten', '--server-reserve', '500');
  const closed = await states({ POSTERN_TRUSTED_PROXIES: 'none', POSTERN_METRICS_TOKEN: 'a-long-secret' });
  for (const part of ['client overrides', 'server reserve', 'metrics', 'client address'])
    expect(closed[part]?.state, part).toBe('ok');
});
