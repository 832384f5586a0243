import { expect, onTestFinished, test } from 'vitest';
import { startDnsServer } from '../../service/test/support/dns-server.ts';
import { KNOWN_MAIL } from '../../service/test/support/service.ts';
import { freshFolder, posternOn } from './support/postern.ts';

async function settingsWithDns(): Promise<Record<string, string>> {
  const dns = await startDnsServer(KNOWN_MAIL);
  onTestFinished(() => dns.close());
  return { POSTERN_DNS_SERVERS: dns.address, POSTERN_DATA_DIR: await freshFolder() };
}

test('check --json runs the service’s own checks on each address', async () => {
  const postern = posternOn(await settingsWithDns());
  const { code, json } = await postern(
    ...['check', 'jane.doe@gmail.com', 'x@mailinator.com', 'nonsense', '--ip', '192.168.1.2', '--json'],
  );
  expect(code).toBe(0);
  expect(json.summary).toEqual({ allow: 1, flag: 0, block: 1, invalid: 1 });
  const [jane, throwaway, nonsense] = json.results;
  expect(jane).toMatchObject({
    address: 'jane.doe@gmail.com',
    recommendation: 'allow',
    message: null,
    signals: [],
  });
  expect(Object.keys(jane.checks)).toEqual(['syntax', 'disposable', 'mx', 'roleEmail', 'alias', 'ip']);
  expect(throwaway).toMatchObject({ recommendation: 'block' });
  expect(throwaway.signals).toContain('disposable_email');
  expect(nonsense).toEqual({ address: 'nonsense', valid: false, error: 'Invalid email format' });
  expect(json.data.dns).toBe('working');
});

test('people get a verdict with a reason for each check, and the data’s version', async () => {
  const postern = posternOn(await settingsWithDns());
  const { out, error } = await postern('check', 'admin@gmail.com');
  expect(out).toMatch(/^admin@gmail\.com {2}\w+\n/);
  expect(out).toMatch(/roleEmail +fail .*is a role address: admin/);
  expect(error).toMatch(/Data: domains \S+, networks \S+\. DNS: working\./);
});

test('a project’s own policy, lists and rules can be tried, and what decides is named', async () => {
  const postern = posternOn(await settingsWithDns());
  await postern(
    'project',
    'create',
    '--id',
    'shop',
    '--always-block',
    'gmail.com',
    '--always-allow',
    'AS64500',
  );
  const { json } = await postern('check', 'jane.doe@gmail.com', '--project', 'shop', '--json');
  expect(json.results[0]).toMatchObject({
    recommendation: 'block',
    signals: ['block_listed'],
    rule: null,
    checks: { disposable: { pass: true } },
  });
  const rule = ['--id', 'nets', '--name', 'Nets', '--when', 'email.tld == "net"', '--then', 'block'];
  await postern('rule', 'create', '--project', 'shop', ...rule);
  const ruled = await postern('check', 'jane.doe@mail-house.net', '--project', 'shop', '--json');
  expect(ruled.json.results[0]).toMatchObject({
    recommendation: 'block',
    signals: ['rule_nets'],
    rule: { id: 'nets', name: 'Nets' },
  });
  const told = 'The rule “Nets” (rule_nets) decides';
  expect((await postern('check', 'jane.doe@mail-house.net', '--project', 'shop')).out).toContain(
    `\n${told}.\n`,
  );
});

test('a resolver without answers fails no address, and the output says so', async () => {
  const dns = await startDnsServer({});
  onTestFinished(() => dns.close());
  const postern = posternOn({ POSTERN_DNS_SERVERS: dns.address, POSTERN_DATA_DIR: await freshFolder() });
  const { json } = await postern('check', 'jane.doe@gmail.com', '--json');
  expect(json.results[0]).toMatchObject({ recommendation: 'allow' });
  expect(json.data.dns).toMatch(/no internet access/);
});

test.each([
  ['no address', [], /missing required argument 'addresses'/],
  ['an IP that is none', ['a@gmail.com', '--ip', '1.2.3'], /--ip '1\.2\.3' is not an IP address/],
])('%s is a usage error', async (_, args, message) => {
  const { code, out, error } = await posternOn({ POSTERN_DATA_DIR: await freshFolder() })('check', ...args);
  expect([code, out]).toEqual([2, '']);
  expect(error).toMatch(message);
});
