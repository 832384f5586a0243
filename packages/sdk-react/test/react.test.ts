import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright';
import type { OutputChunk } from 'rolldown';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium } from '../../sdk-browser/test/support/chromium.ts';
import { type Site, startSite } from '../../sdk-browser/test/support/site.ts';
import {
  allowed,
  blocked,
  type StubAnswer,
  type StubService,
  startStubService,
} from '../../sdk-core/test/support/stub-service.ts';
import { buildApp } from './support/build-app.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

describe.each([18, 19] as const)('with React %i', (version) => {
  let service: StubService;
  let site: Site;
  let page: Page;
  let answer: StubAnswer | Promise<StubAnswer>;
  let chunks: OutputChunk[];
  let html: string;
  const problems: string[] = [];

  beforeAll(async () => {
    chunks = await buildApp(version, 'client.ts');
    html = await renderOnServer(version);
  });
  beforeEach(async () => {
    answer = allowed();
    problems.length = 0;
    service = await startStubService(() => answer);
    site = await startSite({
      '/': `<!doctype html><title>Sign up</title><link rel="icon" href="data:,"><div id="root">${html}</div>
        <script>globalThis.baseUrl = '${service.url}'</script><script type="module" src="/client.js"></script>`,
      ...Object.fromEntries(chunks.map(({ fileName, code }) => [`/${fileName}`, code])),
    });
    const context = await browser.newContext({ locale: 'en-US' });
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(site.origin);
    await page.waitForFunction('globalThis.hydrated');
  });
  afterEach(async () => {
    await page.context().close();
    await site.close();
    await service.close();
  });

  const status = (expected: string) =>
    page.waitForFunction((wanted) => document.querySelector('output')?.textContent === wanted, expected);

  it('renders on the server and hydrates without warnings', async () => {
    expect(await page.evaluate('globalThis.reactVersion')).toMatch(new RegExp(`^${version}\\.`));
    await page.fill('#hook input', 'jane@example.com');
    expect(await page.inputValue('#hook input')).toBe('jane@example.com');
    expect(problems).toEqual([]);
  });

  it('passes a good address and its verdict to the app', async () => {
    await page.fill('#hook input', 'jane@example.com');
    await page.click('text=Sign up');
    await page.waitForFunction('globalThis.signUps.length === 1');
    const [signUp] = (await page.evaluate('globalThis.signUps')) as [string, string][];
    expect(signUp?.[0]).toBe('jane@example.com');
    expect(signUp?.[1].split('.')).toHaveLength(3);
  });

  it('does not pass a blocked address to the app and shows why', async () => {
    answer = blocked();
    await page.fill('#hook input', 'x@mailinator.com');
    await page.click('text=Sign up');
    await status('blocked');
    expect(await page.textContent('#hook [role=status]')).toBe('Please use a permanent email address.');
    expect(await page.getAttribute('#hook input', 'aria-invalid')).toBe('true');
    const describedBy = await page.getAttribute('#hook input', 'aria-describedby');
    expect(await page.getAttribute('#hook [role=status]', 'id')).toBe(describedBy);
    expect(await page.evaluate('globalThis.signUps')).toEqual([]);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email');
  });

  it('makes one sign-up of a double click, and asks again for the next one', async () => {
    let give: (given: StubAnswer) => void = () => {};
    answer = new Promise((resolve) => {
      give = resolve;
    });
    await page.fill('#hook input', 'jane@example.com');
    await page.click('text=Sign up');
    await page.click('text=Sign up');
    await status('checking');
    give(allowed());
    await page.waitForFunction('globalThis.signUps.length === 1');
    await page.click('text=Sign up');
    await page.waitForFunction('globalThis.signUps.length === 2');
    const signUps = (await page.evaluate('globalThis.signUps')) as [string, string][];
    expect(signUps[1]?.[1]).not.toBe(signUps[0]?.[1]);
    expect(service.requests).toHaveLength(2);
  });

  it('validates what was typed before hydration, and what a script filled in', async () => {
    const early = await page.context().newPage();
    const held: (() => Promise<void>)[] = [];
    await early.route('**/client.js', (route) => void held.push(() => route.continue()));
    await early.goto(site.origin, { waitUntil: 'commit' });
    await early.fill('#hook input', 'jane@example.com');
    for (const go of held) await go();
    await early.waitForFunction('globalThis.hydrated');
    await early.click('text=Sign up');
    await early.waitForFunction('globalThis.signUps.length === 1');
    expect(await early.evaluate('globalThis.signUps[0][0]')).toBe('jane@example.com');
    await early.evaluate(() => {
      const input = document.querySelector<HTMLInputElement>('#hook input');
      if (input !== null) input.value = 'joe@example.com';
    });
    await early.click('text=Sign up');
    await early.waitForFunction('globalThis.signUps.length === 2');
    expect(await early.evaluate('globalThis.signUps[1][0]')).toBe('joe@example.com');
  });

  it('offers the corrected address', async () => {
    await page.fill('#hook input', 'jane@gmial.com');
    await page.press('#hook input', 'Tab');
    await page.getByRole('button', { name: 'Use jane@gmail.com' }).click();
    await status('allowed');
    expect(await page.inputValue('#hook input')).toBe('jane@gmail.com');
  });

  it('works as a component too', async () => {
    answer = blocked();
    await page.fill('[name=second]', 'x@mailinator.com');
    await page.press('[name=second]', 'Tab');
    await page.getByText('Please use a permanent email address.').waitFor();
    expect(await page.getAttribute('[name=second]', 'aria-invalid')).toBe('true');
  });
});

async function renderOnServer(version: 18 | 19): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-react-'));
  try {
    for (const { fileName, code } of await buildApp(version, 'server.ts', 'node')) {
      await writeFile(join(folder, fileName), code);
    }
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const rendered: { html: string } = await import(pathToFileURL(join(folder, 'server.js')).href);
    return rendered.html;
  } finally {
    await rm(folder, { recursive: true });
  }
}
