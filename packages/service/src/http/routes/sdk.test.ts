import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fastify } from 'fastify';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Log } from '../../log.ts';
import { addSdkRoutes } from './sdk.ts';

let work: string;
beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), 'postern-sdk-routes-'));
});
afterEach(() => rm(work, { recursive: true, force: true }));

const integrityOf = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`;

/** A service of that version, with the data folder of the one before. */
async function startVersion(version: string) {
  const folder = join(work, version);
  await mkdir(folder, { recursive: true });
  const files = ['postern.js', `postern-sdk-node-${version}.tgz`].map((file) => ({
    file,
    text: `${file} of ${version}`,
  }));
  for (const { file, text } of files) await writeFile(join(folder, file), text);
  const listed = files.map(({ file, text }) => ({ file, bytes: text.length, integrity: integrityOf(text) }));
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ version, files: listed }));
  const server = fastify();
  const log = { warn: vi.fn() };
  const archive = join(work, 'data', 'sdk');
  await addSdkRoutes(server, pathToFileURL(`${folder}/`), archive, log as unknown as Log);
  await expect.poll(() => readdir(archive)).toContain(`postern-sdk-node-${version}.tgz`);
  await expect
    .poll(() => readdir(archive).then((names) => names.filter((name) => name.endsWith('.partial'))))
    .toEqual([]);
  const get = async (url: string) => {
    const { statusCode, body, headers } = await server.inject(url);
    return { status: statusCode, body, cache: headers['cache-control'], etag: headers.etag };
  };
  return { get, log, archive };
}

it('after an update, a page still gets the script that its integrity hash names, and npm the tarball', async () => {
  await startVersion('0.9.0');
  const { get, log } = await startVersion('0.10.0');
  const year = 'public, max-age=31536000, immutable';
  const etag = `"${integrityOf('postern.js of 0.9.0')}"`;
  expect(await get('/sdk/postern.js?v=0.9.0')).toEqual({
    status: 200,
    body: 'postern.js of 0.9.0',
    cache: year,
    etag,
  });
  expect(await get('/sdk/postern-sdk-node-0.9.0.tgz')).toMatchObject({
    body: 'postern-sdk-node-0.9.0.tgz of 0.9.0',
  });
  expect(await get('/sdk/postern.js?v=0.10.0')).toMatchObject({ body: 'postern.js of 0.10.0', cache: year });
  expect(await get('/sdk/postern-sdk-node-0.10.0.tgz')).toMatchObject({ status: 200 });
  expect(log.warn).not.toHaveBeenCalled();
});

it('gives the present script when the version is missing or unknown, and 404 for other files', async () => {
  const { get } = await startVersion('0.9.0');
  const short = 'public, max-age=300';
  for (const query of ['', '?v=0.1.0', '?v=../../etc/passwd', '?v=0.9.0&v=1'])
    expect(await get(`/sdk/postern.js${query}`)).toMatchObject({ body: 'postern.js of 0.9.0', cache: short });
  for (const file of ['other.js', 'manifest.json', 'postern-sdk-node-0.1.0.tgz', '..%2fmanifest.json'])
    expect(await get(`/sdk/${file}`)).toMatchObject({ status: 404 });
});

it('keeps the newest 20 versions', async () => {
  for (let minor = 0; minor < 21; minor += 1) await startVersion(`0.${minor}.0`);
  const { get, archive } = await startVersion('0.21.0');
  await expect.poll(async () => (await readdir(archive)).length).toBe(40);
  expect(await get('/sdk/postern-sdk-node-0.1.0.tgz')).toMatchObject({ status: 404 });
  expect(await get('/sdk/postern-sdk-node-0.2.0.tgz')).toMatchObject({ status: 200 });
});

it('serves the SDKs if the data folder cannot be written', async () => {
  await writeFile(join(work, 'data'), 'a file, not a folder');
  const folder = join(work, '1.0.0');
  await mkdir(folder);
  await writeFile(join(folder, 'postern.js'), 'script');
  const files = [{ file: 'postern.js', bytes: 6, integrity: integrityOf('script') }];
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ version: '1.0.0', files }));
  const server = fastify();
  const log = { warn: vi.fn() };
  await addSdkRoutes(server, pathToFileURL(`${folder}/`), join(work, 'data', 'sdk'), log as unknown as Log);
  await expect.poll(() => log.warn.mock.calls.length).toBe(1);
  expect((await server.inject('/sdk/postern.js')).body).toBe('script');
});
