import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

test('a list of addresses is read from a file or from standard input', async () => {
  const settings = await settingsWithDns();
  const file = join(settings.POSTERN_DATA_DIR ?? '', 'list.csv');
  await writeFile(file, 'name,email\n"Doe, Jane",jane.doe@gmail.com\nBot,x@mailinator.com\n');
  const { out } = await posternOn(settings)('check', '--file', file);
  expect(out).toMatch(
    /jane\.doe@gmail\.com +allow\nx@mailinator\.com +block +disposable: mailinator\.com is listed by \d of \d/,
  );
  const { json } = await posternOn(settings, { input: 'jane.doe@gmail.com\n' })(
    'check',
    '--file',
    '-',
    '--json',
  );
  expect(json.summary).toEqual({ allow: 1, flag: 0, block: 0, invalid: 0 });
});

test('a file is checked with a project: its quota is used, and the result is a file', async () => {
  const settings = await settingsWithDns();
  const folder = settings.POSTERN_DATA_DIR ?? '';
  const file = join(folder, 'people.csv');
  const output = join(folder, 'checked.csv');
  await writeFile(
    file,
    '\uFEFFname;Email;ip\r\n"=1+1";jane.doe@gmail.com;192.168.1.2\r\n"two\r\nlines";nonsense\r\nBot;x@mailinator.com;\r\n',
  );
  const postern = posternOn(settings);
  await postern('project', 'create', '--id', 'shop', '--quota', '3');
  const first = await postern('check', '--file', file, '--project', 'shop', '--output', output);
  expect([first.code, first.out]).toEqual([0, 'allow 1, flag 0, block 1, invalid 1\n']);
  expect(first.error).toContain('3 rows. 3 of 3 validations are left this month.');
  const lines = (await readFile(output, 'utf8')).split('\r\n');
  expect(lines[0]).toBe('name,Email,ip,recommendation,failedChecks,reason');
  expect(lines[1]).toBe("'=1+1,jane.doe@gmail.com,192.168.1.2,allow,,");
  expect(lines[3]).toBe('lines",nonsense,,invalid,,Invalid email format');
  expect(lines[4]).toMatch(/^Bot,x@mailinator\.com,,block,disposable mx,./);

  const second = await postern('check', '--file', file, '--project', 'shop', '--output', output);
  expect(second.code).toBe(1);
  expect(second.error).toContain('1 of 3 validations are left');
  expect(second.error).toContain('quota for this month is used up. 1 row was not checked.');
  expect((await readFile(output, 'utf8')).split('\r\n')).toHaveLength(5);
  const [json] = (await postern('project', 'list', '--json')).json;
  expect(json.quotaUsed).toBe(3);
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
  const file = join(await freshFolder(), 'list.csv');
  await writeFile(file, 'email\njane.doe@mail-house.net\n');
  expect((await postern('check', '--file', file, '--project', 'shop')).out).toContain(told);
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
  ['no address', [], /at least one address/],
  ['an IP that is none', ['a@gmail.com', '--ip', '1.2.3'], /--ip '1\.2\.3' is not an IP address/],
  ['addresses and a file', ['a@gmail.com', '--file', 'x.csv'], /not both/],
  ['a result without a file', ['a@gmail.com', '--output', 'x.csv'], /--output needs --file/],
  ['a file that is not there', ['--file', '/nowhere/list.csv'], /cannot be read/],
])('%s is a usage error', async (_, args, message) => {
  const { code, out, error } = await posternOn({ POSTERN_DATA_DIR: await freshFolder() })('check', ...args);
  expect([code, out]).toEqual([2, '']);
  expect(error).toMatch(message);
});
