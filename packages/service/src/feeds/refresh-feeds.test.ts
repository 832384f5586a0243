import { mkdtemp, readFile, rm, truncate } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadDomainList } from '../lookup/domain-list.ts';
import { loadIpRanges } from '../lookup/ip-ranges.ts';
import { parseIpAddress } from '../model/ip-address.ts';
import type { DomainSource } from './compile-domains.ts';
import { openFeedArchive } from './feed-archive.ts';
import type { FeedSource } from './feed-source.ts';
import { createFetchFeed } from './fetch-feed.ts';
import { type RefreshOptions, refreshFeeds } from './refresh-feeds.ts';

// Compiling the network data takes seconds, and much longer on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const DAY_MS = 24 * 60 * 60 * 1000;
const START = Date.UTC(2026, 10, 15);
let folder: string;
let server: Server;
let answer: RequestListener;
let requests: string[];
let now: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-feeds-'));
  requests = [];
  now = START;
  server = createServer((request, response) => {
    requests.push(`${request.url} ${request.headers['if-none-match'] ?? ''}`.trim());
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

const names = (count: number, start = 0) =>
  Array.from({ length: count }, (_, at) => `harbour${start + at}view.xyz`).join('\n');

function source(change: Partial<FeedSource> = {}): FeedSource {
  return {
    name: 'fresh',
    urls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}/list.txt`],
    format: 'domains',
    use: { list: 'domains', tier: 'curated' },
    licence: 'MIT',
    everyMs: DAY_MS,
    keepMs: 0,
    minEntries: 2,
    maxBytes: 100_000,
    optional: false,
    ...change,
  };
}

function refresh(
  sources: FeedSource[],
  {
    timeoutMs = 2_000,
    ...options
  }: Partial<Pick<RefreshOptions, 'force' | 'allowPrivate' | 'only' | 'acceptSize' | 'slowSourceWaitMs'>> & {
    timeoutMs?: number;
  } = {},
) {
  return refreshFeeds({
    sources,
    archive: openFeedArchive(folder, () => now),
    fetch: (url, known, wanted) => createFetchFeed()(url, known, { ...wanted, timeoutMs }),
    accessSpace: async () => ACCESS_SPACE,
    bundledDomains: async () => [BUNDLED],
    now: () => now,
    force: false,
    allowPrivate: true,
    bundledAt: 0,
    ...options,
  });
}

/** A small list instead of the bundled ones, which take seconds to compile. */
const BUNDLED: DomainSource = {
  name: 'bundled',
  tier: 'curated',
  date: '2026-09-01',
  domains: ['mailinator.com', 'gmail.com'],
};

/** In this test 90.0.0.0/8 is an access network. */
const ACCESS_SPACE = {
  ipv4: { first: Uint32Array.of(90 * 2 ** 24), last: Uint32Array.of(91 * 2 ** 24 - 1) },
};

const listed = async (domain: string) =>
  loadDomainList(await readFile(join(folder, 'domains.bin'))).lookup(domain)?.kind === 'listed';

describe('a healthy source', () => {
  it('is compiled into the data, on top of the bundled data', async () => {
    answer = (_, response) => response.end(`# a comment\n${names(50)}\n`);
    expect(await refresh([source()])).toEqual({
      changed: ['fresh'],
      unchanged: [],
      refused: {},
      gone: {},
      compiled: ['domains'],
      compileFailed: {},
    });
    expect(await listed('harbour7view.xyz')).toBe(true);
    expect(await listed('mailinator.com')).toBe(true);
    expect(await listed('gmail.com')).toBe(false);
  });

  it('is requested again only when it is due, with a conditional request', async () => {
    answer = (request, response) => {
      if (request.headers['if-none-match'] === '"v1"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"v1"' }).end(names(50));
    };
    await refresh([source()]);
    await refresh([source()]);
    expect(requests).toHaveLength(1);
    now += DAY_MS;
    expect(await refresh([source()])).toMatchObject({ unchanged: ['fresh'] });
    expect(requests[1]).toBe('/list.txt "v1"');
    const { sources } = await openFeedArchive(folder, () => now).status();
    expect(sources.fresh).toMatchObject({ contentAt: START, confirmedAt: now, entries: 50, error: null });
  });

  it('keeps dropped entries for its configured time', async () => {
    const keeping = source({ keepMs: 10 * DAY_MS });
    answer = (_, response) => response.end(names(50));
    await refresh([keeping]);
    now += 3 * DAY_MS;
    await refresh([keeping]);
    answer = (_, response) => response.end(names(50, 25));
    now += 9 * DAY_MS;
    await refresh([keeping]);
    expect(await listed('harbour3view.xyz')).toBe(true);
    answer = (_, response) => response.end(names(50, 26));
    now += 2 * DAY_MS;
    await refresh([keeping]);
    expect(await listed('harbour3view.xyz')).toBe(false);
    expect(await listed('harbour30view.xyz')).toBe(true);
  });

  it('of networks sets the class of its ranges', async () => {
    answer = (_, response) => response.end('81.2.69.0/24\n2a02:6b67::/48\n');
    await refresh([source({ format: 'cidrs', use: { list: 'networks', kind: 'tor' } })]);
    const ranges = loadIpRanges(await readFile(join(folder, 'networks.bin')));
    const kindOf = (text: string) => {
      const ip = parseIpAddress(text);
      return ip === undefined ? undefined : ranges.lookup(ip)?.kind;
    };
    expect([kindOf('81.2.69.7'), kindOf('2a02:6b67::1')]).toEqual(['tor', 'tor']);
    expect(kindOf('81.2.70.7')).not.toBe('tor');
  });

  it('with a network table replaces the bundled one, with the names that the rules know', async () => {
    answer = (_, response) => response.end(TABLE);
    expect(await refresh([tableSource()])).toMatchObject({ changed: ['fresh'] });
    const ranges = loadIpRanges(await readFile(join(folder, 'networks.bin')));
    const recordOf = (text: string) => {
      const ip = parseIpAddress(text);
      return ip === undefined ? undefined : ranges.lookup(ip);
    };
    expect(recordOf('81.2.69.7')).toMatchObject({ asn: 64_500, network: 'Example Hosting', kind: 'hosting' });
    expect(recordOf('2a02:6b67::1')).toMatchObject({ asn: 64_500, kind: 'hosting' });
    expect(recordOf('8.8.8.8')).toMatchObject({ network: 'Google LLC' });
    expect(recordOf('81.2.70.7')).toMatchObject({ asn: undefined });
    expect(ranges.version).toBe('networks-2026-11-15+2026-11-15');
  });

  it('of spared domains overrides aggregators, but not curated sources', async () => {
    answer = (request, response) => {
      if (request.url === '/spared') return response.end('harbour1view.xyz\nharbour2view.xyz\ngmail.com\n');
      return response.end(request.url === '/curated' ? names(2, 2) : names(50));
    };
    const at = (name: string, tier: 'curated' | 'aggregator' | 'spared') =>
      source({
        name,
        urls: [`${source().urls[0]?.replace('list.txt', name)}`],
        use: { list: 'domains', tier },
      });
    const sources = [at('gathered', 'aggregator'), at('curated', 'curated'), at('spared', 'spared')];
    const result = await refresh(sources);
    expect(result !== 'busy' && [...result.changed].sort()).toEqual(['curated', 'gathered', 'spared']);
    expect(await Promise.all([0, 1, 2].map((at) => listed(`harbour${at}view.xyz`)))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('that is refreshed alone keeps the others in the data', async () => {
    answer = (request, response) => response.end(names(50, request.url === '/other' ? 500 : 0));
    const other = source({ name: 'other', urls: [`${source().urls[0]?.replace('list.txt', 'other')}`] });
    await refresh([source(), other]);
    answer = (_, response) => response.end(names(51));
    expect(await refresh([source(), other], { force: true, only: ['fresh'] })).toMatchObject({
      changed: ['fresh'],
      unchanged: [],
    });
    expect([await listed('harbour50view.xyz'), await listed('harbour510view.xyz')]).toEqual([true, true]);
  });
});

/** Four networks, including the two that every table must have. */
const TABLE = [
  '16843008,16843263,13335,CLOUDFLARENET - Another Name For It',
  '134744064,134744319,15169,GOOGLE',
  '1359103232,1359103487,64500,Example Hosting',
  '55840138795011866015179092015347400704,55840138795013074940998706644522106879,64500,Example Hosting',
].join('\n');

const tableSource = () => source({ format: 'asn-csv', use: { list: 'networks', table: true } });

describe('an unhealthy source', () => {
  const first = async () => {
    answer = (_, response) => response.end(names(200));
    await refresh([source()]);
    now += DAY_MS;
  };

  it.each<[string, RegExp, RequestListener, Partial<FeedSource>?]>([
    ['errors', /answered 500/, (_, response) => response.writeHead(500).end()],
    [
      'is a web page',
      /web page/,
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(names(200)),
    ],
    ['is no list', /do not read/, (_, response) => response.end('{"error": "rate limited"}\n'.repeat(50))],
    ['is empty', /empty/, (_, response) => response.end('\n')],
    ['shrank', /shrank from 200 entries to 60/, (_, response) => response.end(names(60))],
    ['grew', /grew from 200 entries to 1500/, (_, response) => response.end(names(1_500))],
    ['is poisoned', /names gmail.com/, (_, response) => response.end(`${names(200)}\ngmail.com`)],
    [
      'is cut off',
      /ended after \d+ bytes/,
      (_, response) => {
        response.writeHead(200, { 'content-length': '99999' });
        response.write(names(10));
        response.socket?.end();
      },
    ],
    [
      'states too many bytes',
      /more than the 100000 allowed/,
      (_, response) => response.writeHead(200, { 'content-length': '200000' }).end(),
    ],
    [
      'sends too many bytes',
      /more than the 100000 bytes allowed/,
      (_, response) => {
        response.write('x'.repeat(150_000));
        response.end('x'.repeat(50_000));
      },
    ],
    ['never answers', /did not finish within 2 seconds/, () => {}],
    [
      'redirects to a private address',
      /private address/,
      (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/list.txt' }).end(),
    ],
    [
      'redirects to the cloud’s metadata',
      /private address/,
      (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
    ],
    [
      'redirects to a file',
      /not supported/,
      (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    ],
  ])('because it %s leaves the last good copy', async (_name, reason, misbehave) => {
    await first();
    answer = misbehave;
    const result = await refresh([source()]);
    expect(result).toMatchObject({ changed: [] });
    expect(result !== 'busy' && result.refused.fresh).toMatch(reason);
    expect(await listed('harbour150view.xyz')).toBe(true);
    const status = await openFeedArchive(folder, () => now).status();
    expect(status.sources.fresh).toMatchObject({ contentAt: START, triedAt: now, entries: 200, failures: 1 });
  });

  it('is retried early', async () => {
    answer = (_, response) => response.writeHead(503).end();
    await refresh([source()]);
    now += 29 * 60_000;
    await refresh([source()]);
    expect(requests).toHaveLength(1);
    now += 60_000;
    answer = (_, response) => response.end(names(50));
    expect(await refresh([source()])).toMatchObject({ changed: ['fresh'] });
  });

  it('is refused if it answers “not modified” to the first request', async () => {
    answer = (_, response) => response.writeHead(304).end();
    expect(await refresh([source()])).toMatchObject({
      refused: { fresh: expect.stringContaining('never fetched') },
    });
  });

  it('does not stop the others from being refreshed', async () => {
    answer = (request, response) =>
      request.url === '/bad' ? response.writeHead(404).end() : response.end(names(50));
    const bad = source({ name: 'bad', urls: [`${source().urls[0]?.replace('list.txt', 'bad')}`] });
    expect(await refresh([bad, source()])).toMatchObject({
      changed: ['fresh'],
      refused: { bad: 'answered 404: it no longer exists there' },
    });
  });

  it('at a private address is fetched only if it is the operator’s own', async () => {
    answer = (_, response) => response.end(names(50));
    const result = await refresh([source()], { allowPrivate: false });
    expect(result).toMatchObject({ refused: { fresh: expect.stringContaining('private address') } });
    expect(requests).toEqual([]);
  });

  it.each([
    ['is no table', /do not read/, () => TABLE.replaceAll(',', ';')],
    ['is out of order', /out of order/, () => TABLE.split('\n').reverse().join('\n')],
    ['moves a landmark', /8\.8\.8\.8 in network 15169/, () => TABLE.replace('15169', '64501')],
    [
      'has an impossible number',
      /5000000000, which cannot exist/,
      () => TABLE.replaceAll('64500', '5000000000'),
    ],
    ['lost a landmark', /1\.1\.1\.1 in network 13335/, () => TABLE.split('\n').slice(1).join('\n')],
  ])('leaves the table of networks as it was when the new one %s', async (_name, reason, text) => {
    answer = (_, response) => response.end(text());
    const result = await refresh([tableSource()]);
    expect(result !== 'busy' && result.refused.fresh).toMatch(reason);
    await expect(readFile(join(folder, 'networks.bin'))).rejects.toThrow();
  });

  it('is refused if it lists a network of half the internet', async () => {
    answer = (_, response) => response.end('0.0.0.0/1\n10.0.0.0/8\n');
    const result = await refresh([source({ format: 'cidrs', use: { list: 'networks', kind: 'vpn' } })]);
    expect(result).toMatchObject({ refused: { fresh: expect.stringContaining('far too large') } });
  });
});

describe('two concurrent refreshes', () => {
  it('become one', async () => {
    let release = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = (_, response) => {
        release = () => response.end(names(50));
        resolve();
      };
    });
    const one = refresh([source()]);
    await asked;
    expect(await refresh([source()])).toBe('busy');
    release();
    expect(await one).toMatchObject({ changed: ['fresh'] });
  });
});

const kindsOf = async (...addresses: string[]) => {
  const ranges = loadIpRanges(await readFile(join(folder, 'networks.bin')));
  return addresses.map((text) => {
    const ip = parseIpAddress(text);
    return ip === undefined ? undefined : ranges.lookup(ip)?.kind;
  });
};
const statusOf = () => openFeedArchive(folder, () => now).status();
const exits = (count: number) =>
  Array.from({ length: count }, (_, at) => `185.220.${at >> 8}.${at & 255}`).join('\n');

describe('a list of networks that covers too much', () => {
  const tor = (change: Partial<FeedSource> = {}) =>
    source({ format: 'cidrs', use: { list: 'networks', kind: 'tor' }, ...change });

  it('because whole /8s were added is refused', async () => {
    answer = (_, response) => response.end(exits(1_200));
    await refresh([tor()]);
    now += DAY_MS;
    const blocks = Array.from({ length: 222 }, (_, at) => `${at + 1}.0.0.0/8`).join('\n');
    answer = (_, response) => response.end(`${exits(1_200)}\n${blocks}\n`);
    expect(await refresh([tor()])).toMatchObject({
      refused: { fresh: expect.stringMatching(/^covers \d+ IPv4 addresses, more than the 65536/) },
    });
    expect(await kindsOf('185.220.1.1', '81.2.69.7')).toEqual(['tor', 'ordinary']);
  });

  it('because it names home networks is refused, though a few exits may be there', async () => {
    const homes = (count: number, prefix: number) =>
      Array.from({ length: count }, (_, at) => `90.${at}.0.0/${prefix}`).join('\n');
    answer = (_, response) => response.end(`${exits(1_200)}\n${homes(20, 32)}\n`);
    expect(await refresh([tor()])).toMatchObject({ changed: ['fresh'] });
    now += DAY_MS;
    answer = (_, response) => response.end(`${exits(1_200)}\n${homes(20, 24)}\n`);
    expect(await refresh([tor()])).toMatchObject({
      refused: { fresh: expect.stringMatching(/^covers 5120 addresses of home and mobile networks/) },
    });
  });

  it('compared with yesterday is refused', async () => {
    const vpn = source({ format: 'cidrs', use: { list: 'networks', kind: 'vpn' } });
    const servers = (prefix: number) =>
      Array.from({ length: 200 }, (_, at) => `45.${at}.0.0/${prefix}`).join('\n');
    answer = (_, response) => response.end(servers(22));
    await refresh([vpn]);
    now += DAY_MS;
    answer = (_, response) => response.end(servers(18));
    expect(await refresh([vpn])).toMatchObject({
      refused: { fresh: 'grew from 204800 IPv4 addresses to 3276800' },
    });
  });

  it('in IPv6 is refused', async () => {
    answer = (_, response) => response.end('2a02::/16\n2003::/16\n');
    expect(await refresh([tor()])).toMatchObject({
      refused: { fresh: expect.stringMatching(/IPv6 networks of \/64/) },
    });
  });
});

describe('a change of size', () => {
  it('in steps counts as one change', async () => {
    answer = (_, response) => response.end(names(1_000));
    await refresh([source()]);
    now += DAY_MS;
    answer = (_, response) => response.end(names(600));
    expect(await refresh([source()])).toMatchObject({ changed: ['fresh'] });
    now += DAY_MS;
    answer = (_, response) => response.end(names(330));
    expect(await refresh([source()])).toMatchObject({
      refused: { fresh: expect.stringMatching(/^shrank from 980 entries to 330$/) },
    });
  });

  it('that an operator accepts becomes the new baseline', async () => {
    answer = (_, response) => response.end(names(1_000));
    await refresh([source()]);
    now += DAY_MS;
    answer = (_, response) => response.end(names(100));
    expect(await refresh([source()])).toMatchObject({ changed: [] });
    expect(await refresh([source()], { force: true, acceptSize: true })).toMatchObject({
      changed: ['fresh'],
    });
    now += DAY_MS;
    answer = (_, response) => response.end(names(99));
    expect(await refresh([source()])).toMatchObject({ changed: ['fresh'] });
  });

  it('is all that an operator can accept: poisoned data is still refused', async () => {
    answer = (_, response) => response.end(`${names(100)}\ngmail.com`);
    expect(await refresh([source()], { acceptSize: true })).toMatchObject({
      refused: { fresh: 'names gmail.com' },
    });
  });
});

describe('an entry that a source no longer names', () => {
  const keeping = () => source({ keepMs: 180 * DAY_MS });
  const confidence = async (domain: string) => {
    const match = loadDomainList(await readFile(join(folder, 'domains.bin'))).lookup(domain);
    return match !== undefined && 'confidence' in match ? match.confidence : undefined;
  };

  it('is removed immediately if it was listed for only a day', async () => {
    answer = (_, response) => response.end(names(50));
    await refresh([keeping()]);
    now += DAY_MS;
    answer = (_, response) => response.end(`${names(50)}\nwithdrawn-harbour.com`);
    await refresh([keeping()]);
    expect(await listed('withdrawn-harbour.com')).toBe(true);
    now += DAY_MS;
    answer = (_, response) => response.end(names(50));
    await refresh([keeping()]);
    expect(await listed('withdrawn-harbour.com')).toBe(false);
  });

  it('is kept as weaker evidence if it was listed for long', async () => {
    for (const text of [names(50), names(50), names(50, 1)]) {
      answer = (_, response) => response.end(text);
      await refresh([keeping()]);
      now += 3 * DAY_MS;
    }
    expect(await confidence('harbour7view.xyz')).toBe('high');
    expect(await confidence('harbour0view.xyz')).not.toBe('high');
    expect(await listed('harbour0view.xyz')).toBe(true);
  });

  it('is dropped if it is an institution on the allow list', async () => {
    answer = (_, response) => response.end(`${names(50)}\nharvard.edu`);
    await refresh([keeping()]);
    expect(await confidence('harvard.edu')).not.toBe('high');
  });
});

describe('fetched data', () => {
  it('that was not compiled is compiled by the next refresh, even if nothing is due', async () => {
    answer = (_, response) => response.end(names(50));
    await refresh([source()]);
    const { contents } = (await statusOf()).lists.domains;
    expect(contents).toEqual({ fresh: START });
    await rm(join(folder, 'domains.bin'));
    expect(await refresh([source()])).toMatchObject({ changed: [], compiled: ['domains'] });
    expect(requests).toHaveLength(1);
    expect(await refresh([source()])).toMatchObject({ compiled: [] });
  });

  it('of more than sixteen sources is compiled', async () => {
    answer = ({ url = '' }, response) => response.end(names(50, 100 * Number(url.slice(1))));
    const many = Array.from({ length: 18 }, (_, at) =>
      source({ name: `own-${at}`, urls: [`${source().urls[0]?.replace('list.txt', String(at))}`] }),
    );
    const result = await refresh(many);
    expect(result).toMatchObject({ refused: {}, compiled: ['domains'], compileFailed: {} });
    expect(await listed('harbour1707view.xyz')).toBe(true);
  });

  it('that is damaged on disk is reported and replaced by the previous copy', async () => {
    const keeping = source({ keepMs: 180 * DAY_MS });
    for (const text of [names(200), names(200), names(200, 1), names(200, 2)]) {
      answer = (_, response) => response.end(text);
      await refresh([keeping]);
      now += 3 * DAY_MS;
    }
    await truncate(join(folder, 'fresh.feed.gz'), 500);
    const reported: string[] = [];
    const archive = openFeedArchive(folder, () => now, { onDamage: (_, message) => reported.push(message) });
    const count = await archive.read('fresh', () => {
      const entries: string[] = [];
      return { add: (entry) => void entries.push(entry), finish: () => entries.length };
    });
    expect(count?.content).toBe(201);
    expect(reported).toEqual([expect.stringMatching(/damaged .* The copy before it is used instead\./)]);
    expect(await refresh([keeping], { force: true })).toMatchObject({ changed: ['fresh'] });
    expect(await listed('harbour0view.xyz')).toBe(true);
  });
});

describe('a source that is gone', () => {
  it('is a warning when it is optional', async () => {
    answer = (_, response) => response.writeHead(410).end();
    expect(await refresh([source({ optional: true })])).toMatchObject({
      refused: {},
      gone: { fresh: 'answered 410: it no longer exists there' },
    });
    expect((await statusOf()).sources.fresh).toMatchObject({ gone: true, failures: 1 });
  });
});

describe('slow sources', () => {
  it('do not delay a good one', async () => {
    const release: (() => void)[] = [];
    answer = (request, response) => {
      if (request.url === '/list.txt') response.end(names(50));
      else release.push(() => response.end(names(50, 500)));
    };
    const slow = [1, 2, 3].map((at) =>
      source({ name: `slow-${at}`, urls: [`${source().urls[0]?.replace('list.txt', `slow-${at}`)}`] }),
    );
    const refreshing = refresh([...slow, source()], { slowSourceWaitMs: 50, timeoutMs: 60_000 });
    await expect.poll(() => listed('harbour7view.xyz').catch(() => false), { timeout: 25_000 }).toBe(true);
    expect(release).toHaveLength(3);
    for (const finish of release) finish();
    expect(await refreshing).toMatchObject({ refused: {}, compiled: ['domains'] });
    expect(await listed('harbour510view.xyz')).toBe(true);
  });
});
