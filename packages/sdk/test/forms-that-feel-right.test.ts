import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundlePageScript } from './support/bundle.ts';
import { launchChromium } from './support/chromium.ts';
import { type Site, startSite } from './support/site.ts';
import {
  allowed,
  blocked,
  type StubAnswer,
  type StubService,
  startStubService,
} from './support/stub-service.ts';

let browser: Browser;
let script: string;
let service: StubService;
let site: Site;
let page: Page;
let answer: StubAnswer | Promise<StubAnswer>;

beforeAll(async () => {
  [browser, script] = await Promise.all([launchChromium(), bundlePageScript()]);
});
afterAll(() => browser.close());
beforeEach(async () => {
  answer = allowed();
  service = await startStubService(() => answer);
});
afterEach(async () => {
  await page.context().close();
  await site.close();
  await service.close();
});

/** Each element on a line of its own, so that anything above the button moves it. */
async function open(options = '{}', lang = 'en'): Promise<void> {
  const html = `<!doctype html><html lang="${lang}"><title>Sign up</title><link rel="icon" href="data:,">
    <form id="sign-up" method="post" action="/sign-up" novalidate>
      <div><label for="email">Email</label><input id="email" name="email" type="email"></div>
      <div><button id="go">Sign up</button></div>
    </form>
    <script src="/postern.js"></script>
    <script>
      const patient = { timeoutMs: 60_000, fingerprintTimeoutMs: 60_000 };
      const postern = Postern.createPosternClient({ baseUrl: '${service.url}', projectId: 'demo', apiKey: 'key', ...patient });
      postern.attach('#sign-up', ${options});
    </script>`;
  site = await startSite({ '/': html, '/postern.js': script });
  const context = await browser.newContext({ locale: 'en-US' });
  page = await context.newPage();
  await page.goto(site.origin);
}

const status = (expected: string) =>
  page.waitForFunction((wanted) => document.querySelector('input')?.dataset.postern === wanted, expected);
const message = () => page.textContent('.postern-message');
const suggestion = () => page.locator('.postern-suggestion');

async function buttonBox(): Promise<{ x: number; y: number }> {
  const box = await page.locator('#go').boundingBox();
  if (box === null) throw new Error('no button');
  return { x: box.x, y: box.y };
}

/** The mouse on the button’s upper edge, so that a jump of one or two pixels moves the button away. */
async function aim(): Promise<void> {
  const { x, y } = await buttonBox();
  await page.mouse.move(x + 10, y + 2);
}

describe('a misspelled address', () => {
  it('is not sent on the first Enter, which shows the suggestion, but on the second', async () => {
    await open();
    await page.fill('#email', 'janedoe@gmial.com');
    await page.press('#email', 'Enter');
    await page.getByRole('button', { name: 'Use janedoe@gmail.com' }).waitFor();
    await status('allowed');
    expect(await message()).toBe('Did you mean janedoe@gmail.com?');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('email');
    expect(site.posted).toHaveLength(0);
    await page.press('#email', 'Enter');
    await page.waitForSelector('text=Welcome');
    expect(site.posted[0]?.get('email')).toBe('janedoe@gmial.com');
    expect(site.posted[0]?.get('postern-verdict')).not.toBe('');
    expect(service.requests).toHaveLength(1);
  });

  it('is not sent by a double click either', async () => {
    await open();
    await page.fill('#email', 'janedoe@gmial.com');
    await page.click('#go');
    await suggestion().waitFor();
    await status('allowed');
    await aim();
    // The second click of a double click, after the first one was answered.
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await page.locator('.postern-suggestion').hover();
    expect(site.posted).toHaveLength(0);
    await page.click('#go');
    await page.waitForSelector('text=Welcome');
  });
});

describe('the first click on the button', () => {
  it.each([
    ['no address', 'jane', 'malformed'],
    ['a misspelled address', 'janedoe@gmial.com', 'allowed'],
  ])('arrives with %s in the field, and nothing moves before', async (_what, address, expected) => {
    await open();
    await page.evaluate(() => {
      const clicks: string[] = [];
      Object.assign(globalThis, { clicks });
      document.querySelector('#go')?.addEventListener('click', () => clicks.push('click'));
    });
    await page.fill('#email', address);
    await aim();
    const before = await buttonBox();
    await page.mouse.down();
    // The field has lost focus. At this moment the message used to appear.
    await page.waitForFunction(() => document.activeElement?.id !== 'email');
    expect(await buttonBox()).toEqual(before);
    await page.mouse.up();
    expect(await page.evaluate('clicks')).toEqual(['click']);
    await status(expected);
    await page.waitForFunction(() => document.querySelector('.postern-message')?.textContent !== '');
  });

  it('counts if the answer arrives while the button is pressed', async () => {
    let give: (given: StubAnswer) => void = () => {};
    answer = new Promise((resolve) => {
      give = resolve;
    });
    await open('{ debounceMs: 1 }');
    await page.evaluate(() => {
      document.querySelector('#go')?.addEventListener('click', () => {
        document.body.dataset.clicked = 'yes';
      });
    });
    // Too long for the reserved line.
    await page.setViewportSize({ width: 200, height: 600 });
    await page.fill('#email', 'x@mailinator.com');
    await page.press('#email', 'Tab');
    await status('checking');
    await aim();
    const before = await buttonBox();
    await page.mouse.down();
    give(blocked());
    await status('blocked');
    expect(await buttonBox()).toEqual(before);
    await page.mouse.up();
    expect(await page.evaluate(() => document.body.dataset.clicked)).toBe('yes');
    await page.getByText('Please use a permanent email address.').waitFor();
  });
});

it('a message of one line moves nothing, because its space is reserved', async () => {
  answer = blocked();
  await open();
  const before = await buttonBox();
  await page.fill('#email', 'x@mailinator.com');
  await page.press('#email', 'Tab');
  await page.getByText('Please use a permanent email address.').waitFor();
  expect(await buttonBox()).toEqual(before);
  await page.fill('#email', 'janedoe@gmial.com');
  await page.press('#email', 'Tab');
  await suggestion().waitFor();
  expect(await buttonBox()).toEqual(before);
});

it('a site’s own styles win over the reserved space', async () => {
  await open();
  const height = (selector: string) => page.locator(selector).evaluate((element) => element.clientHeight);
  expect(await height('.postern-help')).toBeGreaterThan(10);
  await page.addStyleTag({ content: '.postern-help { min-height: 0 }' });
  expect(await height('.postern-help')).toBe(0);
});

describe('a flagged person', () => {
  const flagged = allowed({
    recommendation: 'flag',
    message: 'We could not accept this sign-up automatically. Please contact support.',
  });

  it('passes and sees no message', async () => {
    answer = flagged;
    await open();
    await page.fill('#email', 'info@example.com');
    await page.press('#email', 'Tab');
    await status('flagged');
    expect(await message()).toBe('');
    expect(await page.getAttribute('#email', 'aria-invalid')).toBeNull();
    await page.click('#go');
    await page.waitForSelector('text=Welcome');
    expect(site.posted[0]?.get('postern-verdict')).not.toBe('');
  });

  it('is reported to `onFlag`', async () => {
    answer = flagged;
    await open('{ onFlag: (validation) => { document.title = validation.message } }');
    await page.fill('#email', 'info@example.com');
    await page.press('#email', 'Tab');
    await page.waitForFunction(() => document.title.includes('support'));
    expect(await message()).toBe('');
  });
});

describe('the texts', () => {
  const leave = async (address: string, expected: string) => {
    await page.fill('#email', address);
    await page.press('#email', 'Tab');
    await status(expected);
    return message();
  };

  it('are in the form’s language', async () => {
    answer = blocked();
    await open('{}', 'de-AT');
    await leave('x@mailinator.com', 'blocked');
    // The service answers in it.
    expect(service.requests.at(-1)?.body.locale).toBe('de-AT');
    expect(await leave('jane', 'malformed')).toMatch(/^Bitte geben Sie/);
    await page.fill('#email', 'janedoe@gmial.com');
    await page.press('#email', 'Tab');
    await page.getByRole('button', { name: 'janedoe@gmail.com verwenden' }).waitFor();
  });

  it('keep the address in one piece where the text runs from right to left', async () => {
    await open('{}', 'he');
    await page.fill('#email', 'janedoe@gmial.com');
    await page.press('#email', 'Tab');
    await page.getByRole('button', { name: 'שימוש' }).waitFor();
    expect(await message()).toBe('האם התכוונת אל \u2066janedoe@gmail.com\u2069?');
    const directions = await page.evaluate(() =>
      ['.postern-message', '.postern-suggestion'].map((selector) => {
        const element = document.querySelector(selector);
        return element === null ? null : getComputedStyle(element).direction;
      }),
    );
    expect(directions).toEqual(['rtl', 'rtl']);
  });

  it('are English where the form names no language', async () => {
    answer = blocked();
    await open('{}', '');
    expect(await leave('x@mailinator.com', 'blocked')).toBe('Please use a permanent email address.');
    expect(service.requests.at(-1)?.body.locale).toBe('en');
  });

  it('are English for a language without texts', async () => {
    answer = blocked();
    await open('{}', 'xx');
    expect(await leave('x@mailinator.com', 'blocked')).toBe('Please use a permanent email address.');
  });

  it('can be given by check, for one language or by a function', async () => {
    answer = blocked();
    await open("{ messages: { disposable: 'Keep it.', syntax: 'No address.' }, lang: 'fr' }");
    expect(await leave('x@mailinator.com', 'blocked')).toBe('Keep it.');
    expect(await leave('jane', 'malformed')).toBe('No address.');
    await page.context().close();
    await site.close();
    await open('{ messages: ({ key, message }) => key + ": " + message }');
    expect(await leave('x@mailinator.com', 'blocked')).toBe(
      'disposable: Please use a permanent email address.',
    );
  });
});
