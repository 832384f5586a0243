import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startDnsServer } from '../../service/test/support/dns-server.ts';
import { freshFolder, posternWith } from './support/postern.ts';

async function settingsWithoutInternet(): Promise<Record<string, string>> {
  const dns = await startDnsServer({});
  onTestFinished(() => dns.close());
  // Port 9 is the discard service’s: nothing answers HTTP there.
  return { POSTERN_DNS_SERVERS: dns.address, POSTERN_DATA_DIR: await freshFolder(), POSTERN_PORT: '9' };
}

test('a resolver that is not the internet’s is told with what to do, and is no fault', async () => {
  const { code, out } = await posternWith(await settingsWithoutInternet())('doctor');
  expect(code).toBe(0);
  expect(out).toMatch(/^dns +attention +The resolver does not know/m);
  expect(out).toMatch(/^ {2}dns: .*POSTERN_DNS_SERVERS/m);
  expect(out).toMatch(/^store +ok/m);
  expect(out).toMatch(/^clock +ok/m);
});

test('a damaged database is a fault, and stays as it is', async () => {
  const settings = await settingsWithoutInternet();
  const file = join(settings.POSTERN_DATA_DIR ?? '', 'postern.db');
  const content = 'this is no database '.repeat(500);
  await writeFile(file, content);
  const { code, json } = await posternWith(settings)('doctor', '--json');
  expect(code).toBe(1);
  expect(json.healthy).toBe(false);
  expect(json.parts).toContainEqual(expect.objectContaining({ part: 'store', verdict: 'fault' }));
  expect(await readFile(file, 'utf8')).toBe(content);
});

test('a misspelt setting is found', async () => {
  const settings = { ...(await settingsWithoutInternet()), POSTERN_PROT: '1' };
  const { json } = await posternWith(settings)('doctor', '--json');
  expect(json.parts[0]).toMatchObject({
    part: 'settings',
    verdict: 'attention',
    says: 'POSTERN_PROT: no such setting',
  });
});

test('what is unsafe on a public address is pointed out', async () => {
  const settings = { ...(await settingsWithoutInternet()), POSTERN_HOST: '0.0.0.0' };
  const postern = posternWith(settings);
  await postern('project', 'create', '--id', 'shop', '--name', 'Shop');
  await postern('key', 'create', '--project', 'shop', '--type', 'client');
  const { json } = await postern('doctor', '--json');
  expect(json.parts).toContainEqual(
    expect.objectContaining({
      part: 'client overrides',
      verdict: 'attention',
      says: expect.stringContaining('shop'),
    }),
  );
  expect(json.parts).toContainEqual(expect.objectContaining({ part: 'metrics', verdict: 'ok' }));
});
