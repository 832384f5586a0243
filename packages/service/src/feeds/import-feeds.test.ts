import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { loadDomainList } from '../lookup/domain-list.ts';
import { type EntryCollector, type FeedArchive, openFeedArchive } from './feed-archive.ts';
import { packFeeds, unpackFeeds } from './feed-bundle.ts';
import type { FeedSource } from './feed-source.ts';
import { importFeeds } from './import-feeds.ts';
import { keepFeed } from './keep-feed.ts';

vi.setConfig({ testTimeout: 180_000 });

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 15);

const FRESH: FeedSource = {
  name: 'fresh',
  urls: ['https://lists.example/fresh.txt'],
  format: 'domains',
  use: { list: 'domains', tier: 'curated' },
  licence: 'MIT',
  everyMs: DAY_MS,
  keepMs: 10 * DAY_MS,
  minEntries: 2,
  maxBytes: 100_000,
  optional: false,
};
const TABLE: FeedSource = {
  ...FRESH,
  name: 'table',
  format: 'asn-csv',
  use: { list: 'networks', table: true },
  keepMs: 0,
};
const TABLE_LINES = ['16843008,16843263,13335,Cloudflare', '134744064,134744319,15169,Google'];

async function archive(): Promise<FeedArchive> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-feeds-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return openFeedArchive(folder, () => NOW);
}

const accessSpace = async () => ({
  ipv4: { first: new Uint32Array(), last: new Uint32Array() },
  ipv6: { first: new BigUint64Array(), last: new BigUint64Array() },
});

async function keep(source: FeedSource, entries: string[], at: number, to: FeedArchive): Promise<void> {
  const file = join(await mkdtemp(join(tmpdir(), 'postern-list-')), 'list');
  await writeFile(file, entries.join('\n'));
  const fresh = { files: [file], contentAt: at, validators: {} };
  await keepFeed(source, fresh, { archive: to, now: () => at, accessSpace });
}

const names = (start: number, count = 50) =>
  Array.from({ length: count }, (_, at) => `harbour${start + at}view.xyz`);

async function carry(from: FeedArchive, to: FeedArchive, sources = [FRESH, TABLE]) {
  const bundle = from.draft();
  await packFeeds([FRESH, TABLE], from, bundle);
  return importFrom(bundle, to, sources);
}

const importFrom = (bundle: string, to: FeedArchive, sources: FeedSource[]) =>
  importFeeds({
    bundle,
    sources,
    archive: to,
    now: () => NOW,
    bundledAt: 0,
    force: true,
    accessSpace,
    bundledDomains: async () => [],
  });

const collectLines = (): EntryCollector<string[]> => {
  const lines: string[] = [];
  return { add: (...seen) => void lines.push(seen.join(' ')), finish: () => lines };
};
const linesOf = async (from: FeedArchive, name: string) => (await from.read(name, collectLines))?.content;

test('a bundle contains what another machine has, including kept entries and the age', async () => {
  const [here, there] = [await archive(), await archive()];
  await keep(FRESH, names(0), NOW - 8 * DAY_MS, there);
  await keep(FRESH, names(0), NOW - 5 * DAY_MS, there);
  await keep(FRESH, names(25), NOW - DAY_MS, there);
  await keep(TABLE, TABLE_LINES, NOW - DAY_MS, there);
  expect(await carry(there, here)).toEqual({
    changed: ['fresh', 'table'],
    unchanged: [],
    refused: {},
    gone: {},
    compiled: ['domains', 'networks'],
    compileFailed: {},
  });
  expect(await linesOf(here, 'fresh')).toEqual(await linesOf(there, 'fresh'));
  expect(await linesOf(here, 'table')).toHaveLength(2);
  const { sources, lists } = await here.status();
  expect(sources.fresh).toMatchObject({ contentAt: NOW - DAY_MS, triedAt: NOW, entries: 75 });
  expect(lists.domains.contents).toEqual({ fresh: NOW - DAY_MS });
  const list = loadDomainList(await readFile(join(here.folder, 'domains.bin')));
  expect(list.lookup('harbour3view.xyz')?.kind).toBe('listed');
  expect(await readFile(join(here.folder, 'networks.bin'))).not.toHaveLength(0);
});

test('data that is equally new here stays', async () => {
  const [here, there] = [await archive(), await archive()];
  await keep(FRESH, names(0), NOW - DAY_MS, there);
  await keep(FRESH, names(100), NOW - DAY_MS, here);
  expect(await carry(there, here)).toMatchObject({ changed: [], unchanged: ['fresh'], refused: {} });
  expect((await linesOf(here, 'fresh'))?.some((line) => line.startsWith('harbour100view.xyz '))).toBe(true);
});

test('data of an import that was killed before compiling is compiled by the next one', async () => {
  const [here, there] = [await archive(), await archive()];
  await keep(FRESH, names(0), NOW - DAY_MS, there);
  await keep(FRESH, names(0), NOW - DAY_MS, here);
  expect((await here.status()).lists.domains.contents).toEqual({});
  expect(await carry(there, here)).toMatchObject({ unchanged: ['fresh'], compiled: ['domains'] });
  expect((await here.status()).lists.domains.contents).toEqual({ fresh: NOW - DAY_MS });
});

test('an import has the same guards as a refresh, and refuses unknown sources', async () => {
  const [here, there] = [await archive(), await archive()];
  await keep(FRESH, names(0, 200), NOW - 2 * DAY_MS, here);
  await keep(FRESH, names(0, 60), NOW - DAY_MS, there);
  await keep(TABLE, TABLE_LINES, NOW - DAY_MS, there);
  expect(await carry(there, here, [FRESH])).toMatchObject({
    changed: [],
    unchanged: [],
    refused: {
      fresh: 'shrank from 200 entries to 60',
      table: 'is not a source that this installation knows',
    },
  });
  const poisoned = [...names(0, 200), 'gmail.com'];
  const bundle = there.draft();
  await writeFile(
    bundle,
    gzipSync(
      [
        '{"format":"postern-feeds-2"}',
        JSON.stringify({ source: 'fresh', contentAt: NOW, lines: poisoned.length }),
        ...poisoned,
        '',
      ].join('\n'),
    ),
  );
  expect(await importFrom(bundle, here, [FRESH])).toMatchObject({ refused: { fresh: 'names gmail.com' } });
});

test('a fast clock on the other machine does not make data look fresher than now', async () => {
  const [here, there] = [await archive(), await archive()];
  await keep(FRESH, names(0), NOW + 400 * DAY_MS, there);
  await carry(there, here);
  expect((await here.header('fresh'))?.contentAt).toBe(NOW);
});

test.each([
  ['is not packed', Buffer.from('{}'), /cannot be unpacked/],
  ['is something else', gzipSync('{"format":"other"}'), /not a bundle of feeds/],
  ['is empty', gzipSync(''), /not a bundle of feeds/],
  [
    'lost a part',
    gzipSync('{"format":"postern-feeds-2"}\n{"source":"fresh","contentAt":1,"lines":9}\na.example\n'),
    /cut off in fresh/,
  ],
  [
    'was cut off',
    gzipSync(`{"format":"postern-feeds-2"}\n${names(0, 9_000).join('\n')}`).subarray(0, 5_000),
    /cannot be unpacked|damaged/,
  ],
  [
    'holds what is no source',
    gzipSync('{"format":"postern-feeds-2"}\n{"source":1,"contentAt":1,"lines":9}\n'),
    /damaged/,
  ],
])('a file that %s is not accepted as a bundle', async (_name, bytes, reason) => {
  const here = await archive();
  const bundle = here.draft();
  await writeFile(bundle, bytes);
  const read = async () => {
    for await (const packed of unpackFeeds(bundle, here.draft)) expect(packed.name).toBe('');
  };
  await expect(read()).rejects.toThrow(reason);
});
