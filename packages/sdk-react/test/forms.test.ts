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
  let answer: StubAnswer;
  let chunks: OutputChunk[];

  beforeAll(async () => {
    chunks = await buildApp(version, 'forms.tsx');
  });
  beforeEach(async () => {
    answer = allowed();
    service = await startStubService(() => answer);
    site = await startSite({
      '/': `<!doctype html><html lang="en"><title>Sign up</title><link rel="icon" href="data:,"><div id="root"></div>
        <script>globalThis.baseUrl = '${service.url}'</script><script type="module" src="/forms.js"></script>`,
      ...Object.fromEntries(chunks.map(({ fileName, code }) => [`/${fileName}`, code])),
    });
    page = await (await browser.newContext({ locale: 'en-US' })).newPage();
  });
  afterEach(async () => {
    await page.context().close();
    await site.close();
    await service.close();
  });

  const open = async (form: string) => {
    await page.goto(`${site.origin}/#${form}`);
    await page.waitForSelector('form');
  };
  const send = () => page.click('text=Send');
  const sent = async (count: number) => {
    await page.waitForFunction((wanted) => Reflect.get(globalThis, 'sent').length === wanted, count);
    return (await page.evaluate('sent')) as Record<string, string | null>[];
  };
  const value = () => page.inputValue('[name=email]');

  describe('a form that the browser or a server action submits', () => {
    it('sends a fresh verdict each time, and keeps the address after a failed submit', async () => {
      await open('VerdictForm');
      await send();
      await sent(1);
      await page.fill('[name=name]', 'Jane');
      expect(await value()).toBe('jane@example.com');
      await send();
      await page.fill('[name=name]', 'Jane');
      await sent(2);
      await send();
      const verdicts = (await sent(3)).map((fields) => fields['postern-verdict']);
      for (const verdict of verdicts) expect(verdict?.split('.')).toHaveLength(3);
      expect(new Set(verdicts).size).toBe(3);
    });

    it('is stopped for a blocked address and for a typo', async () => {
      answer = blocked();
      await open('VerdictForm');
      await send();
      await page.getByText('Please use a permanent email address.').waitFor();
      answer = allowed();
      await page.fill('[name=email]', 'jane@gmial.com');
      await page.press('[name=email]', 'Enter');
      await page.getByRole('button', { name: 'Use jane@gmail.com' }).waitFor();
      await expect.poll(() => service.requests.length).toBe(2);
      expect(await page.evaluate('sent.length')).toBe(0);
      await page.press('[name=email]', 'Enter');
      expect((await sent(1))[0]?.email).toBe('jane@gmial.com');
    });

    it('has a default value and can be set and reset', async () => {
      await open('VerdictForm');
      expect(await value()).toBe('jane@example.com');
      await page.click('text=Joe');
      expect(await value()).toBe('joe@example.com');
      await page.click('text=Reset');
      await expect.poll(value).toBe('jane@example.com');
    });
  });

  it('a controlled field shows the app’s value and reports changes', async () => {
    await open('ControlledForm');
    await page.fill('[name=email]', 'jane@gmial.com');
    expect(await page.textContent('output')).toBe('jane@gmial.com');
    await page.press('[name=email]', 'Tab');
    await page.click('text=Use jane@gmail.com');
    expect(await page.textContent('output')).toBe('jane@gmail.com');
    await page.click('text=Set');
    expect(await value()).toBe('set@example.com');
    await send();
    expect(await sent(1)).toEqual([{ email: 'set@example.com' }]);
    expect(service.requests.at(-1)?.body.email).toBe('set@example.com');
    await page.click('text=Clear');
    expect([await value(), await page.textContent('output')]).toEqual(['', '']);
  });

  it('the first click on the button counts', async () => {
    await open('ControlledForm');
    await page.fill('[name=email]', 'jane');
    const button = page.locator('text=Send');
    const box = await button.boundingBox();
    if (box === null) throw new Error('no button');
    await page.mouse.move(box.x + 10, box.y + 2);
    await page.mouse.down();
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') !== 'email');
    expect(await button.boundingBox()).toEqual(box);
    await page.mouse.up();
    await page.locator('[role=status]:not(:empty)').waitFor();
    // Only the submit returns the focus.
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'email');
  });

  it('works with react-hook-form', async () => {
    answer = blocked();
    await open('HookForm');
    await page.fill('[name=name]', 'Jane');
    await page.fill('[name=email]', 'x@mailinator.com');
    await send();
    await page.getByText('Please use a permanent email address.').waitFor();
    answer = allowed();
    await page.fill('[name=email]', 'jane@gmial.com');
    await send();
    await page.getByText('Did you mean jane@gmail.com?').waitFor();
    await page.fill('[name=email]', 'jane@example.com');
    await send();
    await sent(1);
    await send();
    const [first, second] = await sent(2);
    expect(first).toMatchObject({ email: 'jane@example.com', name: 'Jane' });
    expect(first?.verdict?.split('.')).toHaveLength(3);
    expect(second?.verdict?.split('.')).toHaveLength(3);
    expect(second?.verdict).not.toBe(first?.verdict);
  });
});
