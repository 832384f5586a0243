import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  DAY_MS,
  feeds,
  listed,
  names,
  refresh,
  START,
  serveFeeds,
  source,
  TABLE,
  tableSource,
} from '../../test/support/feed-fixture.ts';
import { openFeedArchive } from './feed-archive.ts';
import type { FeedSource } from './feed-source.ts';

serveFeeds();

describe('an unhealthy source', () => {
  const first = async () => {
    feeds.answer = (_, response) => response.end(names(200));
    await refresh([source()]);
    feeds.now += DAY_MS;
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
    feeds.answer = misbehave;
    const result = await refresh([source()]);
    expect(result).toMatchObject({ changed: [] });
    expect(result !== 'busy' && result.refused.fresh).toMatch(reason);
    expect(await listed('harbour150view.xyz')).toBe(true);
    const status = await openFeedArchive(feeds.folder, () => feeds.now).status();
    expect(status.sources.fresh).toMatchObject({
      contentAt: START,
      triedAt: feeds.now,
      entries: 200,
      failures: 1,
    });
  });

  it('is retried early', async () => {
    feeds.answer = (_, response) => response.writeHead(503).end();
    await refresh([source()]);
    feeds.now += 29 * 60_000;
    await refresh([source()]);
    expect(feeds.requests).toHaveLength(1);
    feeds.now += 60_000;
    feeds.answer = (_, response) => response.end(names(50));
    expect(await refresh([source()])).toMatchObject({ changed: ['fresh'] });
  });

  it('is refused if it answers “not modified” to the first request', async () => {
    feeds.answer = (_, response) => response.writeHead(304).end();
    expect(await refresh([source()])).toMatchObject({
      refused: { fresh: expect.stringContaining('never fetched') },
    });
  });

  it('does not stop the others from being refreshed', async () => {
    feeds.answer = (request, response) =>
      request.url === '/bad' ? response.writeHead(404).end() : response.end(names(50));
    const bad = source({ name: 'bad', urls: [`${source().urls[0]?.replace('list.txt', 'bad')}`] });
    expect(await refresh([bad, source()])).toMatchObject({
      changed: ['fresh'],
      refused: { bad: 'answered 404: it no longer exists there' },
    });
  });

  it('at a private address is fetched only if it is the operator’s own', async () => {
    feeds.answer = (_, response) => response.end(names(50));
    const result = await refresh([source()], { allowPrivate: false });
    expect(result).toMatchObject({ refused: { fresh: expect.stringContaining('private address') } });
    expect(feeds.requests).toEqual([]);
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
    feeds.answer = (_, response) => response.end(text());
    const result = await refresh([tableSource()]);
    expect(result !== 'busy' && result.refused.fresh).toMatch(reason);
    await expect(readFile(join(feeds.folder, 'networks.bin'))).rejects.toThrow();
  });

  it('is refused if it lists a network of half the internet', async () => {
    feeds.answer = (_, response) => response.end('0.0.0.0/1\n10.0.0.0/8\n');
    const result = await refresh([source({ format: 'cidrs', use: { list: 'networks', kind: 'vpn' } })]);
    expect(result).toMatchObject({ refused: { fresh: expect.stringContaining('far too large') } });
  });
});
