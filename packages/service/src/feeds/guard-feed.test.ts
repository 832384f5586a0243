import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  DAY_MS,
  feeds,
  kindsOf,
  listed,
  names,
  refresh,
  serveFeeds,
  source,
} from '../../test/support/feed-fixture.ts';
import { loadDomainList } from '../lookup/domain-list.ts';
import type { FeedSource } from './feed-source.ts';

serveFeeds();

const exits = (count: number) =>
  Array.from({ length: count }, (_, at) => `185.220.${at >> 8}.${at & 255}`).join('\n');

describe('a list of networks that covers too much', () => {
  const tor = (change: Partial<FeedSource> = {}) =>
    source({ format: 'cidrs', use: { list: 'networks', kind: 'tor' }, ...change });

  it('because whole /8s were added is refused', async () => {
    feeds.answer = (_, response) => response.end(exits(1_200));
    await refresh([tor()]);
    feeds.now += DAY_MS;
    const blocks = Array.from({ length: 222 }, (_, at) => `${at + 1}.0.0.0/8`).join('\n');
    feeds.answer = (_, response) => response.end(`${exits(1_200)}\n${blocks}\n`);
    expect(await refresh([tor()])).toMatchObject({
      refused: { fresh: expect.stringMatching(/^covers \d+ IPv4 addresses, more than the 65536/) },
    });
    expect(await kindsOf('185.220.1.1', '81.2.69.7')).toEqual(['tor', 'ordinary']);
  });

  it('because it names home networks is refused, though a few exits may be there', async () => {
    const homes = (count: number, prefix: number) =>
      Array.from({ length: count }, (_, at) => `90.${at}.0.0/${prefix}`).join('\n');
    feeds.answer = (_, response) => response.end(`${exits(1_200)}\n${homes(20, 32)}\n`);
    expect(await refresh([tor()])).toMatchObject({ changed: ['fresh'] });
    feeds.now += DAY_MS;
    feeds.answer = (_, response) => response.end(`${exits(1_200)}\n${homes(20, 24)}\n`);
    expect(await refresh([tor()])).toMatchObject({
      refused: { fresh: expect.stringMatching(/^covers 5120 addresses of home and mobile networks/) },
    });
  });

  it('compared with yesterday is refused', async () => {
    const vpn = source({ format: 'cidrs', use: { list: 'networks', kind: 'vpn' } });
    const servers = (prefix: number) =>
      Array.from({ length: 200 }, (_, at) => `45.${at}.0.0/${prefix}`).join('\n');
    feeds.answer = (_, response) => response.end(servers(22));
    await refresh([vpn]);
    feeds.now += DAY_MS;
    feeds.answer = (_, response) => response.end(servers(18));
    expect(await refresh([vpn])).toMatchObject({
      refused: { fresh: 'grew from 204800 IPv4 addresses to 3276800' },
    });
  });

  it('in IPv6 is refused', async () => {
    feeds.answer = (_, response) => response.end('2a02::/16\n2003::/16\n');
    expect(await refresh([tor()])).toMatchObject({
      refused: { fresh: expect.stringMatching(/IPv6 networks of \/64/) },
    });
  });

  it('in the IPv6 of home networks is refused, though a few exits may be there', async () => {
    const homes = (count: number, prefix: number) =>
      Array.from({ length: count }, (_, at) => `2003:${at}::/${prefix}`).join('\n');
    feeds.answer = (_, response) => response.end(`${exits(1_200)}\n${homes(20, 64)}\n`);
    expect(await refresh([tor()])).toMatchObject({ changed: ['fresh'] });
    feeds.now += DAY_MS;
    feeds.answer = (_, response) => response.end(`${exits(1_200)}\n${homes(20, 56)}\n`);
    expect(await refresh([tor()])).toMatchObject({
      refused: { fresh: expect.stringMatching(/^covers 5120 IPv6 networks of \/64 in home and mobile/) },
    });
  });
});

describe('a change of size', () => {
  it('in steps counts as one change', async () => {
    feeds.answer = (_, response) => response.end(names(1_000));
    await refresh([source()]);
    feeds.now += DAY_MS;
    feeds.answer = (_, response) => response.end(names(600));
    expect(await refresh([source()])).toMatchObject({ changed: ['fresh'] });
    feeds.now += DAY_MS;
    feeds.answer = (_, response) => response.end(names(330));
    expect(await refresh([source()])).toMatchObject({
      refused: { fresh: expect.stringMatching(/^shrank from 980 entries to 330$/) },
    });
  });

  it('that an operator accepts becomes the new baseline', async () => {
    feeds.answer = (_, response) => response.end(names(1_000));
    await refresh([source()]);
    feeds.now += DAY_MS;
    feeds.answer = (_, response) => response.end(names(100));
    expect(await refresh([source()])).toMatchObject({ changed: [] });
    expect(await refresh([source()], { force: true, acceptSize: true })).toMatchObject({
      changed: ['fresh'],
    });
    feeds.now += DAY_MS;
    feeds.answer = (_, response) => response.end(names(99));
    expect(await refresh([source()])).toMatchObject({ changed: ['fresh'] });
  });

  it('is all that an operator can accept: poisoned data is still refused', async () => {
    feeds.answer = (_, response) => response.end(`${names(100)}\ngmail.com`);
    expect(await refresh([source()], { acceptSize: true })).toMatchObject({
      refused: { fresh: 'names gmail.com' },
    });
  });
});

describe('an entry that a source no longer names', () => {
  const keeping = () => source({ keepMs: 180 * DAY_MS });
  const confidence = async (domain: string) => {
    const match = loadDomainList(await readFile(join(feeds.folder, 'domains.bin'))).lookup(domain);
    return match !== undefined && 'confidence' in match ? match.confidence : undefined;
  };

  it('is removed immediately if it was listed for only a day', async () => {
    feeds.answer = (_, response) => response.end(names(50));
    await refresh([keeping()]);
    feeds.now += DAY_MS;
    feeds.answer = (_, response) => response.end(`${names(50)}\nwithdrawn-harbour.com`);
    await refresh([keeping()]);
    expect(await listed('withdrawn-harbour.com')).toBe(true);
    feeds.now += DAY_MS;
    feeds.answer = (_, response) => response.end(names(50));
    await refresh([keeping()]);
    expect(await listed('withdrawn-harbour.com')).toBe(false);
  });

  it('is kept as weaker evidence if it was listed for long', async () => {
    for (const text of [names(50), names(50), names(50, 1)]) {
      feeds.answer = (_, response) => response.end(text);
      await refresh([keeping()]);
      feeds.now += 3 * DAY_MS;
    }
    expect(await confidence('harbour7view.xyz')).toBe('high');
    expect(await confidence('harbour0view.xyz')).not.toBe('high');
    expect(await listed('harbour0view.xyz')).toBe(true);
  });

  it('is dropped if it is an institution on the allow list', async () => {
    feeds.answer = (_, response) => response.end(`${names(50)}\nharvard.edu`);
    await refresh([keeping()]);
    expect(await confidence('harvard.edu')).not.toBe('high');
  });
});
