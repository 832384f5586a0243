import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Zone } from '../../../test/support/dns-server.ts';
import { createLookupBench, deadServer, PUBLIC } from '../../../test/support/mail-lookup.ts';
import type { DnsEvent } from './mail-lookup.ts';

const { serve, lookUpThrough, close } = createLookupBench();
afterEach(close);

describe('the wire', () => {
  test('forged answers are ignored', async () => {
    const server = await serve({
      'a.test': {
        MX: [[1, 'mx.a.test']],
        forged: ['wrong-id', 'wrong-question', 'wrong-source', 'not-a-response', 'garbage'],
      },
      'mx.a.test': { A: [PUBLIC] },
    });
    expect(await lookUpThrough(server).route('a.test')).toMatchObject({ status: 'found' });
    expect(server.timesAsked('a.test')).toBe(1);
  });

  test('a truncated answer is fetched over TCP', async () => {
    const MX = Array.from({ length: 40 }, (_, index) => [index, `host-number-${index}.a.test`] as const);
    const server = await serve({ 'a.test': { MX, truncated: true }, '*': { A: [PUBLIC] } });
    const route = await lookUpThrough(server).route('a.test');
    expect(route).toMatchObject({ status: 'found' });
    expect(route.status === 'found' && route.hosts).toHaveLength(20);
    expect(server.questions.slice(0, 2).map((asked) => asked.transport)).toEqual(['udp', 'tcp']);
  });

  test('a truncated answer is unknown if TCP fails', async () => {
    const server = await serve({ 'a.test': { MX: [[0, '.']], truncated: true, silent: 'tcp' } });
    expect(await lookUpThrough(server, { budgetMs: 150 }).route('a.test')).toEqual({
      status: 'unknown',
      reason: 'timeout',
    });
  });

  const ipv6 = Object.values(networkInterfaces()).some((all) =>
    all?.some(({ address }) => address === '::1'),
  );
  test.skipIf(!ipv6)('a server may have an IPv6 address', async () => {
    const server = await serve({ 'a.test': { MX: [[0, '.']], truncated: true } }, '::1');
    expect(server.address).toMatch(/^\[::1\]:\d+$/);
    expect(await lookUpThrough(server).route('a.test')).toEqual({ status: 'null-mx' });
  });

  test('ids and source ports vary, and the payload size is 1,232', async () => {
    const server = await serve({ '*': { MX: [[0, '.']] } });
    const lookup = lookUpThrough(server);
    for (let index = 0; index < 20; index++) await lookup.route(`d${index}.test`);
    expect(new Set(server.questions.map((asked) => asked.id)).size).toBeGreaterThan(15);
    expect(new Set(server.questions.map((asked) => asked.sourcePort)).size).toBeGreaterThan(10);
    expect(new Set(server.questions.map((asked) => asked.udpPayloadSize))).toEqual(new Set([1_232]));
  });

  test('a server without EDNS is asked again without it, and stays that way', async () => {
    const server = await serve({});
    server.setZone(() =>
      server.questions.at(-1)?.udpPayloadSize === undefined ? { MX: [[0, '.']] } : 'FORMERR',
    );
    const lookup = lookUpThrough(server);
    expect(await lookup.route('a.test')).toEqual({ status: 'null-mx' });
    expect(await lookup.route('b.test')).toEqual({ status: 'null-mx' });
    expect(server.timesAsked('a.test')).toBe(2);
    expect(server.timesAsked('b.test')).toBe(1);
  });

  test('an incomplete alias chain is completed with further queries', async () => {
    const server = await serve((name) => {
      if (name === 'a.test') return { CNAME: 'b.test', withoutSoa: true };
      const askedForItself = server.questions.at(-1)?.name === 'b.test';
      return askedForItself ? { MX: [[0, '.']] } : { withoutSoa: true };
    });
    expect(await lookUpThrough(server).route('a.test')).toEqual({ status: 'null-mx' });
  });
});

describe('several servers', () => {
  test('a silent server costs its share of the budget once, and is then no longer asked first', async () => {
    const silent = await serve({ '*': 'silent' });
    const good = await serve({ '*': { MX: [[0, '.']] } });
    const events: DnsEvent[] = [];
    const lookup = lookUpThrough([silent.address, good.address], {
      budgetMs: 1_500,
      onEvent: (event) => events.push(event),
    });
    for (const domain of ['a.test', 'b.test', 'c.test']) {
      expect(await lookup.route(domain)).toEqual({ status: 'null-mx' });
    }
    expect(silent.questions).toHaveLength(2);
    expect(events).toEqual([{ type: 'server-failing', server: silent.address }]);
    expect(lookup.health().servers).toEqual([
      { address: silent.address, failing: true },
      { address: good.address, failing: false },
    ]);
  });

  test.each(['SERVFAIL', 'REFUSED'] as const)(
    'after %s the next server is asked immediately',
    async (rcode) => {
      const bad = await serve({ '*': rcode });
      const good = await serve({ '*': { MX: [[0, '.']] } });
      const lookup = lookUpThrough([bad.address, good.address], { budgetMs: 60_000 });
      expect(await lookup.route('a.test')).toEqual({ status: 'null-mx' });
    },
  );

  test('a closed port is noticed immediately', async () => {
    const good = await serve({ '*': { MX: [[0, '.']] } });
    const lookup = lookUpThrough([await deadServer(), good.address], { budgetMs: 60_000 });
    expect(await lookup.route('a.test')).toEqual({ status: 'null-mx' });
  });

  test('if all servers fail, the answer is unknown without waiting for the budget', async () => {
    const bad = await serve({ '*': 'SERVFAIL' });
    const lookup = lookUpThrough([await deadServer(), bad.address], { budgetMs: 60_000 });
    expect(await lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'server-failure' });
  });

  test('a server is asked first again after its pause', async () => {
    let now = 0;
    const first = await serve({ '*': 'REFUSED' });
    const second = await serve({ '*': { MX: [[0, '.']] } });
    const lookup = lookUpThrough([first.address, second.address], { clock: () => now });
    await lookup.route('a.test');
    await lookup.route('b.test');
    await lookup.route('c.test');
    expect(first.questions).toHaveLength(2);
    first.setZone({ '*': { MX: [[0, '.']] } });
    now = 6_000;
    await lookup.route('d.test');
    expect(first.timesAsked('d.test')).toBe(1);
    expect(lookup.health().servers[0]).toEqual({ address: first.address, failing: false });
  });
});

describe('the budget', () => {
  test('a silent server gives unknown at the end of the budget, after more than one try', async () => {
    const server = await serve({ '*': 'silent' });
    const lookup = lookUpThrough(server, { budgetMs: 900 });
    expect(await lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'timeout' });
    expect(server.timesAsked('a.test')).toBeGreaterThan(1);
    expect(lookup.stats().failures).toBe(1);
  });

  test('the domain and its hosts share one budget, and a late answer is kept', async () => {
    const server = await serve({
      'a.test': { MX: [[1, 'mx.a.test']], delayMs: 1_200 },
      'mx.a.test': { A: [PUBLIC], delayMs: 1_200 },
    });
    const lookup = lookUpThrough(server, { budgetMs: 2_000, clock: () => 0 });
    expect(await lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'timeout' });
    expect(lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'timeout' });
    await vi.waitFor(() => expect(lookup.route('a.test')).toMatchObject({ status: 'found' }), {
      timeout: 60_000,
    });
  });

  test('a late first answer counts even if a retry is in progress', async () => {
    let asked = 0;
    const server = await serve((): ReturnType<Extract<Zone, (...parts: never) => unknown>> => {
      asked++;
      return asked === 1 ? { MX: [[0, '.']], delayMs: 4_000 } : 'silent';
    });
    // A retry goes out after a third of the budget. On a busy machine there may be two before the answer comes.
    const lookup = lookUpThrough(server, { budgetMs: 9_000 });
    expect(await lookup.route('a.test')).toEqual({ status: 'null-mx' });
    expect(asked).toBeGreaterThan(1);
  });

  test('closing ends queries in progress', async () => {
    const server = await serve({ '*': 'silent' });
    const lookup = lookUpThrough(server, { budgetMs: 60_000 });
    const route = lookup.route('a.test');
    await server.whenAsked('a.test');
    lookup.close();
    expect(await route).toEqual({ status: 'unknown', reason: 'not-asked' });
  });
});
