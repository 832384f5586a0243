import { afterEach, describe, expect, test, vi } from 'vitest';
import { type DnsServer, ordinaryMail, startDnsServer, type Zone } from '../../../test/support/dns-server.ts';
import { createMailLookup, type DnsEvent, type MailLookup, type MailLookupOptions } from './mail-lookup.ts';

const PUBLIC = '93.184.216.34';
const open: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const part of open.splice(0)) await part.close();
});

async function serve(zone: Zone): Promise<DnsServer> {
  const server = await startDnsServer(zone);
  open.unshift(server);
  return server;
}

/** Without canaries, so that only the look-up’s own questions are asked. */
function lookUpThrough(server: DnsServer | readonly string[], options: MailLookupOptions = {}): MailLookup {
  const servers = 'address' in server ? [server.address] : server;
  const lookup = createMailLookup({ servers, canaries: 'off', ...options });
  open.unshift(lookup);
  return lookup;
}

/** An address on which nothing listens. */
async function deadServer(): Promise<string> {
  const server = await startDnsServer();
  await server.close();
  return server.address;
}

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

  test('names that are no business of DNS are not asked for', async () => {
    const server = await serve({ '*': { A: [PUBLIC] } });
    const lookup = lookUpThrough(server);
    expect(await lookup.route('hidden.onion')).toEqual({ status: 'no-domain' });
    expect(await lookup.route('localhost')).toEqual({ status: 'no-domain' });
    expect(await lookup.route('[127.0.0.1]')).toEqual({ status: 'unknown', reason: 'not-asked' });
    expect(server.questions).toEqual([]);
  });
});

describe('few questions', () => {
  test('a known route is the same frozen object, at once', async () => {
    const server = await serve(ordinaryMail('a.test'));
    const lookup = lookUpThrough(server);
    const first = await lookup.route('a.test');
    const second = lookup.route('a.test');
    expect(second).toBe(first);
    expect(Object.isFrozen(second)).toBe(true);
    expect(lookup.stats()).toMatchObject({ hits: 1, misses: 1, queries: 2, cachedRoutes: 1 });
  });

  test('parallel look-ups of one domain become one', async () => {
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

  test('domains that share a mail host ask for it once, also at the same time', async () => {
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

  test('hosts behind the first that can be reached are not asked for', async () => {
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

  test('addresses in the additional section spare the question', async () => {
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

  test('a flood beyond the queue is not asked, and says so', async () => {
    const server = await serve({ '*': 'silent' });
    const lookup = lookUpThrough(server, { maxInFlight: 2, maxWaiting: 3, budgetMs: 150 });
    const routes = await Promise.all(Array.from({ length: 8 }, (_, index) => lookup.route(`d${index}.test`)));
    const reasons = routes.map((route) => (route.status === 'unknown' ? route.reason : route.status));
    expect(reasons.filter((reason) => reason === 'not-asked')).toHaveLength(3);
    expect(reasons.filter((reason) => reason === 'timeout')).toHaveLength(5);
  });

  test('the memory is bounded', async () => {
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

  test('a route holds for its TTL and not a moment longer', async () => {
    const zone = {
      'a.test': { MX: [[1, 'mx.a.test']], ttl: 120 },
      'mx.a.test': { A: [PUBLIC] },
    } satisfies Zone;
    expect(await timesAskedOver(zone, [119])).toBe(1);
    expect(await timesAskedOver(zone, [120])).toBe(2);
  });

  test('the shortest TTL of all that the route rests on counts', async () => {
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

  test('a TTL of 0 holds for five seconds, a year for a day', async () => {
    const zone = (ttl: number): Zone => ({ 'a.test': { MX: [[0, '.']], ttl } });
    expect(await timesAskedOver(zone(0), [4])).toBe(1);
    expect(await timesAskedOver(zone(0), [5])).toBe(2);
    expect(await timesAskedOver(zone(31_536_000), [86_399])).toBe(1);
    expect(await timesAskedOver(zone(31_536_000), [86_400])).toBe(2);
    expect(await timesAskedOver(zone(2 ** 31), [5])).toBe(2);
  });

  test('what is not there holds for the SOA’s minimum, an hour at most, and without SOA hardly at all', async () => {
    const missing = { rcode: 'NXDOMAIN' } as const;
    expect(await timesAskedOver({ 'a.test': { ...missing, negativeTtl: 90 } }, [89])).toBe(1);
    expect(await timesAskedOver({ 'a.test': { ...missing, negativeTtl: 90 } }, [90])).toBe(2);
    expect(await timesAskedOver({ 'a.test': { negativeTtl: 90 } }, [90])).toBe(2);
    expect(await timesAskedOver({ 'a.test': { ...missing, negativeTtl: 80_000 } }, [3_599])).toBe(1);
    expect(await timesAskedOver({ 'a.test': { ...missing, negativeTtl: 80_000 } }, [3_600])).toBe(2);
    expect(await timesAskedOver({ 'a.test': { ...missing, withoutSoa: true } }, [5])).toBe(2);
  });

  test('trouble is forgotten after ten seconds', async () => {
    expect(await timesAskedOver({ 'a.test': 'SERVFAIL' }, [9])).toBe(1);
    expect(await timesAskedOver({ 'a.test': 'SERVFAIL' }, [10])).toBe(2);
  });
});

describe('the wire', () => {
  test('forged answers are not believed', async () => {
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
    expect(route.status === 'found' && route.hosts).toHaveLength(40);
    expect(server.questions.slice(0, 2).map((asked) => asked.transport)).toEqual(['udp', 'tcp']);
  });

  test('a truncated answer that TCP does not deliver is unknown', async () => {
    const server = await serve({ 'a.test': { MX: [[0, '.']], truncated: true, silent: 'tcp' } });
    expect(await lookUpThrough(server, { budgetMs: 150 }).route('a.test')).toEqual({
      status: 'unknown',
      reason: 'timeout',
    });
  });

  test('ids and source ports vary, and the payload size is 1,232', async () => {
    const server = await serve({ '*': { MX: [[0, '.']] } });
    const lookup = lookUpThrough(server);
    for (let index = 0; index < 20; index++) await lookup.route(`d${index}.test`);
    expect(new Set(server.questions.map((asked) => asked.id)).size).toBeGreaterThan(15);
    expect(new Set(server.questions.map((asked) => asked.sourcePort)).size).toBeGreaterThan(10);
    expect(new Set(server.questions.map((asked) => asked.udpPayloadSize))).toEqual(new Set([1_232]));
  });

  test('a server without EDNS is asked again without it, and from then on only so', async () => {
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

  test('a chain of aliases that the server does not finish is asked for', async () => {
    const server = await serve((name) => {
      if (name === 'a.test') return { CNAME: 'b.test', withoutSoa: true };
      const askedForItself = server.questions.at(-1)?.name === 'b.test';
      return askedForItself ? { MX: [[0, '.']] } : { withoutSoa: true };
    });
    expect(await lookUpThrough(server).route('a.test')).toEqual({ status: 'null-mx' });
  });
});

describe('several servers', () => {
  test('a silent server costs its share of the budget, and then it is not asked first any more', async () => {
    const silent = await serve({ '*': 'silent' });
    const good = await serve({ '*': { MX: [[0, '.']] } });
    const events: DnsEvent[] = [];
    const lookup = lookUpThrough([silent.address, good.address], {
      budgetMs: 600,
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

  test.each(['SERVFAIL', 'REFUSED'] as const)('%s from one is asked of the next at once', async (rcode) => {
    const bad = await serve({ '*': rcode });
    const good = await serve({ '*': { MX: [[0, '.']] } });
    const lookup = lookUpThrough([bad.address, good.address], { budgetMs: 60_000 });
    expect(await lookup.route('a.test')).toEqual({ status: 'null-mx' });
  });

  test('a closed port is noticed at once', async () => {
    const good = await serve({ '*': { MX: [[0, '.']] } });
    const lookup = lookUpThrough([await deadServer(), good.address], { budgetMs: 60_000 });
    expect(await lookup.route('a.test')).toEqual({ status: 'null-mx' });
  });

  test('when none can tell, the answer is unknown without waiting for the budget', async () => {
    const bad = await serve({ '*': 'SERVFAIL' });
    const lookup = lookUpThrough([await deadServer(), bad.address], { budgetMs: 60_000 });
    expect(await lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'server-failure' });
  });

  test('a rested server is asked first again', async () => {
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
  test('a silent server is unknown when the budget ends, after more than one try', async () => {
    const server = await serve({ '*': 'silent' });
    const lookup = lookUpThrough(server, { budgetMs: 120 });
    expect(await lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'timeout' });
    expect(server.timesAsked('a.test')).toBeGreaterThan(1);
    expect(lookup.stats().failures).toBe(1);
  });

  test('the budget is one for the domain and its hosts together, and an answer that comes late is kept', async () => {
    const server = await serve({
      'a.test': { MX: [[1, 'mx.a.test']], delayMs: 600 },
      'mx.a.test': { A: [PUBLIC], delayMs: 600 },
    });
    const lookup = lookUpThrough(server, { budgetMs: 1_000, clock: () => 0 });
    expect(await lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'timeout' });
    expect(lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'timeout' });
    await vi.waitFor(() => expect(lookup.route('a.test')).toMatchObject({ status: 'found' }));
  });

  test('a late first answer counts although a retry is under way', async () => {
    let asked = 0;
    const server = await serve((): ReturnType<Extract<Zone, (...parts: never) => unknown>> => {
      asked++;
      return asked === 1 ? { MX: [[0, '.']], delayMs: 250 } : 'silent';
    });
    const lookup = lookUpThrough(server, { budgetMs: 600 });
    expect(await lookup.route('a.test')).toEqual({ status: 'null-mx' });
    expect(asked).toBe(2);
  });

  test('closing ends what is under way', async () => {
    const server = await serve({ '*': 'silent' });
    const lookup = lookUpThrough(server, { budgetMs: 60_000 });
    const route = lookup.route('a.test');
    await server.whenAsked('a.test');
    lookup.close();
    expect(await route).toEqual({ status: 'unknown', reason: 'not-asked' });
  });
});

describe('canaries', () => {
  const nothing: Zone = {};
  const internet: Zone = { ...ordinaryMail('gmail.com', 'a.test', 'b.test') };

  function watched(server: DnsServer | readonly string[], options: MailLookupOptions = {}): MailLookup {
    return lookUpThrough(server, { canaries: ['gmail.com', 'outlook.com'], ...options });
  }

  /** Collects events, and tells when one of a type has come. */
  function eventLog() {
    const events: DnsEvent[] = [];
    const waiting = new Map<string, () => void>();
    return {
      events,
      onEvent: (event: DnsEvent) => {
        events.push(event);
        waiting.get(event.type)?.();
      },
      next: (type: DnsEvent['type']) => new Promise<void>((resolve) => waiting.set(type, resolve)),
    };
  }

  test('a resolver that knows one of them is believed', async () => {
    const lookup = watched(await serve(internet));
    expect(lookup.health()).toMatchObject({ status: 'starting', canaries: ['gmail.com', 'outlook.com'] });
    await lookup.start();
    expect(lookup.health().status).toBe('ok');
    expect(await lookup.route('nowhere.test')).toEqual({ status: 'no-domain' });
  });

  test('a resolver that says NXDOMAIN to everything makes every answer unknown, at once', async () => {
    const server = await serve(nothing);
    const { events, onEvent } = eventLog();
    const lookup = watched(server, { onEvent });
    await lookup.start();
    expect(lookup.health().status).toBe('offline');
    const asked = server.questions.length;
    expect(lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'resolver-offline' });
    expect(server.questions).toHaveLength(asked);
    expect(events).toEqual([
      { type: 'resolver-offline', canaries: ['gmail.com', 'outlook.com'], servers: [server.address] },
    ]);
  });

  test.each(['REFUSED', 'SERVFAIL'] as const)('so does one that says %s', async (rcode) => {
    const lookup = watched(await serve({ '*': rcode }));
    await lookup.start();
    expect(lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'resolver-offline' });
  });

  test('so does one that is not there', async () => {
    const lookup = watched([await deadServer()], { budgetMs: 60_000 });
    await lookup.start();
    expect(lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'resolver-offline' });
  });

  test('so does one that sends every name to its sign-in page', async () => {
    const lookup = watched(await serve({ '*': { A: ['10.0.0.1'] } }));
    await lookup.start();
    expect(lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'resolver-offline' });
  });

  test('who asks before the first result waits for it', async () => {
    const lookup = watched(await serve(nothing));
    expect(await lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'resolver-offline' });
  });

  test('but not beyond the budget', async () => {
    const lookup = watched(await serve({ '*': 'silent' }), { budgetMs: 100 });
    expect(await lookup.route('a.test')).toMatchObject({ status: 'unknown' });
  });

  test('when the internet comes back, so do the answers', async () => {
    const server = await serve(nothing);
    const { onEvent, next } = eventLog();
    const lookup = watched(server, { onEvent, canaryRetryMs: [20, 20] });
    await lookup.start();
    const online = next('resolver-online');
    server.setZone(internet);
    await online;
    expect(lookup.health().status).toBe('ok');
    expect(await lookup.route('a.test')).toMatchObject({ status: 'found' });
  });

  test('a negative answer is not believed when the resolver has lost the internet since', async () => {
    let now = 0;
    const server = await serve(internet);
    const lookup = watched(server, { clock: () => now });
    expect(await lookup.route('a.test')).toMatchObject({ status: 'found' });
    server.setZone(nothing);
    now += 60_000;
    expect(await lookup.route('b.test')).toEqual({ status: 'unknown', reason: 'resolver-offline' });
    expect(lookup.health()).toMatchObject({ status: 'offline', since: 60_000 });
    expect(lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'resolver-offline' });
  });

  test('a burst of negative answers asks for the canaries again', async () => {
    const server = await serve(internet);
    const lookup = watched(server, { clock: () => 0 });
    await lookup.start();
    server.setZone(nothing);
    const statuses: string[] = [];
    for (let index = 0; index < 12; index++) statuses.push((await lookup.route(`d${index}.test`)).status);
    expect(statuses.slice(8)).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
  });

  test('ordinary misses on a good resolver ask for no canaries', async () => {
    const server = await serve(internet);
    const lookup = watched(server);
    await lookup.start();
    await lookup.route('nowhere.test');
    expect(server.timesAsked('gmail.com')).toBe(1);
  });

  test('a resolver that falls silent is found out, and nobody waits for it any more', async () => {
    let now = 0;
    const server = await serve(internet);
    const { onEvent, next } = eventLog();
    const lookup = watched(server, { budgetMs: 60, clock: () => now, onEvent });
    await lookup.start();
    server.setZone({ '*': 'silent' });
    now += 6_000;
    const offline = next('resolver-offline');
    await Promise.all(['c.test', 'd.test', 'e.test'].map((domain) => lookup.route(domain)));
    await offline;
    expect(lookup.route('f.test')).toEqual({ status: 'unknown', reason: 'resolver-offline' });
  });

  test('without canaries the resolver is believed', async () => {
    const lookup = lookUpThrough(await serve(nothing));
    await lookup.start();
    expect(lookup.health().status).toBe('unchecked');
    expect(await lookup.route('a.test')).toEqual({ status: 'no-domain' });
  });

  test('canaries get past a full queue', async () => {
    const server = await serve(internet);
    const lookup = watched(server, { maxInFlight: 1, maxWaiting: 0, budgetMs: 300 });
    server.setZone({ ...internet, 'slow.test': 'silent' });
    const slow = lookup.route('slow.test');
    await server.whenAsked('slow.test');
    expect(await lookup.route('b.test')).toEqual({ status: 'unknown', reason: 'not-asked' });
    await slow;
    expect(lookup.health().status).toBe('ok');
  });
});
