import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { BundledTables } from '../../src/feeds/bundled-networks.ts';
import type { DomainSource } from '../../src/feeds/compile-domains.ts';
import { openFeedArchive } from '../../src/feeds/feed-archive.ts';
import type { FeedSource } from '../../src/feeds/feed-source.ts';
import { createFetchFeed } from '../../src/feeds/fetch-feed.ts';
import { createRangeTableReader } from '../../src/feeds/read-range-csv.ts';
import { type RefreshOptions, refreshFeeds } from '../../src/feeds/refresh-feeds.ts';
import { loadDomainList } from '../../src/lookup/domain-list.ts';
import { loadIpRanges } from '../../src/lookup/ip-ranges.ts';
import { parseIpAddress } from '../../src/model/ip-address.ts';

export const DAY_MS = 24 * 60 * 60 * 1000;
export const START = Date.UTC(2026, 10, 15);

/** Before each test a new folder, and a server that answers as the test says. */
export interface FeedFixture {
  folder: string;
  answer: RequestListener;
  requests: string[];
  now: number;
}

export const feeds: FeedFixture = { folder: '', answer: () => {}, requests: [], now: START };
let server: Server;

/** Call it once in each test file. */
export function serveFeeds(): void {
  beforeEach(async () => {
    feeds.folder = await mkdtemp(join(tmpdir(), 'postern-feeds-'));
    feeds.requests = [];
    feeds.now = START;
    server = createServer((request, response) => {
      feeds.requests.push(`${request.url} ${request.headers['if-none-match'] ?? ''}`.trim());
      feeds.answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(feeds.folder, { recursive: true });
  });
}

export const names = (count: number, start = 0) =>
  Array.from({ length: count }, (_, at) => `harbour${start + at}view.xyz`).join('\n');

export function source(change: Partial<FeedSource> = {}): FeedSource {
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

export function refresh(
  sources: FeedSource[],
  {
    timeoutMs = 2_000,
    ...options
  }: Partial<
    Pick<
      RefreshOptions,
      'force' | 'allowPrivate' | 'only' | 'acceptSize' | 'slowSourceWaitMs' | 'bundledNetworks'
    >
  > & { timeoutMs?: number } = {},
) {
  return refreshFeeds({
    sources,
    archive: openFeedArchive(feeds.folder, () => feeds.now),
    fetch: (url, known, wanted) => createFetchFeed()(url, known, { ...wanted, timeoutMs }),
    accessSpace: async () => ACCESS_SPACE,
    bundledDomains: async () => [BUNDLED],
    bundledNetworks: () => NETWORKS,
    now: () => feeds.now,
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

/** Three networks instead of the bundled ones, for the same reason. */
export const NETWORKS: BundledTables = {
  version: 'bundled-2026-09-01',
  networks: tableOf(
    '16843008,16843263,13335,"Cloudflare, Inc."',
    '134744064,134744319,15169,Google LLC',
    '1426063360,1426063615,64501,Example Telecom',
  ),
  countries: tableOf(),
};

function tableOf(...lines: string[]) {
  const reader = createRangeTableReader();
  for (const line of lines) reader.addIpv4(line);
  return reader.finish();
}

/** In these tests 90.0.0.0/8 and 2003::/16 are access networks. */
const ACCESS_SPACE = {
  ipv4: { first: Uint32Array.of(90 * 2 ** 24), last: Uint32Array.of(91 * 2 ** 24 - 1) },
  ipv6: {
    first: BigUint64Array.of(0x2003n << 48n),
    last: BigUint64Array.of((0x2004n << 48n) - 1n),
  },
};

export const listed = async (domain: string) =>
  loadDomainList(await readFile(join(feeds.folder, 'domains.bin'))).lookup(domain)?.kind === 'listed';

export const kindsOf = async (...addresses: string[]) => {
  const ranges = loadIpRanges(await readFile(join(feeds.folder, 'networks.bin')));
  return addresses.map((text) => {
    const ip = parseIpAddress(text);
    return ip === undefined ? undefined : ranges.lookup(ip)?.kind;
  });
};
export const statusOf = () => openFeedArchive(feeds.folder, () => feeds.now).status();

/** Four networks, including the two that every table must have. */
export const TABLE = [
  '16843008,16843263,13335,CLOUDFLARENET - Another Name For It',
  '134744064,134744319,15169,GOOGLE',
  '1359103232,1359103487,64500,Example Hosting',
  '55840138795011866015179092015347400704,55840138795013074940998706644522106879,64500,Example Hosting',
].join('\n');

export const tableSource = () => source({ format: 'asn-csv', use: { list: 'networks', table: true } });
