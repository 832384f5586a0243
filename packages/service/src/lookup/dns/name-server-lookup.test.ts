import { afterEach, expect, test } from 'vitest';
import { createLookupBench } from '../../../test/support/mail-lookup.ts';
import type { DnsAnswer } from './dns-answer.ts';
import { createNameServerLookup } from './name-server-lookup.ts';

const { serve, lookUpThrough, close } = createLookupBench();
afterEach(close);

const answering = (...names: string[]): DnsAnswer => ({
  result: 'records',
  records: names.map((value) => ({ value, priority: 0 })),
  glue: new Map(),
  ttlSeconds: 7_200,
});

test('the name servers of the registered domain come from DNS, and then from the cache', async () => {
  const server = await serve({ 'a.com': { NS: ['ns1.host.net', 'NS2.host.net'] } });
  const lookup = lookUpThrough(server);
  await lookup.start();
  await expect(lookup.nameServers('mail.a.com')).resolves.toEqual(['ns1.host.net', 'ns2.host.net']);
  expect(lookup.nameServers('other.a.com')).toEqual(['ns1.host.net', 'ns2.host.net']);
});

test('concurrent equal questions are sent once, and again after they expire', async () => {
  const questions: string[] = [];
  let now = 0;
  const lookup = createNameServerLookup({
    ask: async (name, type) => {
      questions.push(`${type} ${name}`);
      return answering('ns.host.net');
    },
    online: () => true,
    clock: () => now,
  });
  await Promise.all([lookup('a.com'), lookup('x.a.com')]);
  expect(questions).toEqual(['NS a.com']);
  now = 7_200_000;
  await lookup('a.com');
  expect(questions).toEqual(['NS a.com', 'NS a.com']);
});

test('only a few questions are open at a time, and further ones are not sent', async () => {
  const answers: ((answer: DnsAnswer) => void)[] = [];
  const lookup = createNameServerLookup({
    ask: () => new Promise((resolve) => answers.push(resolve)),
    online: () => true,
    clock: () => 0,
  });
  const open = Array.from({ length: 8 }, (_, index) => lookup(`d${index}.com`));
  expect(lookup('one-more.com')).toEqual([]);
  for (const answer of answers) answer(answering('ns.host.net'));
  await Promise.all(open);
  expect(lookup('one-more.com')).toBeInstanceOf(Promise);
});

test('a failure, a missing domain and a resolver without internet give no result', async () => {
  const lookup = createNameServerLookup({
    ask: async () => ({ result: 'failed', reason: 'timeout' }),
    online: () => true,
    clock: () => 0,
  });
  await expect(lookup('a.com')).resolves.toEqual([]);
  expect(lookup('a.com')).toEqual([]);
  const offline = createNameServerLookup({
    ask: async () => answering('ns.host.net'),
    online: () => false,
    clock: () => 0,
  });
  expect(offline('a.com')).toEqual([]);
  expect(lookup('com')).toEqual([]);
});
