import { afterEach, describe, expect, test } from 'vitest';
import { ordinaryMail, type Zone } from '../../../test/support/dns-server.ts';
import { createLookupBench, PUBLIC } from '../../../test/support/mail-lookup.ts';

const { serve, lookUpThrough, close } = createLookupBench();
afterEach(close);

describe('what DNS says becomes a route', () => {
  const unroutableHosts = { 'mx.inside.test': { A: ['10.0.0.1'], AAAA: ['fd00::1', '::1'] } };
  const cases: readonly [guarantee: string, zone: Zone, expected: object][] = [
    [
      'mail hosts come in order of priority, with the addresses that were asked for',
      {
        'a.test': {
          MX: [
            [20, 'second.a.test'],
            [10, 'First.a.test.'],
          ],
        },
        'first.a.test': { A: [PUBLIC] },
      },
      {
        status: 'found',
        implicit: false,
        hosts: [
          { exchange: 'first.a.test', priority: 10, addresses: [PUBLIC] },
          { exchange: 'second.a.test', priority: 20, addresses: [] },
        ],
      },
    ],
    [
      'the next host counts when the first does not resolve',
      {
        'a.test': {
          MX: [
            [1, 'gone.a.test'],
            [2, 'here.a.test'],
          ],
        },
        'here.a.test': { AAAA: ['2606:2800:220:1::1'] },
      },
      {
        status: 'found',
        hosts: [
          { exchange: 'gone.a.test', addresses: [] },
          { exchange: 'here.a.test', addresses: ['2606:2800:220:1::1'] },
        ],
      },
    ],
    ['a lone root is a null MX', { 'a.test': { MX: [[0, '.']], A: [PUBLIC] } }, { status: 'null-mx' }],
    ['whatever its preference', { 'a.test': { MX: [[10, '.']] } }, { status: 'null-mx' }],
    [
      'a root beside a host is not one',
      {
        'a.test': {
          MX: [
            [0, '.'],
            [5, 'mx.a.test'],
          ],
        },
        'mx.a.test': { A: [PUBLIC] },
      },
      { status: 'found', hosts: [{ exchange: 'mx.a.test' }] },
    ],
    [
      'without MX the domain’s own address takes mail',
      { 'a.test': { A: [PUBLIC] } },
      { status: 'found', implicit: true, hosts: [{ exchange: 'a.test', priority: 0, addresses: [PUBLIC] }] },
    ],
    [
      'its IPv6 address too',
      { 'a.test': { AAAA: ['2606:2800:220:1::1'] } },
      { status: 'found', implicit: true },
    ],
    [
      'an own address that the internet cannot reach does not',
      { 'a.test': { A: ['192.168.1.1'] } },
      { status: 'unroutable' },
    ],
    [
      'a mail host with private addresses only is unroutable',
      { 'a.test': { MX: [[1, 'mx.inside.test']] }, ...unroutableHosts },
      {
        status: 'unroutable',
        hosts: [{ exchange: 'mx.inside.test', addresses: ['10.0.0.1', 'fd00::1', '::1'] }],
      },
    ],
    [
      'a mail host that does not exist is unroutable',
      { 'a.test': { MX: [[1, 'mx.nowhere.test']] } },
      { status: 'unroutable' },
    ],
    [
      'MX records win over a good address of the domain itself',
      { 'a.test': { MX: [[1, 'mx.inside.test']], A: [PUBLIC] }, ...unroutableHosts },
      { status: 'unroutable' },
    ],
    [
      'a mail host whose name is none is unroutable',
      { 'a.test': { MX: [[1, 'not a\u0000host.test']] }, '*': { A: [PUBLIC] } },
      { status: 'unroutable' },
    ],
    ['a name that does not exist', {}, { status: 'no-domain' }],
    ['a name with nothing for mail', { 'a.test': { NS: ['ns.a.test'] } }, { status: 'no-records' }],
    ['a server that fails', { 'a.test': 'SERVFAIL' }, { status: 'unknown', reason: 'server-failure' }],
    ['a server that refuses', { 'a.test': 'REFUSED' }, { status: 'unknown', reason: 'server-failure' }],
    [
      'mail hosts that nobody could tell about',
      { 'a.test': { MX: [[1, 'mx.a.test']] }, 'mx.a.test': 'SERVFAIL' },
      { status: 'unknown', reason: 'server-failure' },
    ],
    [
      'an own address that nobody could tell about',
      (_name: string, type: string) => (type === 'A' ? 'SERVFAIL' : {}),
      { status: 'unknown', reason: 'server-failure' },
    ],
    [
      'aliases are followed',
      { 'a.test': { CNAME: 'b.test' }, 'b.test': { CNAME: 'c.test' }, ...ordinaryMail('c.test') },
      { status: 'found', hosts: [{ exchange: 'mx.c.test' }] },
    ],
    ['an alias to nothing', { 'a.test': { CNAME: 'nowhere.test' } }, { status: 'no-domain' }],
    [
      'aliases in a circle',
      { 'a.test': { CNAME: 'b.test' }, 'b.test': { CNAME: 'a.test' } },
      { status: 'unknown' },
    ],
  ];
  test.each(cases)('%s', async (_guarantee, zone, expected) => {
    const lookup = lookUpThrough(await serve(zone));
    expect(await lookup.route('a.test')).toMatchObject(expected);
  });

  test('special-use names are not looked up', async () => {
    const server = await serve({ '*': { A: [PUBLIC] } });
    const lookup = lookUpThrough(server);
    expect(await lookup.route('hidden.onion')).toEqual({ status: 'no-domain' });
    expect(await lookup.route('localhost')).toEqual({ status: 'no-domain' });
    expect(await lookup.route('[127.0.0.1]')).toEqual({ status: 'unknown', reason: 'not-asked' });
    expect(server.questions).toEqual([]);
  });
});

describe('few questions', () => {
  test('a known route is returned synchronously as the same frozen object', async () => {
    const server = await serve(ordinaryMail('a.test'));
    const lookup = lookUpThrough(server);
    const first = await lookup.route('a.test');
    const second = lookup.route('a.test');
    expect(second).toBe(first);
    expect(Object.isFrozen(second)).toBe(true);
    expect(lookup.stats()).toMatchObject({ hits: 1, misses: 1, queries: 2, cachedRoutes: 1 });
  });

  test('parallel look-ups of one domain are merged', async () => {
    let release = () => {};
    const after = new Promise<void>((resolve) => {
      release = resolve;
    });
    const server = await serve({ 'a.test': { MX: [[1, 'mx.a.test']], after }, 'mx.a.test': { A: [PUBLIC] } });
    const lookup = lookUpThrough(server);
    const routes = Array.from({ length: 50 }, () => lookup.route('a.test'));
    await server.whenAsked('a.test');
    release();
    const [first, ...others] = await Promise.all(routes);
    expect(first).toMatchObject({ status: 'found' });
    for (const other of others) expect(other).toBe(first);
    expect(server.questions.map(({ name, type }) => `${name} ${type}`)).toEqual(['a.test MX', 'mx.a.test A']);
  });

  test('a mail host that several domains share is looked up once, also in parallel', async () => {
    const server = await serve({
      'a.test': { MX: [[1, 'mx.shared.test']] },
      'b.test': { MX: [[1, 'mx.shared.test']] },
      'c.test': { MX: [[1, 'mx.shared.test']] },
      'mx.shared.test': { A: [PUBLIC] },
    });
    const lookup = lookUpThrough(server);
    await Promise.all([lookup.route('a.test'), lookup.route('b.test')]);
    await lookup.route('c.test');
    expect(server.timesAsked('mx.shared.test')).toBe(1);
  });

  test('hosts after the first reachable one are not looked up', async () => {
    const server = await serve({
      'a.test': {
        MX: [
          [1, 'one.a.test'],
          [2, 'two.a.test'],
        ],
      },
      'one.a.test': { A: [PUBLIC] },
      'two.a.test': { A: [PUBLIC] },
    });
    await lookUpThrough(server).route('a.test');
    expect(server.timesAsked('two.a.test')).toBe(0);
  });

  test('addresses in the additional section save a query', async () => {
    const server = await serve({
      'a.test': { MX: [[1, 'mx.a.test']], additional: true },
      'mx.a.test': { A: [PUBLIC] },
    });
    expect(await lookUpThrough(server).route('a.test')).toMatchObject({
      status: 'found',
      hosts: [{ addresses: [PUBLIC] }],
    });
    expect(server.questions).toHaveLength(1);
  });

  test('unreachable addresses in the additional section do not save the query', async () => {
    const server = await serve((name) => {
      if (name === 'a.test') return { MX: [[1, 'mx.a.test']], additional: true };
      return { A: [server.timesAsked('mx.a.test') === 0 ? '10.0.0.1' : PUBLIC] };
    });
    expect(await lookUpThrough(server).route('a.test')).toMatchObject({
      status: 'found',
      hosts: [{ addresses: [PUBLIC] }],
    });
  });

  test('a domain without an answer is told apart while the canaries are found, and not otherwise', async () => {
    const zone: Zone = { ...ordinaryMail('known.test'), 'quiet.test': 'silent' };
    const server = await serve(zone);
    const options = { canaries: ['known.test'], budgetMs: 300 };
    const lookup = lookUpThrough(server, options);
    await lookup.start();
    const silent = { status: 'unknown', reason: 'timeout' };
    expect(await lookup.route('quiet.test')).toEqual({ ...silent, alone: true });
    expect(await lookup.route('quiet.test')).toEqual({ ...silent, alone: true });
    const unchecked = lookUpThrough(server, { ...options, canaries: 'off' });
    expect(await unchecked.route('quiet.test')).toEqual(silent);
  });

  test('look-ups beyond the queue are not sent, and report that', async () => {
    const server = await serve({ '*': 'silent' });
    const lookup = lookUpThrough(server, { maxInFlight: 4, maxWaiting: 6, budgetMs: 150 });
    const routes = await Promise.all(Array.from({ length: 8 }, (_, index) => lookup.route(`d${index}.test`)));
    const reasons = routes.map((route) => (route.status === 'unknown' ? route.reason : route.status));
    expect(reasons.filter((reason) => reason === 'not-asked')).toHaveLength(3);
    expect(reasons.filter((reason) => reason === 'timeout')).toHaveLength(5);
  });

  test('the cache is bounded', async () => {
    const server = await serve({ '*': { A: [PUBLIC] } });
    const lookup = lookUpThrough(server, { maxCached: 10 });
    for (let index = 0; index < 30; index++) await lookup.route(`d${index}.test`);
    expect(lookup.stats().cachedRoutes).toBeLessThanOrEqual(10);
  });
});

describe('how long an answer holds', () => {
  async function timesAskedOver(zone: Zone, secondsBetween: readonly number[]): Promise<number> {
    let now = 1_000_000;
    const server = await serve(zone);
    const lookup = lookUpThrough(server, { clock: () => now });
    await lookup.route('a.test');
    for (const seconds of secondsBetween) {
      now += seconds * 1_000;
      await lookup.route('a.test');
    }
    return server.timesAsked('a.test', 'MX');
  }

  test('a route is kept for exactly its TTL', async () => {
    const zone = {
      'a.test': { MX: [[1, 'mx.a.test']], ttl: 120 },
      'mx.a.test': { A: [PUBLIC] },
    } satisfies Zone;
    expect(await timesAskedOver(zone, [119])).toBe(1);
    expect(await timesAskedOver(zone, [120])).toBe(2);
  });

  test('the shortest TTL of all records of the route counts', async () => {
    const zone = {
      'a.test': { MX: [[1, 'mx.a.test']], ttl: 3_000 },
      'mx.a.test': { CNAME: 'host.a.test', ttl: 60 },
      'host.a.test': { A: [PUBLIC], ttl: 900 },
    } satisfies Zone;
    expect(await timesAskedOver(zone, [59])).toBe(1);
    expect(await timesAskedOver(zone, [60])).toBe(2);
  });

  test('a route does not outlive a host’s address that was already known', async () => {
    let now = 0;
    const server = await serve({
      'first.test': { MX: [[1, 'mx.test']], ttl: 1_000 },
      'a.test': { MX: [[1, 'mx.test']], ttl: 1_000 },
      'mx.test': { A: [PUBLIC], ttl: 100 },
    });
    const lookup = lookUpThrough(server, { clock: () => now });
    await lookup.route('first.test');
    now = 90_000;
    await lookup.route('a.test');
    now = 100_000;
    await lookup.route('a.test');
    expect(server.timesAsked('a.test', 'MX')).toBe(2);
  });

  test('a TTL of 0 counts as a second, a TTL of a year as a day', async () => {
    const zone = (ttl: number): Zone => ({ 'a.test': { MX: [[0, '.']], ttl } });
    expect(await timesAskedOver(zone(0), [0.999])).toBe(1);
    expect(await timesAskedOver(zone(0), [1])).toBe(2);
    expect(await timesAskedOver(zone(31_536_000), [86_399])).toBe(1);
    expect(await timesAskedOver(zone(31_536_000), [86_400])).toBe(2);
    expect(await timesAskedOver(zone(2 ** 31), [1])).toBe(2);
  });

  test('a negative answer is kept for the SOA’s minimum, at most an hour, and only briefly without an SOA', async () => {
    const missing = { rcode: 'NXDOMAIN' } as const;
    expect(await timesAskedOver({ 'a.test': { ...missing, negativeTtl: 90 } }, [89])).toBe(1);
    expect(await timesAskedOver({ 'a.test': { ...missing, negativeTtl: 90 } }, [90])).toBe(2);
    expect(await timesAskedOver({ 'a.test': { negativeTtl: 90 } }, [90])).toBe(2);
    expect(await timesAskedOver({ 'a.test': { ...missing, negativeTtl: 80_000 } }, [3_599])).toBe(1);
    expect(await timesAskedOver({ 'a.test': { ...missing, negativeTtl: 80_000 } }, [3_600])).toBe(2);
    expect(await timesAskedOver({ 'a.test': { ...missing, withoutSoa: true } }, [1])).toBe(2);
  });

  test('a failure is forgotten after five seconds', async () => {
    expect(await timesAskedOver({ 'a.test': 'SERVFAIL' }, [4])).toBe(1);
    expect(await timesAskedOver({ 'a.test': 'SERVFAIL' }, [5])).toBe(2);
  });
});
