import type { Browser, BrowserContextOptions } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, bundlePageScript } from './support/bundle.ts';
import { launchChromium } from './support/chromium.ts';
import { type Site, startSite } from './support/site.ts';
import { allowed, type StubService, startStubService } from './support/stub-service.ts';

let browser: Browser;
let service: StubService;
let site: Site;

// With the default limit, a page on a busy machine would send no fingerprint.
const patient = 'timeoutMs: 60_000, fingerprintTimeoutMs: 60_000,';

const page = (
  options = '',
) => `<!doctype html><title>Sign up</title><script src="/postern.js"></script><script>
  const postern = Postern.createPosternClient({ baseUrl: '${service.url}', projectId: 'demo', apiKey: 'key', ${patient} ${options} });
</script>`;

beforeAll(async () => {
  service = await startStubService(() => allowed());
  browser = await launchChromium();
  const entry = new URL('../src/index.ts', import.meta.url).pathname;
  const chunks = await bundle(entry);
  const module = `<!doctype html><title>Sign up</title><script type="module">
    import { createPosternClient } from '/index.js';
    globalThis.postern = createPosternClient({ baseUrl: '${service.url}', projectId: 'demo', apiKey: 'key', ${patient} });
  </script>`;
  site = await startSite({
    '/': page(),
    '/off': page('fingerprint: false'),
    '/module': module,
    '/postern.js': await bundlePageScript(),
    ...Object.fromEntries(chunks.map(({ fileName, code }) => [`/${fileName}`, code])),
  });
});
afterAll(async () => {
  await browser.close();
  await site.close();
  await service.close();
});

/** One visit with a fresh profile, like a private window: the sent hash, and every requested URL. */
async function visit(options: BrowserContextOptions = {}, path = '/') {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  const opened = await context.newPage();
  const urls: string[] = [];
  opened.on('request', (request) => urls.push(request.url()));
  await opened.goto(site.origin + path);
  const sent = service.requests.length;
  await opened.evaluate("postern.validate('jane@example.com')");
  await context.close();
  return { hash: service.requests[sent]?.body.fingerprintHash, urls };
}

describe('the fingerprint', () => {
  it('is the same across page loads, private windows, languages, time zones and screens', async () => {
    const { hash: first } = await visit();
    expect(first).toMatch(/^b2_[0-9a-f]{32}$/);
    const others: BrowserContextOptions[] = [
      {},
      { locale: 'de-DE', timezoneId: 'Asia/Tokyo' },
      { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3 },
      { colorScheme: 'dark', reducedMotion: 'reduce', forcedColors: 'active' },
    ];
    for (const options of others) expect((await visit(options)).hash).toBe(first);
  });

  it('sends no request to any other host', async () => {
    const { urls } = await visit();
    const hosts = new Set(urls.map((url) => new URL(url).origin));
    expect([...hosts].sort()).toEqual([new URL(service.url).origin, site.origin].sort());
  });

  it('is in its own chunk in an app', async () => {
    const { hash, urls } = await visit({}, '/module');
    expect(hash).toMatch(/^b2_/);
    expect(urls.map((url) => new URL(url).pathname)).toEqual(
      expect.arrayContaining(['/index.js', '/fingerprint.js']),
    );
  });

  it('is not computed if the site switches it off', async () => {
    expect((await visit({}, '/off')).hash).toBeUndefined();
  });

  it('sends only its hash and none of its components', () => {
    for (const { body } of service.requests) {
      const fields = Object.keys(body).filter((name) => name !== 'fingerprintHash');
      expect(fields).toEqual(['email', 'sdkVersion']);
    }
  });
});
