import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SDK_VERSION } from '../../sdk-core/src/sdk-version.ts';
import { ensureBuilt, repository } from '../../sdk-core/test/support/built-sdks.ts';
import { allowed, type StubService, startStubService } from '../../sdk-core/test/support/stub-service.ts';
import { bundle } from './support/bundle.ts';
import { launchChromium } from './support/chromium.ts';
import { failFiles } from './support/failing-files.ts';
import { type Site, startSite } from './support/site.ts';

const run = promisify(execFile);

let folder: string;
let browser: Browser;
let service: StubService;
let site: Site;

const page = (script: string) => `<!doctype html><html lang="de"><title>Registrieren</title>
<form><input type="email" name="email"></form><script type="module">
  import { createPosternClient } from '${script}';
  globalThis.postern = createPosternClient({
    baseUrl: '${service.url}', projectId: 'demo', apiKey: 'key', timeoutMs: 60_000, fingerprintTimeoutMs: 60_000,
  });
  globalThis.attached = postern.attach('form');
</script></html>`;

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), 'postern-chunks-'));
  await run(process.execPath, ['scripts/pack-sdks.mjs', '--output', folder], { cwd: repository });
  await run('tar', ['xzf', `postern-sdk-browser-${SDK_VERSION}.tgz`], { cwd: folder });
  const published = join(folder, 'package');
  const names = readdirSync(published).filter((name) => name.endsWith('.js'));
  const bundled = await bundle(join(published, 'index.js'));
  service = await startStubService(() => allowed());
  browser = await launchChromium();
  site = await startSite({
    '/published': page('/published/index.js'),
    '/bundled': page('/bundled/index.js'),
    ...Object.fromEntries(
      names.map((name) => [`/published/${name}`, readFileSync(join(published, name), 'utf8')]),
    ),
    ...Object.fromEntries(bundled.map(({ fileName, code }) => [`/bundled/${fileName}`, code])),
  });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await service?.close();
  await rm(folder, { recursive: true });
});

describe.each(['/published', '/bundled'])('a chunk that could not be loaded, %s', (path) => {
  it('is loaded for the next validation, or for the form, in every browser', async () => {
    const context = await browser.newContext({ locale: 'en-US' });
    const opened = await context.newPage();
    const chunks = await failFiles(opened, /(fingerprint|languages)/);
    const failed = ['fingerprint', 'languages'].map((name) =>
      opened.waitForEvent('requestfailed', (request) => request.url().includes(name)),
    );
    await opened.goto(site.origin + path);
    await Promise.all(failed);
    chunks.restore();
    const sent = service.requests.length;
    await opened.evaluate("postern.validate('john@example.com')");
    expect(service.requests[sent]?.body.fingerprintHash).toMatch(/^b2_/);
    await opened.getByRole('textbox').fill('jane@');
    await opened.keyboard.press('Tab');
    await opened.getByText('Bitte geben Sie eine E-Mail-Adresse ein').first().waitFor();
    await context.close();
  });
});
