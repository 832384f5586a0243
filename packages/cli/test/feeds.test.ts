import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freshFolder, posternOn } from './support/postern.ts';

// Each refresh compiles the whole domain list, which takes a long time on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

/** A mirror on loopback with one good source and one that does not exist. */
async function settingsWithMirror(): Promise<Record<string, string>> {
  const mirror = createServer((request, response) => {
    if (request.url !== '/good.txt') return response.writeHead(404).end();
    return response
      .setHeader('content-type', 'text/plain')
      .end('throwaway-one.example\nthrowaway-two.example\n');
  });
  await new Promise<void>((resolve) => mirror.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void mirror.close());
  const { port } = mirror.address() as AddressInfo;
  const folder = await freshFolder();
  const source = (name: string) => ({
    name,
    url: `http://127.0.0.1:${port}/${name}.txt`,
    format: 'domains',
    use: { list: 'domains', tier: 'curated' },
  });
  await writeFile(join(folder, 'sources.json'), JSON.stringify([source('good'), source('gone')]));
  return { POSTERN_DATA_DIR: folder, POSTERN_FEEDS: join(folder, 'sources.json') };
}

test('refresh fetches one source, and status shows the age of each', async () => {
  const postern = posternOn(await settingsWithMirror());
  const refreshed = await postern('feeds', 'refresh', 'good', '--json');
  expect(refreshed.error).toBe('');
  expect(refreshed.json).toEqual({
    changed: ['good'],
    unchanged: [],
    refused: {},
    gone: {},
    compiled: ['domains'],
    compileFailed: {},
  });
  const status = await postern('feeds', 'status', '--json');
  expect(status.json).toMatchObject([
    { name: 'good', list: 'domains', entries: 2, stale: false, error: null },
    { name: 'gone', fetchedAt: null, stale: true },
  ]);
  expect((await postern('feeds', 'status')).out).toMatch(
    /^good +domains +2 +(just now|\d+ min ago) +fresh$/m,
  );
});

test('a source that fails is named, and the exit code says so', async () => {
  const postern = posternOn(await settingsWithMirror());
  const { code, out, error } = await postern('feeds', 'refresh');
  expect(code).toBe(1);
  expect(error).toMatch(/^good: changed, 2 entries$/m);
  expect(error).toMatch(/^gone: refused: /m);
  expect(out).toBe('1 changed, 0 unchanged, 1 refused.\n');
});

test('an unknown source and feeds that are off are usage errors', async () => {
  const settings = await settingsWithMirror();
  expect((await posternOn(settings)('feeds', 'refresh', 'nobody')).error).toMatch(/good, gone/);
  const off = await posternOn({ ...settings, POSTERN_FEEDS: 'off' })('feeds', 'refresh');
  expect([off.code, off.out]).toEqual([2, '']);
  expect(off.error).toMatch(/POSTERN_FEEDS/);
});

test('fetched data can be moved in a file to a machine with feeds off', async () => {
  const settings = await settingsWithMirror();
  const online = posternOn(settings);
  const file = join(await freshFolder(), 'feeds.bundle');
  const early = await online('feeds', 'export', file);
  expect([early.code, early.error]).toEqual([1, expect.stringMatching(/feeds refresh/)]);
  await online('feeds', 'refresh', 'good');
  expect((await online('feeds', 'export', file, '--json')).json).toMatchObject({ sources: ['good'] });

  const elsewhere = { ...settings, POSTERN_DATA_DIR: await freshFolder() };
  const offline = posternOn(elsewhere);
  const imported = await offline('feeds', 'import', file);
  expect([imported.code, imported.out]).toEqual([0, '1 changed, 0 unchanged, 0 refused.\n']);
  expect((await offline('feeds', 'import', file, '--json')).json).toMatchObject({ unchanged: ['good'] });
  expect((await offline('feeds', 'status')).out).toMatch(
    /^good +domains +2 +(just now|\d+ min ago) +fresh$/m,
  );
  const verdict = await posternOn({ ...elsewhere, POSTERN_FEEDS: 'off' })(
    'check',
    'someone@throwaway-one.example',
    '--json',
  );
  expect(verdict.json).toMatchObject({ results: [{ checks: { disposable: { pass: false } } }] });
});

test('an import says what is wrong with its file', async () => {
  const postern = posternOn(await settingsWithMirror());
  const folder = await freshFolder();
  expect((await postern('feeds', 'import', join(folder, 'missing'))).code).toBe(2);
  const file = join(folder, 'not-a-bundle');
  await writeFile(file, 'hello');
  const { code, error } = await postern('feeds', 'import', file);
  expect([code, error]).toEqual([1, expect.stringMatching(/not a bundle of feeds/)]);
});

test('accept takes a list whose size changed, and writes to the audit log', async () => {
  let count = 1_000;
  const mirror = createServer((_, response) =>
    response.end(Array.from({ length: count }, (_, at) => `harbour${at}view.xyz`).join('\n')),
  );
  await new Promise<void>((resolve) => mirror.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void mirror.close());
  const folder = await freshFolder();
  const url = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/`;
  const own = { name: 'own', url, format: 'domains', use: { list: 'domains', tier: 'curated' } };
  await writeFile(join(folder, 'sources.json'), JSON.stringify([own]));
  const postern = posternOn({
    POSTERN_DATA_DIR: folder,
    POSTERN_FEEDS: join(folder, 'sources.json'),
  });
  await postern('feeds', 'refresh');
  count = 100;
  expect((await postern('feeds', 'refresh')).error).toMatch(/shrank from 1000 entries to 100/);
  expect((await postern('feeds', 'accept', 'nobody')).code).toBe(2);
  const accepted = await postern('feeds', 'accept', 'own', '--json');
  expect([accepted.code, accepted.json]).toEqual([
    0,
    expect.objectContaining({ changed: ['own'], entriesBefore: 1_000, entries: 100 }),
  ]);
  const { openStore } = await import('@postern/service/open-store');
  const { readConfig } = await import('@postern/service/config');
  const store = await openStore(readConfig({ POSTERN_DATA_DIR: folder }));
  onTestFinished(() => store.close());
  expect(await store.audit.page(null, 1, null)).toMatchObject([
    { actor: 'cli', action: 'feed.accept', detail: { source: 'own', entriesBefore: 1_000, entries: 100 } },
  ]);
});

test('refresh goes through the proxy of the settings, which resolves the names of sources', async () => {
  const asked: (string | undefined)[] = [];
  const proxy = createServer().on('connect', ({ url }, socket) => {
    asked.push(url);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const folder = await freshFolder();
  const use = { list: 'domains', tier: 'curated' };
  const source = { name: 'outside', url: 'https://lists.example/a.txt', format: 'domains', use };
  await writeFile(join(folder, 'sources.json'), JSON.stringify([source]));
  const { code, error } = await posternOn({
    POSTERN_DATA_DIR: folder,
    POSTERN_FEEDS: join(folder, 'sources.json'),
    https_proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  })('feeds', 'refresh');
  expect([code, asked]).toEqual([1, ['lists.example:443']]);
  expect(error).toContain('the proxy of HTTPS_PROXY answered 403');
});
