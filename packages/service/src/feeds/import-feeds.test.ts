import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { loadDomainList } from '../lookup/domain-list.ts';
import { type FeedArchive, openFeedArchive } from './feed-archive.ts';
import { packFeeds, unpackFeeds } from './feed-bundle.ts';
import type { FeedSource } from './feed-source.ts';
import { importFeeds } from './import-feeds.ts';
import { keepFeed } from './keep-feed.ts';

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
};
const TABLE: FeedSource = {
  ...FRESH,
  name: 'table',
  format: 'asn-csv',
  use: { list: 'networks', table: true },
};
const TABLE_LINES = ['16843008,16843263,13335,Cloudflare', '134744064,134744319,15169,Google'];

async function archive(): Promise<FeedArchive> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-feeds-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return openFeedArchive(folder, () => NOW);
}

const keep = (source: FeedSource, entries: string[], at: number, to: FeedArchive) =>
  keepFeed(source, { entries, fetchedAt: at, validators: {} }, { archive: to, now: () => at });

const names = (start: number, count = 50) =>
  Array.from({ length: count }, (_, at) => `harbour${start + at}view.xyz`);

async function carry(from: FeedArchive, to: FeedArchive, sources = [FRESH, TABLE]) {
  const { bytes } = await packFeeds([FRESH, TABLE], from);
  return importFeeds({
    feeds: await unpackFeeds(bytes),
    sources,
    archive: to,
    now: () => NOW,
    bundledAt: 0,
  });
}

test('a bundle brings what another machine has, what it only keeps included, and its age', async () => {
  const [here, there] = [await archive(), await archive()];
  await keep(FRESH, names(0), NOW - 3 * DAY_MS, there);
  await keep(FRESH, names(25), NOW - DAY_MS, there);
  await keep(TABLE, TABLE_LINES, NOW - DAY_MS, there);
  expect(await carry(there, here)).toEqual({ changed: ['fresh', 'table'], unchanged: [], refused: {} });
  expect(await here.read('fresh')).toEqual({ ...(await there.read('fresh')), validators: {} });
  expect(await here.readTable('table')).toBe(TABLE_LINES.join('\n'));
  expect((await here.status()).fresh).toMatchObject({ fetchedAt: NOW - DAY_MS, triedAt: NOW, entries: 75 });
  const list = loadDomainList(await readFile(join(here.folder, 'domains.bin')));
  expect(list.lookup('harbour3view.xyz')?.kind).toBe('listed');
  expect(await readFile(join(here.folder, 'networks.bin'))).not.toHaveLength(0);
});

test('what is as new here stays', async () => {
  const [here, there] = [await archive(), await archive()];
  await keep(FRESH, names(0), NOW - DAY_MS, there);
  await keep(FRESH, names(100), NOW - DAY_MS, here);
  expect(await carry(there, here)).toEqual({ changed: [], unchanged: ['fresh'], refused: {} });
  expect((await here.read('fresh'))?.entries.has('harbour100view.xyz')).toBe(true);
});

test('the guards are those of a refresh, and a source that is unknown here is refused', async () => {
  const [here, there] = [await archive(), await archive()];
  await keep(FRESH, names(0, 200), NOW - 2 * DAY_MS, here);
  await keep(FRESH, names(0, 60), NOW - DAY_MS, there);
  await keep(TABLE, TABLE_LINES, NOW - DAY_MS, there);
  expect(await carry(there, here, [FRESH])).toEqual({
    changed: [],
    unchanged: [],
    refused: {
      fresh: 'shrank from 200 entries to 60',
      table: 'is no source that this installation knows',
    },
  });
  const poisoned = { name: 'fresh', fetchedAt: NOW, entries: [...names(0, 200), 'gmail.com'], kept: [] };
  const options = { sources: [FRESH], archive: here, now: () => NOW, bundledAt: 0 };
  expect(await importFeeds({ ...options, feeds: [poisoned] })).toMatchObject({
    refused: { fresh: 'names gmail.com' },
  });
});

test('a clock that is ahead elsewhere makes nothing look fresher than now', async () => {
  const [here, there] = [await archive(), await archive()];
  await keep(FRESH, names(0), NOW + 400 * DAY_MS, there);
  await carry(there, here);
  expect((await here.read('fresh'))?.fetchedAt).toBe(NOW);
});

test.each([
  ['is not packed', Buffer.from('{}'), /does not unpack/],
  ['is something else', gzipSync('{"format":"other"}'), /no bundle of feeds/],
  ['lost a part', gzipSync('{"format":"postern-feeds-1"}\n{"name":"fresh","fetch'), /damaged at source 1/],
  [
    'holds what is no entry',
    gzipSync('{"format":"postern-feeds-1"}\n{"name":"fresh","fetchedAt":1,"entries":[1],"kept":[]}'),
    /damaged at source 1/,
  ],
])('a file that %s is told apart from a bundle', async (_name, bytes, reason) => {
  await expect(unpackFeeds(bytes)).rejects.toThrow(reason);
});
