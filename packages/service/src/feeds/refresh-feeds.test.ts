import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import {
  DAY_MS,
  feeds,
  listed,
  names,
  refresh,
  START,
  serveFeeds,
  source,
  statusOf,
  TABLE,
  tableSource,
} from '../../test/support/feed-fixture.ts';
import { loadIpRanges } from '../lookup/ip-ranges.ts';
import { parseIpAddress } from '../model/ip-address.ts';
import { readBundledTables } from './bundled-networks.ts';
import { openFeedArchive } from './feed-archive.ts';

serveFeeds();

describe('a healthy source', () => {
  it('is compiled into the data, on top of the bundled data', async () => {
    feeds.answer = (_, response) => response.end(`# a comment\n${names(50)}\n`);
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
    feeds.answer = (request, response) => {
      if (request.headers['if-none-match'] === '"v1"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"v1"' }).end(names(50));
    };
    await refresh([source()]);
    await refresh([source()]);
    expect(feeds.requests).toHaveLength(1);
    feeds.now += DAY_MS;
    expect(await refresh([source()])).toMatchObject({ unchanged: ['fresh'] });
    expect(feeds.requests[1]).toBe('/list.txt "v1"');
    const { sources } = await openFeedArchive(feeds.folder, () => feeds.now).status();
    expect(sources.fresh).toMatchObject({
      contentAt: START,
      confirmedAt: feeds.now,
      entries: 50,
      error: null,
    });
  });

  it('keeps dropped entries for its configured time', async () => {
    const keeping = source({ keepMs: 10 * DAY_MS });
    feeds.answer = (_, response) => response.end(names(50));
    await refresh([keeping]);
    feeds.now += 3 * DAY_MS;
    await refresh([keeping]);
    feeds.answer = (_, response) => response.end(names(50, 25));
    feeds.now += 9 * DAY_MS;
    await refresh([keeping]);
    expect(await listed('harbour3view.xyz')).toBe(true);
    feeds.answer = (_, response) => response.end(names(50, 26));
    feeds.now += 2 * DAY_MS;
    await refresh([keeping]);
    expect(await listed('harbour3view.xyz')).toBe(false);
    expect(await listed('harbour30view.xyz')).toBe(true);
  });

  it('of networks sets the class of its ranges', async () => {
    feeds.answer = (_, response) => response.end('81.2.69.0/24\n2a02:6b67::/48\n');
    const tor = source({ format: 'cidrs', use: { list: 'networks', kind: 'tor' } });
    await refresh([tor], { bundledNetworks: readBundledTables });
    const ranges = loadIpRanges(await readFile(join(feeds.folder, 'networks.bin')));
    const kindOf = (text: string) => {
      const ip = parseIpAddress(text);
      return ip === undefined ? undefined : ranges.lookup(ip)?.kind;
    };
    expect([kindOf('81.2.69.7'), kindOf('2a02:6b67::1')]).toEqual(['tor', 'tor']);
    expect(kindOf('81.2.70.7')).not.toBe('tor');
    expect(kindOf('3.85.12.40')).toBe('hosting');
  });

  it('of Tor’s relays has the IPv6 addresses that they publish', async () => {
    const head = ['{"version":"8.0",', '"relays_published":"2026-11-15 00:00:00",', '"relays":['];
    const relays = Array.from(
      { length: 300 },
      (_, at) =>
        `{"or_addresses":["81.2.${at % 250}.7:9001","[2a02:6b67:${at.toString(16)}::1]:443"],"exit_addresses":["2a02:6b68:${at.toString(16)}::9"]},`,
    );
    const tail = ['],', '"bridges":[', ']}'];
    feeds.answer = (_, response) => response.end([...head, ...relays, ...tail].join('\n'));
    await refresh([source({ format: 'onionoo', use: { list: 'networks', kind: 'tor' } })]);
    const ranges = loadIpRanges(await readFile(join(feeds.folder, 'networks.bin')));
    const kinds = ['81.2.9.7', '2a02:6b67:12b::1', '2a02:6b68:12b::9', '81.2.9.8'].map((text) => {
      const ip = parseIpAddress(text);
      return ip && ranges.lookup(ip)?.kind;
    });
    expect(kinds).toEqual(['tor', 'tor', 'tor', 'ordinary']);
  });

  it('with a network table replaces the bundled one, with the names that the rules know', async () => {
    feeds.answer = (_, response) => response.end(TABLE);
    expect(await refresh([tableSource()])).toMatchObject({ changed: ['fresh'] });
    const ranges = loadIpRanges(await readFile(join(feeds.folder, 'networks.bin')));
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
    feeds.answer = (request, response) => {
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
    feeds.answer = (request, response) => response.end(names(50, request.url === '/other' ? 500 : 0));
    const other = source({ name: 'other', urls: [`${source().urls[0]?.replace('list.txt', 'other')}`] });
    await refresh([source(), other]);
    feeds.answer = (_, response) => response.end(names(51));
    expect(await refresh([source(), other], { force: true, only: ['fresh'] })).toMatchObject({
      changed: ['fresh'],
      unchanged: [],
    });
    expect([await listed('harbour50view.xyz'), await listed('harbour510view.xyz')]).toEqual([true, true]);
  });
});

test('a process that is killed while it refreshes gives its lock back at once', async () => {
  const archive = openFeedArchive(feeds.folder, () => feeds.now);
  const held = () => archive.exclusively(async () => archive.exclusively(async () => 'inner'));
  expect(await held()).toBe('busy');
  await expect(archive.exclusively(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const holds = `import Libsql from 'libsql';
    new Libsql(process.argv[1]).exec('BEGIN IMMEDIATE');
    console.log('held');
    setInterval(() => {}, 1000);`;
  const file = join(feeds.folder, 'refresh.lock');
  const child = spawn(process.execPath, ['--input-type=module', '-e', holds, file], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(await archive.exclusively(async () => 'done')).toBe('busy');
  child.kill('SIGKILL');
  await once(child, 'exit');
  await mkdir(join(feeds.folder, 'drafts'));
  await writeFile(join(feeds.folder, 'drafts', 'left'), 'of a killed refresh');
  expect(await archive.exclusively(() => readdir(join(feeds.folder, 'drafts')))).toEqual([]);
});

describe('two concurrent refreshes', () => {
  it('become one', async () => {
    let release = () => {};
    const asked = new Promise<void>((resolve) => {
      feeds.answer = (_, response) => {
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

describe('fetched data', () => {
  it('that was not compiled is compiled by the next refresh, even if nothing is due', async () => {
    feeds.answer = (_, response) => response.end(names(50));
    await refresh([source()]);
    const { contents } = (await statusOf()).lists.domains;
    expect(contents).toEqual({ fresh: START });
    await rm(join(feeds.folder, 'domains.bin'));
    expect(await refresh([source()])).toMatchObject({ changed: [], compiled: ['domains'] });
    expect(feeds.requests).toHaveLength(1);
    expect(await refresh([source()])).toMatchObject({ compiled: [] });
  });

  it('of more than sixteen sources is compiled', async () => {
    feeds.answer = ({ url = '' }, response) => response.end(names(50, 100 * Number(url.slice(1))));
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
      feeds.answer = (_, response) => response.end(text);
      await refresh([keeping]);
      feeds.now += 3 * DAY_MS;
    }
    const reported: string[] = [];
    const archive = openFeedArchive(
      feeds.folder,
      () => feeds.now,
      (message) => reported.push(message),
    );
    const damage = async () => {
      const database = await open(archive.file, 'r+');
      await database.write(Buffer.alloc(16_384, 7), 0, 16_384, 2_048);
      await database.close();
    };
    await damage();
    // Until then nothing is known, and the compiled list stays in use.
    expect(archive.status().sources).toEqual({});
    expect(await archive.exclusively(async () => [...archive.entries('fresh')].length)).toBe(202);
    expect(reported).toEqual([
      expect.stringMatching(/feeds\.db is damaged\. The copy before it is used instead\./),
    ]);
    expect(await refresh([keeping])).toMatchObject({ changed: ['fresh'], compiled: ['domains'] });
    expect(await listed('harbour0view.xyz')).toBe(true);
    await damage();
    await rm(join(feeds.folder, 'feeds.copy.db'));
    expect(await archive.exclusively(async () => archive.status().sources)).toEqual({});
    expect(reported[1]).toMatch(/All sources are fetched again/);
    expect(await refresh([keeping])).toMatchObject({ changed: ['fresh'], compiled: ['domains'] });
  });
});

describe('a source that is gone', () => {
  it('is a warning when it is optional', async () => {
    feeds.answer = (_, response) => response.writeHead(410).end();
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
    feeds.answer = (request, response) => {
      if (request.url === '/list.txt') response.end(names(50));
      else release.push(() => response.end(names(50, 500)));
    };
    const slow = [1, 2, 3].map((at) =>
      source({ name: `slow-${at}`, urls: [`${source().urls[0]?.replace('list.txt', `slow-${at}`)}`] }),
    );
    const refreshing = refresh([...slow, source()], { slowSourceWaitMs: 5_000, timeoutMs: 60_000 });
    await expect.poll(() => listed('harbour7view.xyz').catch(() => false)).toBe(true);
    expect(release).toHaveLength(3);
    for (const finish of release) finish();
    expect(await refreshing).toMatchObject({ refused: {}, compiled: ['domains'] });
    expect(await listed('harbour510view.xyz')).toBe(true);
  });
});
