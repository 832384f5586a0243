import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { addDashboardPages } from './pages.ts';

async function served(build: boolean) {
  const parent = await mkdtemp(join(tmpdir(), 'postern-pages-'));
  const folder = join(parent, 'dist');
  await mkdir(folder);
  await writeFile(join(parent, 'beside.txt'), 'not for everyone');
  if (build) {
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), '<!doctype html><title>Postern</title>');
    await writeFile(join(folder, 'assets', 'index-a1b2c3.js'), 'export {};');
    await writeFile(join(folder, 'icon.svg'), '<svg/>');
  }
  const server = Fastify({ exposeHeadRoutes: false });
  server.register(async (scope) => addDashboardPages(scope, `${folder}/`));
  onTestFinished(async () => {
    await server.close();
    await rm(parent, { recursive: true });
  });
  return (url: string) => server.inject({ url });
}

it('serves index.html for every page, uncached and with a strict policy', async () => {
  const get = await served(true);
  for (const path of ['/dashboard/', '/dashboard/projects/shop.example/keys', '/dashboard/setup']) {
    const answer = await get(path);
    expect([answer.statusCode, answer.body], path).toEqual([200, '<!doctype html><title>Postern</title>']);
    expect(answer.headers['cache-control']).toBe('no-cache');
    expect(answer.headers['content-type']).toContain('text/html');
    expect(answer.headers['content-security-policy']).toContain("script-src 'self';");
    expect(answer.headers['content-security-policy']).not.toContain('unsafe');
    expect(answer.headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  }
  expect((await get('/dashboard')).headers.location).toBe('/dashboard/');
});

it('lets browsers cache only content-hashed files, for a year', async () => {
  const get = await served(true);
  const script = await get('/dashboard/assets/index-a1b2c3.js');
  expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(script.headers['content-type']).toContain('javascript');
  expect((await get('/dashboard/icon.svg')).headers['cache-control']).toBe('public, max-age=0');
  expect((await get('/dashboard/assets/index-gone.js')).statusCode).toBe(404);
});

it('serves nothing from outside its folder', async () => {
  const get = await served(true);
  for (const path of [
    '/dashboard/../beside.txt',
    '/dashboard/..%2fbeside.txt',
    '/dashboard/%2e%2e/beside.txt',
  ])
    expect((await get(path)).body, path).not.toContain('not for everyone');
});

it('says what to do when there is no build', async () => {
  const answer = await (await served(false))('/dashboard/');
  expect(answer.statusCode).toBe(503);
  expect(answer.body).toContain('npm run build');
});
