import { Resolver } from 'node:dns/promises';
import { afterEach, expect, test } from 'vitest';
import { type DnsServer, ordinaryMail, startDnsServer, type Zone } from './dns-server.ts';

let server: DnsServer | undefined;
afterEach(() => server?.close());

async function resolverFor(zone: Zone): Promise<Resolver> {
  server = await startDnsServer(zone);
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  resolver.setServers([server.address]);
  return resolver;
}

test('node’s own resolver understands the answers', async () => {
  const resolver = await resolverFor({
    ...ordinaryMail('example.com'),
    'alias.test': { CNAME: 'example.com' },
    'broken.test': 'SERVFAIL',
    'empty.test': {},
  });
  expect(await resolver.resolveMx('example.com')).toMatchObject([
    { exchange: 'mx.example.com', priority: 10 },
  ]);
  expect(await resolver.resolve4('alias.test')).toEqual(['93.184.216.34']);
  await expect(resolver.resolveMx('broken.test')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  await expect(resolver.resolveMx('empty.test')).rejects.toMatchObject({ code: 'ENODATA' });
  await expect(resolver.resolveMx('nowhere.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  expect(server?.timesAsked('example.com', 'MX')).toBe(1);
});

test('a truncated answer comes whole over TCP', async () => {
  const resolver = await resolverFor({ 'big.test': { MX: [[5, 'mx.big.test']], truncated: true } });
  expect(await resolver.resolveMx('big.test')).toMatchObject([{ exchange: 'mx.big.test', priority: 5 }]);
  expect(server?.questions.map((asked) => asked.transport)).toEqual(['udp', 'tcp']);
});
