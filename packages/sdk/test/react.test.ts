import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium } from './support/chromium.ts';
import { buildApp } from './support/framework-apps.ts';
import { type Site, startSite } from './support/site.ts';
import {
  allowed,
  blocked,
  type StubAnswer,
  type StubService,
  startStubService,
} from './support/stub-service.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

describe.each(['React 18', 'React 19'] as const)('with %s', (framework) => {
  let files: Record<string, string>;
  let html: string;
  let service: StubService;
  let site: Site;
  let page: Page;
  let answer: StubAnswer;
  const trouble: string[] = [];

  beforeAll(async () => {
    const chunks = await buildApp(framework, 'react-forms.tsx');
    files = Object.fromEntries(chunks.map(({ fileName, code }) => [`/${fileName}`, code]));
    html = await renderOnServer(framework);
  });
  beforeEach(async () => {
    answer = allowed();
    service = await startStubService(() => answer);
    const pageWith = (
      content: string,
    ) => `<!doctype html><html lang="en"><title>Sign up</title><link rel="icon" href="data:,"><div id="root">${content}</div>
      <script>globalThis.baseUrl = '${service.url}'</script><script type="module" src="/app.js"></script>`;
    site = await startSite({ '/': pageWith(''), '/rendered': pageWith(html), ...files });
    page = await (await browser.newContext({ locale: 'en-US' })).newPage();
    trouble.length = 0;
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('console', (line) => line.type() === 'error' && trouble.push(line.text()));
  });
  afterEach(async () => {
    await page.context().close();
    await site.close();
    await service.close();
  });

  const open = async (form: string, path = '/') => {
    await page.goto(`${site.origin}${path}#${form}`);
    await page.waitForFunction('globalThis.hydrated');
  };
  const send = () => page.click('text=Send');
  const sent = async (count: number) => {
    await page.waitForFunction((wanted) => Reflect.get(globalThis, 'sent').length === wanted, count);
    return (await page.evaluate('sent')) as Record<string, string | null>[];
  };
  const isVerdict = (text: string | null | undefined) => expect(text?.split('.')).toHaveLength(3);

  it('a form that the server rendered is hydrated without a warning, and what was typed before counts', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/app.js', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${site.origin}/rendered#PlainForm`, { waitUntil: 'commit' });
    await page.fill('[name=email]', 'jane@example.com');
    release();
    await page.waitForFunction('globalThis.hydrated');
    expect(await page.evaluate('globalThis.reactVersion')).toMatch(framework.slice(-2));
    await send();
    expect((await sent(1))[0]).toMatchObject({ email: 'jane@example.com' });
    expect(trouble).toEqual([]);
  });

  it('a controlled field gets the corrected address, and the app’s own value is checked', async () => {
    await open('ControlledForm');
    await page.fill('[name=email]', 'janedoe@gmial.com');
    await page.press('[name=email]', 'Tab');
    await page.click('text=Use janedoe@gmail.com');
    expect(await page.textContent('output')).toBe('janedoe@gmail.com');
    expect(await page.inputValue('[name=email]')).toBe('janedoe@gmail.com');
    await page.click('text=Set');
    await send();
    const [first] = await sent(1);
    expect(first?.email).toBe('set@example.com');
    isVerdict(first?.['postern-verdict']);
    expect(service.requests.at(-1)?.body.email).toBe('set@example.com');
    expect(trouble).toEqual([]);
  });

  it('react-hook-form sees only an address that may pass, with a new verdict each time', async () => {
    answer = blocked();
    await open('HookForm');
    await page.fill('[name=email]', 'x@mailinator.com');
    await send();
    await page.getByText('Please use a permanent email address.').waitFor();
    answer = allowed();
    await page.fill('[name=email]', 'jane@example.com');
    await page.fill('[name=name]', 'Jane');
    await send();
    await sent(1);
    await send();
    const [first, second] = await sent(2);
    expect(first).toMatchObject({ email: 'jane@example.com', name: 'Jane' });
    isVerdict(first?.verdict);
    isVerdict(second?.verdict);
    expect(second?.verdict).not.toBe(first?.verdict);
  });

  it.runIf(framework === 'React 19')('a form action gets the verdict', async () => {
    await open('ActionForm');
    await send();
    const [first] = await sent(1);
    expect(first?.email).toBe('jane@example.com');
    isVerdict(first?.['postern-verdict']);
  });
});

async function renderOnServer(framework: 'React 18' | 'React 19'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-react-'));
  try {
    for (const { fileName, code } of await buildApp(framework, 'react-server.ts', 'node')) {
      await writeFile(join(folder, fileName), code);
    }
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const rendered: { html: string } = await import(pathToFileURL(join(folder, 'app.js')).href);
    return rendered.html;
  } finally {
    await rm(folder, { recursive: true });
  }
}
