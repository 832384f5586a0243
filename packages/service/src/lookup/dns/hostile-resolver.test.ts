import { afterEach, describe, expect, test } from 'vitest';
import type { Asked, Zone } from '../../../test/support/dns-server.ts';
import { createLookupBench, PUBLIC } from '../../../test/support/mail-lookup.ts';
import { manyMailHosts } from '../../../test/support/many-mail-hosts.ts';
import { encodeQuery } from './dns-message.ts';

const { serve, lookUpThrough, close } = createLookupBench();
afterEach(close);

describe('a resolver that answers with too much', () => {
  test('3,000 mail hosts over TCP become 20', async () => {
    const server = await serve((name) =>
      name === 'many.test'
        ? { truncated: true, bytes: (asked) => manyMailHosts(asked, 3_000) }
        : { A: [PUBLIC] },
    );
    const route = await lookUpThrough(server).route('many.test');
    expect(route).toMatchObject({ status: 'found', implicit: false });
    const hosts = route.status === 'found' ? route.hosts : [];
    expect(hosts).toHaveLength(20);
    const priorities = hosts.map(({ priority }) => priority);
    expect(priorities).toEqual(priorities.toSorted((one, other) => one - other));
    expect(server.questions.length).toBeLessThan(10);
  });

  test('the 20 best of 100 mail hosts are kept', async () => {
    const server = await serve((name) =>
      name === 'many.test'
        ? { truncated: true, bytes: (asked) => manyMailHosts(asked, 100) }
        : { A: [PUBLIC] },
    );
    const route = await lookUpThrough(server).route('many.test');
    const hosts = route.status === 'found' ? route.hosts : [];
    expect(hosts.map(({ priority }) => priority)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  });

  test('500 addresses of a host become 20', async () => {
    const A = Array.from({ length: 500 }, (_, at) => `93.184.${at >> 8}.${at & 255}`);
    const server = await serve({
      'a.test': { MX: [[1, 'mx.a.test']] },
      'mx.a.test': { A, truncated: true },
    });
    const route = await lookUpThrough(server).route('a.test');
    expect(route.status === 'found' && route.hosts[0]?.addresses).toHaveLength(20);
  });

  test('500 additional addresses become 20 for each host, and none for other names', async () => {
    const A = Array.from({ length: 150 }, (_, at) => `93.184.216.${at}`);
    const server = await serve({
      'a.test': { MX: [[1, 'mx.a.test']], additional: true, truncated: true },
      'mx.a.test': { A },
    });
    const route = await lookUpThrough(server).route('a.test');
    expect(route.status === 'found' && route.hosts[0]?.addresses).toHaveLength(20);
    expect(server.timesAsked('mx.a.test')).toBe(0);
  });

  test('domains with many hosts count as several entries in the cache', async () => {
    const MX = Array.from({ length: 20 }, (_, at) => [at, `mx${at}.a.test`] as const);
    const server = await serve((name) => (name.startsWith('d') ? { MX, truncated: true } : { A: [PUBLIC] }));
    const lookup = lookUpThrough(server, { maxCached: 40 });
    for (let index = 0; index < 30; index++) await lookup.route(`d${index}.test`);
    expect(lookup.stats().cachedRoutes).toBeLessThanOrEqual(12);
  });
});

describe('a resolver that never finishes', () => {
  test.each<[string, Zone]>([
    ['an alias of itself', { 'a.test': { CNAME: 'a.test' } }],
    ['two aliases of each other', { 'a.test': { CNAME: 'b.test' }, 'b.test': { CNAME: 'a.test' } }],
    [
      'an alias of yet another name each time',
      (name) => ({ CNAME: `x${name}`.slice(0, 60), withoutSoa: true }),
    ],
  ])('%s is unknown, after few questions', async (_name, zone) => {
    const server = await serve(zone);
    const route = await lookUpThrough(server).route('a.test');
    expect(route).toMatchObject({ status: 'unknown' });
    expect(server.questions.length).toBeLessThan(10);
  });

  test('mail hosts with endless aliases do not multiply the queries', async () => {
    const MX = Array.from({ length: 20 }, (_, at) => [at, `mx${at}.a.test`] as const);
    const server = await serve((name) =>
      name === 'a.test'
        ? { MX, truncated: true }
        : { CNAME: `${name.length > 40 ? 'z' : 'x'}${name}`.slice(0, 50), withoutSoa: true },
    );
    expect(await lookUpThrough(server).route('a.test')).toMatchObject({ status: 'unknown' });
    expect(server.questions.length).toBeLessThan(150);
  });

  test('an answer that drips in is unknown at the end of the budget', async () => {
    const server = await serve({ 'a.test': { MX: [[1, 'mx.a.test']], truncated: true, dripMs: 50 } });
    expect(await lookUpThrough(server, { budgetMs: 300 }).route('a.test')).toEqual({
      status: 'unknown',
      reason: 'timeout',
    });
  });

  test('a complete answer that arrives byte by byte is read', async () => {
    const server = await serve({
      'a.test': { MX: [[1, 'mx.a.test']], truncated: true, dripMs: 0 },
      'mx.a.test': { A: [PUBLIC] },
    });
    expect(await lookUpThrough(server).route('a.test')).toMatchObject({ status: 'found' });
  });
});

describe('a resolver that lies', () => {
  test.each<[string, (asked: Asked) => Buffer]>([
    ['counts without records', ({ id }) => header(id, 0x8180, 65_535)],
    ['nothing but a header', ({ id }) => header(id, 0x8180, 0)],
    ['less than a header', ({ id }) => header(id, 0x8180, 0).subarray(0, 5)],
    ['an empty message', () => Buffer.alloc(0)],
    [
      'the question without the answer bit',
      (asked) => encodeQuery(asked.id, { name: asked.name, type: 'MX' }, false),
    ],
  ])('%s is not believed', async (_name, bytes) => {
    const server = await serve((_name, _type, transport) =>
      transport === 'udp' ? { truncated: true } : { bytes },
    );
    expect(await lookUpThrough(server, { budgetMs: 500 }).route('a.test')).toMatchObject({
      status: 'unknown',
    });
  });
});

function header(id: number, flags: number, answers: number): Buffer {
  const message = Buffer.alloc(12);
  message.writeUInt16BE(id, 0);
  message.writeUInt16BE(flags, 2);
  message.writeUInt16BE(answers, 6);
  return message;
}

describe('one project’s silent domains', () => {
  const zone: Zone = (name) => (name.endsWith('.silent.test') ? 'silent' : undefined);

  test('do not block the answers of other projects', async () => {
    const server = await serve(zone);
    const lookup = lookUpThrough(server, { maxInFlight: 16, maxWaiting: 64, budgetMs: 2_000 });
    const flood = Array.from({ length: 900 }, (_, at) => lookup.route(`d${at}.silent.test`, 'flooding'));
    for (let at = 0; at < 20; at += 1) {
      expect(await lookup.route(`gone${at}.test`, 'other')).toEqual({ status: 'no-domain' });
    }
    await Promise.all(flood);
  });

  test('are not queried once nobody waits, and do not count as broken', async () => {
    const server = await serve(zone);
    const lookup = lookUpThrough(server, { maxInFlight: 4, maxWaiting: 100, budgetMs: 300 });
    const routes = await Promise.all(
      Array.from({ length: 30 }, (_, at) => lookup.route(`d${at}.silent.test`, 'flooding')),
    );
    expect(routes.every((route) => route.status === 'unknown')).toBe(true);
    expect(lookup.stats().waiting).toBe(0);
    // Two slots, and one more query for each while the rest is being dropped.
    expect(new Set(server.questions.map(({ name }) => name)).size).toBeLessThanOrEqual(4);
  });

  test('give no result for a domain that was only queued behind them', async () => {
    const server = await serve(zone);
    const lookup = lookUpThrough(server, { maxInFlight: 4, maxWaiting: 100, budgetMs: 300 });
    const flood = Array.from({ length: 10 }, (_, at) => lookup.route(`d${at}.silent.test`, 'flooding'));
    const behind = lookup.route('gone.test', 'flooding');
    expect(await behind).toEqual({ status: 'unknown', reason: 'timeout' });
    await Promise.all(flood);
    expect(await lookup.route('gone.test', 'other')).toEqual({ status: 'no-domain' });
  });

  test('do not delay a question that another project asks too', async () => {
    const server = await serve(zone);
    const lookup = lookUpThrough(server, { maxInFlight: 4, maxWaiting: 100, budgetMs: 5_000 });
    const flood = Array.from({ length: 10 }, (_, at) => lookup.route(`d${at}.silent.test`, 'flooding'));
    const behind = lookup.route('gone.test', 'flooding');
    expect(await lookup.route('gone.test', 'other')).toEqual({ status: 'no-domain' });
    expect(await behind).toEqual({ status: 'no-domain' });
    expect(server.timesAsked('gone.test')).toBe(1);
    lookup.close();
    await Promise.all(flood);
  });
});
