import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fastify } from 'fastify';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { addSdkRoutes } from '../../src/http/routes/sdk.ts';
import type { Log } from '../../src/log.ts';
import type { Store } from '../../src/store/store.ts';
import type { Stores } from './store-contract.ts';
import { SECOND, START } from './store-fixtures.ts';

const YEAR = 'public, max-age=31536000, immutable';
const SHORT = 'public, max-age=300';
const EXPRESS = {
  id: 'express',
  title: 'Express',
  page: 'script',
  packages: ['sdk-node'],
  files: [{ path: 'sign-up.js', code: 'expressGuard(postern)' }],
};
const sha = (algorithm: string, text: string) => createHash(algorithm).update(text);

const keptAs = (file: string, text: string) =>
  file.replace(/(?=\.[a-z]+$)/, `-${sha('sha256', text).digest('hex').slice(0, 16)}`);

/** What `scripts/pack-sdks.mjs` writes. */
async function writeBuild(folder: string, version: string, change: string) {
  const files = ['postern.js', `postern-sdk-node-${version}.tgz`].map((file) => {
    const text = `${file} of ${change}`;
    return {
      name: file.endsWith('.js') ? file : 'postern~sdk-node',
      file,
      keptAs: keptAs(file, text),
      bytes: text.length,
      integrity: `sha384-${sha('sha384', text).digest('base64')}`,
      text,
    };
  });
  for (const { file, text } of files) await writeFile(join(folder, file), text);
  const script = files[0]?.text ?? '';
  await writeFile(join(folder, 'postern.js.br'), brotliCompressSync(script));
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ version, files, frameworks: [EXPRESS] }));
}

export function sdkFilesContract(stores: Stores): void {
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

  /** A service with this build of the SDKs, started at `at`. */
  async function startBuild(store: Store, version: string, change: string, at = START) {
    const folder = await mkdtemp(join(tmpdir(), 'postern-sdk-routes-'));
    folders.push(folder);
    await writeBuild(folder, version, change);
    const server = fastify();
    const log = { warn: vi.fn() };
    const clock = { now: at };
    await addSdkRoutes(server, {
      folder: pathToFileURL(`${folder}/`),
      store: store.sdkFiles,
      publicUrl: undefined,
      log: log as unknown as Log,
      now: () => clock.now,
    });
    const get = async (url: string, headers: Record<string, string> = {}) => {
      const { statusCode, rawPayload, headers: answered } = await server.inject({ url, headers });
      return { status: statusCode, body: rawPayload, text: rawPayload.toString(), headers: answered };
    };
    const script = keptAs('postern.js', `postern.js of ${change}`);
    const byVersion = `postern-sdk-node-${version}.tgz`;
    const tarball = keptAs(byVersion, `${byVersion} of ${change}`);
    // Names of tarballs are answered when everything is kept.
    await get(`/sdk/${tarball}`);
    return { get, log, clock, script: `/sdk/${script}`, tarball: `/sdk/${tarball}` };
  }

  describe('the SDK files', () => {
    it('of a build stay when another build has the same version: pages and lock files have their hashes', async () => {
      const first = await startBuild(stores.store, '0.9.0', 'one');
      const second = await startBuild(stores.other, '0.9.0', 'another', START + SECOND);
      for (const { url, text } of [
        { url: first.script, text: 'postern.js of one' },
        { url: first.tarball, text: 'postern-sdk-node-0.9.0.tgz of one' },
        { url: second.script, text: 'postern.js of another' },
        { url: second.tarball, text: 'postern-sdk-node-0.9.0.tgz of another' },
        // The first content of a version keeps its name.
        { url: '/sdk/postern-sdk-node-0.9.0.tgz', text: 'postern-sdk-node-0.9.0.tgz of one' },
      ]) {
        const answer = await second.get(url);
        expect([answer.text, answer.headers['cache-control']]).toEqual([text, YEAR]);
      }
      const latest = await second.get('/sdk/postern.js');
      expect([latest.text, latest.headers['cache-control']]).toEqual(['postern.js of another', SHORT]);
      // The older process, still running, hears of the newer one’s files.
      first.clock.now += 10 * SECOND;
      expect((await first.get(second.script)).text).toBe('postern.js of another');
      expect([first.log.warn.mock.calls, second.log.warn.mock.calls]).toEqual([[], []]);
    });

    it('that are scripts are sent compressed, also those of an earlier build', async () => {
      const first = await startBuild(stores.store, '0.8.0', 'packed');
      const second = await startBuild(stores.other, '0.8.1', 'packed later');
      for (const url of [first.script, second.script, '/sdk/postern.js']) {
        const answer = await second.get(url, { 'accept-encoding': 'gzip, br' });
        expect(answer.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
        expect(brotliDecompressSync(answer.body).toString()).toMatch(/^postern\.js of packed/);
        const { status } = await second.get(url, {
          'accept-encoding': 'br',
          'if-none-match': String(answer.headers.etag),
        });
        expect(status).toBe(304);
      }
      const gzipped = await second.get(first.script, { 'accept-encoding': 'gzip' });
      expect(gunzipSync(gzipped.body).toString()).toBe('postern.js of packed');
      expect((await second.get(first.tarball)).headers).not.toHaveProperty('vary');
    });

    it('are nothing else: other names are answered 404', async () => {
      const { get } = await startBuild(stores.store, '0.7.0', 'plain');
      for (const name of [
        'other.js',
        'manifest.json',
        'postern.js.br',
        'postern-sdk-node-0.0.1.tgz',
        'postern-0000000000000000.js',
        '..%2fmanifest.json',
      ])
        expect([name, (await get(`/sdk/${name}`)).status]).toEqual([name, 404]);
    });

    it('are kept for the newest 20 builds', async () => {
      const later = START + 1_000 * SECOND;
      const first = await startBuild(stores.store, '1.0.0', 'build 0', later);
      for (let build = 1; build < 20; build += 1)
        await startBuild(stores.store, '1.0.0', `build ${build}`, later + build);
      const { get } = await startBuild(stores.other, '1.0.0', 'build 20', later + 20);
      // The first build’s tarball has the version’s name, so it stays; its script does not.
      expect((await get(first.script)).status).toBe(404);
      expect((await get('/sdk/postern-sdk-node-1.0.0.tgz')).text).toContain('build 0');
      expect((await stores.store.sdkFiles.names()).size).toBe(1 + 1 + 20 * 2);
    });

    it('are shown to people as a page with lines to paste, and to programs as JSON', async () => {
      const { get, script, tarball } = await startBuild(stores.store, '0.6.0', 'shown');
      const page = await get('/sdk', { accept: 'text/html', host: 'postern.test"><b>' });
      expect(page.headers['content-type']).toMatch('text/html');
      expect(page.text).not.toContain('<b>');
      const { text } = await get('/sdk', { accept: 'text/html', host: 'postern.test' });
      const spec = `&#34;postern~sdk-node@http://postern.test${tarball}&#34;`;
      for (const manager of ['npm install', 'pnpm add', 'yarn add'])
        expect(text).toContain(`${manager} ${spec}`);
      expect(text).toContain(`bun add &#34;http://postern.test${tarball}&#34;`);
      expect(text).toContain(`src=&#34;http://postern.test${script}&#34;`);
      expect(JSON.parse((await get('/sdk')).text)).toMatchObject({ version: '0.6.0' });
    });

    it('come with the steps for each framework, for coding assistants', async () => {
      const { get, script, tarball } = await startBuild(stores.store, '0.7.0', 'steps');
      const host = { host: 'postern.test' };
      expect((await get('/llms.txt', host)).text).toContain('[Express](http://postern.test/llms/express.md)');
      const { text, headers } = await get('/llms/express.md', host);
      expect(headers['content-type']).toMatch('text/plain');
      expect(text).toContain(`npm install "postern~sdk-node@http://postern.test${tarball}"`);
      expect(text).toContain('POSTERN_URL=http://postern.test');
      expect(text).toContain('expressGuard(postern)');
      expect(text).toContain(`src="http://postern.test${script}"`);
      expect((await get('/llms/rails.md', host)).status).toBe(404);
    });

    it('are served although they could not be kept', async () => {
      const broken = {
        ...stores.store,
        sdkFiles: { ...stores.store.sdkFiles, keep: () => Promise.reject(new Error('full')) },
      };
      const { get, log } = await startBuild(broken, '0.5.0', 'unkept');
      expect((await get('/sdk/postern-sdk-node-0.5.0.tgz')).text).toContain('unkept');
      expect(log.warn).toHaveBeenCalledOnce();
    });
  });
}
