import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousViolations } from '../../dashboard/test/support/axe.ts';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { startService, type TestService } from './support/service.ts';

const folder = fileURLToPath(new URL('../dist/docs/', import.meta.url));
let service: TestService;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), launchChromium()]);
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

describe('the docs over HTTP', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${service.port}${path}`, { headers });

  it('have their front page at /docs, and the API reference one link away', async () => {
    const answer = await get('/docs');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await answer.text()).toContain('href="docs/api-reference.html"');
    const reference = await (await get('/docs/api-reference.html')).text();
    expect(reference).toContain('POST /validate');
  });

  it('have a content policy that allows no inline code and no other origin', async () => {
    const policy = (await get('/docs')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('answer with and without the ending, compressed, and 304 for what a browser has', async () => {
    expect((await get('/docs/api')).status).toBe(200);
    expect((await get('/docs/')).status).toBe(200);
    const answer = await service.ask({ path: '/docs/api.html', headers: { 'Accept-Encoding': 'gzip' } });
    expect(answer.headers['content-encoding']).toBe('gzip');
    // Node’s fetch adds `Cache-Control: no-cache` to a conditional request, which rules out a 304.
    const { etag = '' } = answer.headers;
    const again = { 'Accept-Encoding': 'gzip', 'If-None-Match': String(etag) };
    expect((await service.ask({ path: '/docs/api.html', headers: again })).status).toBe(304);
  });

  it.each(['nowhere', 'nowhere.html', '%2e%2e%2fmain.js', '..%2f..%2fpackage.json', 'a%00.html', 'assets'])(
    '/docs/%s is not found',
    async (path) => {
      const answer = await get(`/docs/${path}`);
      expect([answer.status, await answer.json()]).toEqual([404, { error: 'Not found' }]);
    },
  );
});

it('a person who follows a dead link gets a page, with the status that programs need', async () => {
  const answer = await fetch(`${service.url}/docs/guides/nowhere`, { headers: { Accept: 'text/html,*/*' } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(await answer.text()).toContain('There is no such page');
});

it('the pages are there as Markdown too, and llms.txt lists them', async () => {
  const list = await (await fetch(`${service.url}/docs/llms.txt`)).text();
  expect(list).toContain('- [Tutorial](tutorial.md)');
  const page = await fetch(`${service.url}/docs/tutorial.md`);
  expect(page.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(await page.text()).toContain('[Go live](go-live.md)');
});

it('an operator can download the files for Prometheus and Grafana', async () => {
  for (const name of ['prometheus.yml', 'postern.rules.yml', 'postern.json']) {
    const { status } = await fetch(`${service.url}/docs/files/${name}`);
    expect([name, status]).toEqual([name, 200]);
  }
});

describe('the docs in a browser', () => {
  const LOOKS = [
    { width: 390, colorScheme: 'dark' },
    { width: 1280, colorScheme: 'light' },
  ] as const;

  async function open(look: (typeof LOOKS)[number], use: (page: Page) => Promise<void>): Promise<void> {
    const viewport = { width: look.width, height: 844 };
    const context = await browser.newContext({ viewport, colorScheme: look.colorScheme });
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') refused.push(message.text());
    });
    try {
      await use(page);
      expect(refused).toEqual([]);
    } finally {
      await context.close();
    }
  }
  const at = (path: string) => `http://127.0.0.1:${service.port}${path}`;

  /** Pages with every kind of content: lists, tables, code, pictures, the reference. */
  const KINDS = ['index', 'api', 'api-reference', 'dashboard', 'guides/node', 'sdks'];

  it.each(LOOKS)('axe finds nothing serious at $width pixels, in $colorScheme', (look) =>
    open(look, async (page) => {
      for (const name of KINDS) {
        await page.goto(at(`/docs/${name}.html`));
        expect([name, await seriousViolations(page)]).toEqual([name, []]);
      }
    }),
  );

  it('the search finds a setting and opens its section', () =>
    open(LOOKS[1], async (page) => {
      await page.goto(at('/docs'));
      await page.keyboard.press('/');
      await page.keyboard.type('POSTERN_TRUSTED_PROXIES');
      const found = page
        .getByRole('search')
        .getByRole('link', { name: /HTTPS and proxies › Whose IP address/ });
      await found.waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await found.click();
      await page.waitForURL(at('/docs/https.html#whose-ip-address'));
    }));

  it.each([
    // And not “store”.
    ['tor', /IP networks|Feeds/],
    ['roles', /The dashboard/],
    ['webhooks', /^Webhooks, alerts and mail/],
    ['gdpr', /GDPR/],
    ['whitelist', /list/i],
    ['django', /Python/],
    ['fingerprinting', /fingerprint/i],
    ['unlimited quota', /quota/i],
    ['csp', /Go live|Questions/],
    ['supabase', /Supabase/],
    ['next.js', /Next/],
    ['nextjs', /Next/],
    ['node.js', /node/i],
    ['vue.js', /Vue/],
    ['clerk', /^Clerk/],
    ['okta', /Okta/],
    ['auth0', /^Auth0/],
    ['firebase', /^Firebase/],
    ['cognito', /Cognito/],
    ['keycloak', /^Keycloak/],
    ['kratos', /Ory|Sign-in servers/],
    ['one trial per person', /Claims|Free trials/],
  ])('the best result for “%s” fits', (words, wanted) =>
    open(LOOKS[1], async (page) => {
      await page.goto(at('/docs'));
      await page.keyboard.press('Control+k');
      await page.keyboard.type(words);
      const titles = page.locator('.results strong');
      await titles.first().waitFor();
      expect(await titles.first().textContent()).toMatch(wanted);
    }),
  );

  it('the colours can be chosen, and the choice stays', () =>
    open(LOOKS[1], async (page) => {
      await page.goto(at('/docs/api.html'));
      await page.getByRole('button', { name: 'Dark' }).click();
      await page.goto(at('/docs/sdks.html'));
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
      expect(await seriousViolations(page)).toEqual([]);
    }));

  it('install lines name the service that the reader uses', () =>
    open(LOOKS[1], async (page) => {
      await page.goto(at('/docs/guides/next.html'));
      const text = (await page.locator('pre').allTextContents()).join('\n');
      expect(text).toContain(`npm install "postern~sdk@${service.url}/sdk/postern-sdk-`);
      for (const [url] of text.matchAll(/http\S+\.tgz/g))
        expect([url, (await fetch(url)).status]).toEqual([url, 200]);
    }));

  it('the menu opens on a phone and leads to another page', () =>
    open(LOOKS[0], async (page) => {
      await page.goto(at('/docs/glossary.html'));
      const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Outcomes' });
      expect(await link.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Menu' }).click();
      await link.click();
      await page.waitForURL(at('/docs/outcomes.html'));
    }));

  it('the first Tab reaches the skip link, which leads to the content', () =>
    open(LOOKS[1], async (page) => {
      await page.goto(at('/docs/api.html'));
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.activeElement?.id === 'content');
    }));

  it('the pages can be read from a folder, with their search', () =>
    open(LOOKS[1], async (page) => {
      await page.goto(`file://${folder}index.html`);
      await page.getByRole('searchbox').fill('wilson');
      await page
        .getByRole('search')
        .getByRole('link', { name: /How the report counts/ })
        .click();
      await page.getByRole('heading', { name: /How the report counts/ }).waitFor();
    }));
});
