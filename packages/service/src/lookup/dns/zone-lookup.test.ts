import { afterEach, expect, test } from 'vitest';
import { createLookupBench } from '../../../test/support/mail-lookup.ts';
import type { DnsAnswer } from './dns-answer.ts';
import { createZoneLookup, NO_ZONE_FACTS, type ZoneLookupOptions } from './zone-lookup.ts';

const { serve, lookUpThrough, close } = createLookupBench();
afterEach(close);

const answering = (...names: string[]): DnsAnswer => ({
  result: 'records',
  records: names.map((value) => ({ value, priority: 0 })),
  glue: new Map(),
  ttlSeconds: 7_200,
});

const zoneLookup = (options: Partial<ZoneLookupOptions>) =>
  createZoneLookup({
    ask: async (_name, type) =>
      type === 'NS' ? answering('ns.host.net') : { result: 'no-name', ttlSeconds: 0 },
    online: () => true,
    clock: () => 0,
    madeUpLabel: () => 'made-up',
    ...options,
  });

test('the facts of the registered domain come from DNS, and then from the cache', async () => {
  const server = await serve((name) => {
    if (name === 'a.com') return { NS: ['ns1.host.net', 'NS2.host.net'], SOA: 'jane\\.doe.Operator.com' };
    // Every name under it receives mail.
    return name.endsWith('.a.com') ? { MX: [[10, 'mx.a.com']] } : undefined;
  });
  const lookup = lookUpThrough(server);
  await lookup.start();
  const facts = {
    nameServers: ['ns1.host.net', 'ns2.host.net'],
    contactDomain: 'operator.com',
    template: '1 1 1 60 ttl 300',
    wildcardMail: true,
  };
  await expect(lookup.zone('mail.a.com')).resolves.toEqual(facts);
  const sent = server.questions.length;
  expect(lookup.zone('other.a.com')).toEqual(facts);
  expect(server.questions).toHaveLength(sent);
  const madeUp = server.questions.filter(({ name }) => name.endsWith('.a.com'));
  expect(madeUp).toEqual([
    expect.objectContaining({ type: 'MX', name: expect.stringMatching(/^x[0-9a-f]{16}\.a\.com$/) }),
  ]);
});

test('a domain without a wildcard, or with one that refuses mail, has no wildcard mail', async () => {
  const server = await serve({ 'a.com': { NS: ['ns1.a.com'], MX: [[10, 'mx.a.com']] } });
  const lookup = lookUpThrough(server);
  await lookup.start();
  await expect(lookup.zone('a.com')).resolves.toEqual({ nameServers: ['ns1.a.com'], wildcardMail: false });
  const nullMx = zoneLookup({ ask: async (_name, type) => answering(type === 'MX' ? '' : 'ns.a.com') });
  await expect(nullMx('a.com')).resolves.toMatchObject({ wildcardMail: false });
});

test('concurrent equal questions are sent once, and again after they expire', async () => {
  const questions: string[] = [];
  let now = 0;
  const lookup = zoneLookup({
    ask: async (name, type) => {
      questions.push(`${type} ${name}`);
      return answering('ns.host.net');
    },
    clock: () => now,
  });
  const once = ['NS a.com', 'SOA a.com', 'MX made-up.a.com'];
  await Promise.all([lookup('a.com'), lookup('x.a.com')]);
  expect(questions).toEqual(once);
  now = 7_200_000;
  await lookup('a.com');
  expect(questions).toEqual([...once, ...once]);
});

test('only a few domains are asked for at a time, and further ones are not', async () => {
  const answers: ((answer: DnsAnswer) => void)[] = [];
  const lookup = zoneLookup({ ask: () => new Promise((resolve) => answers.push(resolve)) });
  const open = Array.from({ length: 8 }, (_, index) => lookup(`d${index}.com`));
  expect(lookup('one-more.com')).toBe(NO_ZONE_FACTS);
  for (const answer of answers) answer(answering('ns.host.net'));
  await Promise.all(open);
  expect(lookup('one-more.com')).toBeInstanceOf(Promise);
});

test('a failure, a missing domain and a resolver without internet give no facts', async () => {
  const lookup = zoneLookup({ ask: async () => ({ result: 'failed', reason: 'timeout' }) });
  await expect(lookup('a.com')).resolves.toEqual(NO_ZONE_FACTS);
  expect(lookup('a.com')).toEqual(NO_ZONE_FACTS);
  const offline = zoneLookup({ online: () => false });
  expect(offline('a.com')).toBe(NO_ZONE_FACTS);
  expect(lookup('com')).toBe(NO_ZONE_FACTS);
});
