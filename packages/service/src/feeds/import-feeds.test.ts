import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { NETWORKS } from '../../test/support/feed-fixture.ts';
import { loadDomainList } from '../lookup/domain-list.ts';
import { type FeedArchive, openFeedArchive } from './feed-archive.ts';
import { writeBundle } from './feed-bundle.ts';
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

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-feeds-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const archive = async (): Promise<FeedArchive> => openFeedArchive(await temporaryFolder(), () => NOW);

const accessSpace = async () => ({
  ipv4: { first: new Uint32Array(), last: new Uint32Array() },
  ipv6: { first: new BigUint64Array(), last: new BigUint64Array() },
});

async function keep(source: FeedSource, entries: string[], at: number, to: FeedArchive): Promise<void> {
  const fresh = { files: [entries], contentAt: at, validators: {} };
  await keepFeed(source, fresh, { archive: to, now: () => at, accessSpace });
}

const names = (start: number, count = 50) =>
  Array.from({ length: count }, (_, at) => `harbour${start + at}view.xyz`);

async function carry(from: FeedArchive, to: FeedArchive, sources = [FRESH, TABLE]) {
  const bundle = join(await temporaryFolder(), 'feeds.bundle');
  await writeBundle([FRESH, TABLE], from, bundle);
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
    bundledNetworks: () => NETWORKS,
  });

const linesOf = (from: FeedArchive, name: string) => [...from.entries(name)].map((seen) => seen.join(' '));

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
  expect(linesOf(here, 'fresh')).toEqual(linesOf(there, 'fresh'));
  expect(linesOf(here, 'table')).toHaveLength(2);
  const { sources, lists } = here.status();
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
  expect(linesOf(here, 'fresh').some((line) => line.startsWith('harbour100view.xyz '))).toBe(true);
});

test('data of an import that was killed before compiling is compiled by the next one', async () => {
  const [here, there] = [await archive(), await archive()];
  await keep(FRESH, names(0), NOW - DAY_MS, there);
  await keep(FRESH, names(0), NOW - DAY_MS, here);
  expect(here.status().lists.domains.contents).toEqual({});
  expect(await carry(there, here)).toMatchObject({ unchanged: ['fresh'], compiled: ['domains'] });
  expect(here.status().lists.domains.contents).toEqual({ fresh: NOW - DAY_MS });
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
  await keep(FRESH, names(0, 100), NOW, there);
  const poisoned = await changedBundle(there, `UPDATE entry SET text = 'gmail.com' WHERE position = 7`);
  expect(await importFrom(poisoned, here, [FRESH])).toMatchObject({ refused: { fresh: 'names gmail.com' } });
});

test('a fast clock on the other machine does not make data look fresher than now', async () => {
  const [here, there] = [await archive(), await archive()];
  await keep(FRESH, names(0), NOW + 400 * DAY_MS, there);
  await carry(there, here);
  expect(here.source('fresh').contentAt).toBe(NOW);
});

/** A file that an attacker changed with other tools. */
async function changedBundle(from: FeedArchive, statements: string): Promise<string> {
  const bundle = join(await temporaryFolder(), 'changed.bundle');
  await writeBundle([FRESH], from, bundle);
  const database = new Libsql(bundle);
  database.exec(statements);
  database.close();
  return bundle;
}

test('a bundle says nothing of the machine that it comes from', async () => {
  const there = await archive();
  await keep(FRESH, names(0), NOW - DAY_MS, there);
  await keep({ ...FRESH, name: 'private' }, names(500), NOW - DAY_MS, there);
  const validators = { 'https://lists.example/?token=hidden': { etag: '"v1"' } };
  there.noteSource('fresh', { validators, error: 'connect to proxy.inside failed' });
  there.noteRun('refreshing failed inside');
  const bundle = join(await temporaryFolder(), 'feeds.bundle');
  await writeFile(bundle, 'an older bundle');
  expect(await writeBundle([FRESH, TABLE], there, bundle)).toEqual(['fresh']);
  const bytes = await readFile(bundle, 'latin1');
  expect(bytes).toContain('harbour7view.xyz');
  for (const inside of ['token=hidden', 'inside', 'harbour507view', 'private'])
    expect(bytes).not.toContain(inside);
  expect((await stat(bundle)).mode & 0o077).toBe(0);
});

test.each([
  ['is no database', () => writeFile, 'hello'],
  ['is empty', () => writeFile, ''],
])('a file that %s is not accepted as a bundle', async (_name, write, bytes) => {
  const [here, bundle] = [await archive(), join(await temporaryFolder(), 'odd')];
  await write()(bundle, bytes);
  await expect(importFrom(bundle, here, [FRESH])).rejects.toThrow('this is not a bundle of feeds');
});

test.each([
  ['has another table', 'CREATE TABLE more (a)'],
  ['has a trigger', 'CREATE TRIGGER t AFTER INSERT ON entry BEGIN SELECT 1; END'],
  [
    'has a view instead of a table',
    'DROP TABLE state; CREATE VIEW state AS SELECT name, facts AS value FROM source',
  ],
  ['has columns without limits', 'DROP TABLE state; CREATE TABLE state (name TEXT, value)'],
  ['has a time that is none', 'PRAGMA ignore_check_constraints = ON; UPDATE entry SET last_seen = -1'],
  [
    'has a line of any length',
    `PRAGMA ignore_check_constraints = ON; UPDATE entry SET text = hex(zeroblob(65536))`,
  ],
  [
    'has names for terminals',
    `PRAGMA ignore_check_constraints = ON; UPDATE source SET name = char(27) || '[2J'`,
  ],
])('a bundle that %s is refused', async (_name, statements) => {
  const [here, there] = [await archive(), await archive()];
  await keep(FRESH, names(0), NOW - DAY_MS, there);
  const bundle = await changedBundle(there, statements);
  await expect(importFrom(bundle, here, [FRESH])).rejects.toThrow('this is not a bundle of feeds');
  expect(here.status().sources).toEqual({});
});

test('a bundle that was cut off is refused', async () => {
  const [here, there] = [await archive(), await archive()];
  await keep(FRESH, names(0, 2_000), NOW - DAY_MS, there);
  const bundle = join(await temporaryFolder(), 'cut.bundle');
  await writeBundle([FRESH], there, bundle);
  await truncate(bundle, 20_000);
  await expect(importFrom(bundle, here, [FRESH])).rejects.toThrow('this is not a bundle of feeds');
});

test('a source of a bundle has as many bytes as a download may have, and history only of its format', async () => {
  const [here, there] = [await archive(), await archive()];
  await keep(FRESH, names(0), NOW - DAY_MS, there);
  const odd = await changedBundle(
    there,
    `INSERT INTO entry VALUES (1, 100, 'not a domain', 1, 2), (1, 101, 'earlier.example', ${NOW - 5 * DAY_MS}, ${NOW - 2 * DAY_MS})`,
  );
  expect(await importFrom(odd, here, [{ ...FRESH, maxBytes: 500 }])).toMatchObject({
    refused: { fresh: 'has more than the 500 bytes allowed' },
  });
  expect(await importFrom(odd, here, [FRESH])).toMatchObject({ changed: ['fresh'] });
  expect(linesOf(here, 'fresh').slice(50)).toEqual([
    `earlier.example ${NOW - 5 * DAY_MS} ${NOW - 2 * DAY_MS}`,
  ]);
});
