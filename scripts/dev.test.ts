import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { launchChromium } from '../packages/sdk/test/support/chromium.ts';
import { freePort } from '../packages/service/test/support/free-port.ts';
import { ROOT } from './checkout.mjs';

let checkout: string;
let dev: ChildProcess;
let printed = '';
let url: string;
let browser: Browser;

/** A copy of this checkout with its build, so that the test can change files and nothing is built at the start. */
async function copyCheckout(): Promise<void> {
  checkout = await mkdtemp(join(tmpdir(), 'postern-dev-'));
  const left = /^(\.git|data|release|node_modules|packages\/[^/]+\/node_modules|\.postern-build\.lock)$/;
  await cp(ROOT, checkout, { recursive: true, filter: (path) => !left.test(relative(ROOT, path)) });
  await linkModules('node_modules');
  for (const name of await readdir(join(ROOT, 'packages'))) {
    const folder = join('packages', name, 'node_modules');
    if ((await readdir(join(ROOT, folder)).catch(() => [])).length > 0) await linkModules(folder);
  }
  await rm(join(checkout, 'node_modules/@postern'), { recursive: true });
  await mkdir(join(checkout, 'node_modules/@postern'));
  for (const name of await readdir(join(ROOT, 'node_modules/@postern')))
    await symlink(join(checkout, 'packages', name), join(checkout, 'node_modules/@postern', name));
}

/** A folder of its own, because Vite writes its cache there. */
async function linkModules(folder: string): Promise<void> {
  await mkdir(join(checkout, folder), { recursive: true });
  for (const name of await readdir(join(ROOT, folder)))
    if (!name.startsWith('.vite')) await symlink(join(ROOT, folder, name), join(checkout, folder, name));
}

async function change(file: string, from: string, to: string): Promise<void> {
  const path = join(checkout, file);
  const text = await readFile(path, 'utf8');
  expect(text, file).toContain(from);
  await writeFile(path, text.replace(from, to));
}

/** The text of an answer, or nothing while the service restarts. */
const answer = (path: string) =>
  fetch(url + path).then(
    (response) => response.text(),
    () => '',
  );

const answersWith = (path: string, text: string) => async () => (await answer(path)).includes(text);

beforeAll(async () => {
  await copyCheckout();
  const port = await freePort();
  const env = { ...process.env, POSTERN_PORT: String(await freePort()), POSTERN_FEEDS: 'off' };
  dev = spawn('npm', ['run', 'dev', '--', '--port', String(port)], { cwd: checkout, env });
  dev.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  dev.stderr?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  url = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => expect(printed).toContain('Postern is ready'), { timeout: 240_000, interval: 200 });
  browser = await launchChromium();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  if (dev !== undefined && dev.exitCode === null) {
    const ended = new Promise((resolve) => dev.once('exit', resolve));
    dev.kill('SIGTERM');
    await ended;
  }
  // A build that was under way may still write.
  await rm(checkout, { recursive: true, force: true, maxRetries: 20 });
});

/** Generous, because each change is compiled, and the machine may be busy. */
const WAIT = { timeout: 240_000, interval: 200 };
const HEALTH = 'packages/service/src/http/routes/health-probes.ts';

describe('npm run dev', { timeout: 300_000 }, () => {
  it('serves the service, the docs and the set-up link at one address', async () => {
    expect(await answer('/healthz')).toContain('alive');
    expect(await answer('/docs')).toContain('Postern docs');
    expect(printed).toContain(`${url}/dashboard/setup#token=`);
  });

  it('restarts the service when its code changes', async () => {
    await change(HEALTH, "status: 'alive'", "status: 'awake'");
    await expect.poll(answersWith('/healthz', 'awake'), WAIT).toBe(true);
  });

  it('keeps the service running while the code does not compile', async () => {
    await change(HEALTH, 'export function', 'export funktion');
    await expect.poll(() => printed, WAIT).toContain('The service keeps running without this change.');
    expect(await answer('/healthz')).toContain('awake');
  });

  it('shows a changed page of the dashboard in the open browser', async () => {
    const page = await browser.newPage();
    await page.goto(`${url}/dashboard/sign-in`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor(WAIT);
    await change(
      'packages/dashboard/src/pages/sign-in/sign-in-page.tsx',
      'title="Sign in"',
      'title="Come in"',
    );
    await page.getByRole('heading', { name: 'Come in' }).waitFor(WAIT);
  });

  it('builds the docs again when a page changes', async () => {
    await change('docs/glossary.md', '# ', '# A changed heading, ');
    await expect.poll(answersWith('/docs/glossary.html', 'A changed heading,'), WAIT).toBe(true);
  });
});
