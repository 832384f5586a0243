import { quotaExceeded } from '@postern/contract';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  allowed,
  blocked,
  type StubAnswer,
  type StubRequest,
  type StubService,
  startStubService,
} from '../../sdk-core/test/support/stub-service.ts';
import { bundlePageScript } from './support/bundle.ts';
import { launchChromium } from './support/chromium.ts';
import { type Site, startSite } from './support/site.ts';

let browser: Browser;
let script: string;
let service: StubService;
let site: Site;
let page: Page;
let answer: (request: StubRequest) => StubAnswer | Promise<StubAnswer>;

// With the default limits, a page on a busy machine would send no fingerprint or get no answer in time.
const patient = 'timeoutMs: 60_000, fingerprintTimeoutMs: 60_000,';

const form = (options = '{}', clientOptions = '') => `<!doctype html><html lang="en"><title>Sign up</title>
  <form id="sign-up" method="post" action="/sign-up">
    <label for="email">Email</label><input id="email" name="email" type="email" required aria-describedby="hint">
    <span id="hint">We write once a month.</span>
    <button name="plan" value="free">Sign up</button> <button formnovalidate>Back</button>
    <input type="submit" formnovalidate value="Skip">
  </form>
  <script src="/postern.js"></script>
  <script>
    const postern = Postern.createPosternClient({ baseUrl: '${service.url}', projectId: 'demo', apiKey: 'key', ${patient} ${clientOptions} });
    const attached = postern.attach('#sign-up', ${options});
    const states = [];
    document.addEventListener('postern:change', (event) => states.push(event.detail));
  </script>`;

beforeAll(async () => {
  [browser, script] = await Promise.all([launchChromium(), bundlePageScript()]);
});
afterAll(() => browser.close());

beforeEach(async () => {
  answer = () => allowed();
  service = await startStubService((request) => answer(request));
});
afterEach(async () => {
  await page.context().close();
  await site.close();
  await service.close();
});

async function open(html: string): Promise<void> {
  site = await startSite({ '/': html, '/postern.js': script });
  const context = await browser.newContext({ locale: 'en-US' });
  page = await context.newPage();
  await page.goto(site.origin);
}

const status = (expected: string) =>
  page.waitForFunction((wanted) => document.querySelector('input')?.dataset.postern === wanted, expected);

describe('a form that Postern is attached to', () => {
  it('sends a good address with its verdict, fingerprint and button', async () => {
    await open(form());
    await page.fill('#email', 'jane@example.com');
    await page.click('text=Sign up');
    await page.waitForSelector('text=Welcome');
    expect(site.posted).toHaveLength(1);
    expect(site.posted[0]?.get('email')).toBe('jane@example.com');
    expect(site.posted[0]?.get('plan')).toBe('free');
    expect(site.posted[0]?.get('postern-verdict')?.split('.')).toHaveLength(3);
    expect(service.requests).toHaveLength(1);
    const [request] = service.requests;
    expect(request?.headers.origin).toBe(site.origin);
    expect(request?.body.fingerprintHash).toMatch(/^b1_[0-9a-f]{32}$/);
    expect(request?.body.sdkVersion).toMatch(/^browser\//);
    expect(request?.headers.cookie).toBeUndefined();
  });

  it('does not send a blocked address, and a screen reader announces why', async () => {
    answer = () => blocked();
    await open(form());
    await page.fill('#email', 'x@mailinator.com');
    await page.click('text=Sign up');
    await status('blocked');
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const field = nodes.find((node) => node.role?.value === 'textbox');
    const region = nodes.find((node) => node.role?.value === 'status');
    const property = (node: typeof field, name: string) =>
      node?.properties?.find((one) => one.name === name)?.value.value;
    expect(field?.name?.value).toBe('Email');
    expect(field?.description?.value).toBe('We write once a month. Please use a permanent email address.');
    expect(property(field, 'invalid')).toBe('true');
    expect(property(field, 'focused')).toBe(true);
    expect(property(region, 'live')).toBe('polite');
    const text = nodes.find((node) => node.parentId === region?.nodeId);
    expect(text?.name?.value).toBe('Please use a permanent email address.');
    expect(site.posted).toHaveLength(0);
  });

  it('offers the corrected address as a button, and applies it only on click', async () => {
    await open(form());
    await page.fill('#email', 'jane@gmial.com');
    await page.press('#email', 'Tab');
    const button = page.getByRole('button', { name: 'Use jane@gmail.com' });
    await button.waitFor();
    expect(await page.inputValue('#email')).toBe('jane@gmial.com');
    expect(await page.textContent('.postern-message')).toBe('Did you mean jane@gmail.com?');
    await button.click();
    await status('allowed');
    expect(await page.inputValue('#email')).toBe('jane@gmail.com');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('email');
    expect(await button.isVisible()).toBe(false);
  });

  it('refuses what is not an address without the network', async () => {
    await open(form());
    await page.fill('#email', 'jane@exa_mple.com');
    await page.press('#email', 'Tab');
    await status('malformed');
    expect(await page.textContent('.postern-message')).toBe(
      'Please enter an email address that can receive mail.',
    );
    expect(service.requests).toHaveLength(0);
  });

  it('does not disturb typing, and asks only about the final value', async () => {
    await open(form('{ debounceMs: 20 }'));
    answer = () => new Promise(() => {});
    await page.fill('#email', 'first@example.com');
    await page.press('#email', 'Tab');
    await status('checking');
    answer = () => allowed();
    await page.focus('#email');
    await page.press('#email', 'End');
    await page.keyboard.type('.uk');
    expect(await page.inputValue('#email')).toBe('first@example.com.uk');
    expect(await page.getAttribute('#email', 'data-postern')).toBe('idle');
    await page.press('#email', 'Tab');
    await status('allowed');
    expect(service.requests.map(({ body }) => body.email)).toEqual([
      'first@example.com',
      'first@example.com.uk',
    ]);
  });

  it('asks once for an address, and again when its verdict was used', async () => {
    await open(form());
    await page.evaluate(() => {
      // A page that sends the form itself and stays.
      document.querySelector('form')?.addEventListener('submit', (event) => {
        event.preventDefault();
        document.body.dataset.sent = `${document.body.dataset.sent ?? ''}x`;
      });
    });
    await page.fill('#email', 'jane@example.com');
    await page.press('#email', 'Tab');
    await status('allowed');
    await page.focus('#email');
    await page.press('#email', 'Tab');
    await page.click('text=Sign up');
    await page.waitForFunction(() => document.body.dataset.sent === 'x');
    expect(service.requests).toHaveLength(1);
    const first = await page.inputValue('[name=postern-verdict]');
    await page.click('text=Sign up');
    await page.waitForFunction(() => document.body.dataset.sent === 'xx');
    expect(service.requests).toHaveLength(2);
    const second = await page.inputValue('[name=postern-verdict]');
    expect(first).not.toBe('');
    expect(second).not.toBe(first);
  });

  it('never sends one verdict twice, even after another address in between', async () => {
    await open(form());
    await page.evaluate(() => {
      const sent: unknown[] = [];
      Object.assign(globalThis, { sent });
      const element = document.querySelector('form');
      element?.addEventListener('submit', (event) => {
        event.preventDefault();
        sent.push(new FormData(element).get('postern-verdict'));
      });
    });
    const leave = async (address: string) => {
      await page.fill('#email', address);
      await page.press('#email', 'Tab');
      await status('allowed');
    };
    await leave('jane@example.com');
    await page.click('text=Sign up');
    await page.waitForFunction('sent.length === 1');
    await leave('joe@example.com');
    await leave('jane@example.com');
    await page.click('text=Sign up');
    await page.waitForFunction('sent.length === 2');
    const sent = (await page.evaluate('sent')) as string[];
    expect(sent[0]).not.toBe(sent[1]);
  });

  it('sends no old verdict when a new one is refused', async () => {
    await open(form('{}', 'maxRetries: 0'));
    await page.evaluate(() =>
      document.querySelector('form')?.addEventListener('submit', (event) => event.preventDefault()),
    );
    await page.fill('#email', 'jane@example.com');
    await page.click('text=Sign up');
    await status('allowed');
    answer = () => ({ refusal: quotaExceeded({ limit: 1, used: 1, remaining: 0, resetAt: '2030-01-01' }) });
    await page.click('text=Sign up');
    await status('unchecked');
    expect(await page.inputValue('[name=postern-verdict]')).toBe('');
  });

  it('causes one request, however often the page attaches', async () => {
    await open(form());
    await page.evaluate("postern.attach('#sign-up')");
    expect(await page.locator('.postern-message, [name=postern-verdict]').count()).toBe(2);
    await page.fill('#email', 'jane@example.com');
    await page.click('text=Sign up');
    await page.waitForSelector('text=Welcome');
    expect(service.requests).toHaveLength(1);
    expect(site.posted[0]?.getAll('postern-verdict')).toHaveLength(1);
  });

  it('can have several fields', async () => {
    answer = ({ body }) => (body.email === 'x@mailinator.com' ? blocked() : allowed());
    await open(form());
    await page.evaluate(() => {
      const friend = document.createElement('input');
      friend.name = 'friend';
      document.querySelector('form')?.append(friend);
    });
    await page.evaluate("postern.attach('#sign-up', { field: '[name=friend]', verdictField: 'second' })");
    await page.fill('#email', 'jane@example.com');
    await page.fill('[name=friend]', 'x@mailinator.com');
    await page.click('text=Sign up');
    await page.waitForSelector('[name=friend][data-postern=blocked]:focus');
    expect(site.posted).toHaveLength(0);
    await page.fill('[name=friend]', 'joe@example.com');
    await page.click('text=Sign up');
    await page.waitForSelector('text=Welcome');
    expect(service.requests.map(({ body }) => body.email).sort()).toEqual([
      'jane@example.com',
      'joe@example.com',
      'x@mailinator.com',
    ]);
    expect(site.posted[0]?.get('second')).not.toBe(site.posted[0]?.get('postern-verdict'));
  });

  it('ignores a field that the page has replaced', async () => {
    await open(form());
    await page.fill('#email', 'old@example.com');
    await page.evaluate(() => {
      const old = document.querySelector('#email');
      old?.replaceWith(Object.assign(document.createElement('input'), { id: 'email', name: 'email' }));
    });
    await page.evaluate("postern.attach('#sign-up', { field: '#email' })");
    await page.fill('#email', 'new@example.com');
    await page.click('text=Sign up');
    await page.waitForSelector('text=Welcome');
    expect(service.requests.map(({ body }) => body.email)).toEqual(['new@example.com']);
    expect(site.posted[0]?.getAll('postern-verdict')).toHaveLength(1);
  });

  it('validates a value that a script set in the meantime', async () => {
    let give = () => {};
    answer = ({ body }) =>
      body.email === 'x@mailinator.com'
        ? blocked()
        : new Promise((resolve) => {
            give = () => resolve(allowed());
          });
    await open(form());
    await page.fill('#email', 'jane@example.com');
    await page.click('text=Sign up');
    await expect.poll(() => service.requests.length).toBe(1);
    await page.evaluate(() => {
      const input = document.querySelector<HTMLInputElement>('#email');
      if (input !== null) input.value = 'x@mailinator.com';
    });
    give();
    await status('blocked');
    expect(await page.inputValue('#email')).toBe('x@mailinator.com');
    expect(site.posted).toHaveLength(0);
  });

  it('still works if the site’s own handler throws', async () => {
    await open(form('{}', "maxRetries: 0, onProblem: () => { throw new Error('the site’s') }"));
    await service.close();
    await page.fill('#email', 'jane@example.com');
    await page.click('text=Sign up');
    await page.waitForSelector('text=Welcome');
  });

  it('starts again when the form is reset', async () => {
    answer = () => blocked();
    await open(form());
    await page.fill('#email', 'x@mailinator.com');
    await page.press('#email', 'Tab');
    await status('blocked');
    await page.evaluate(() => document.querySelector('form')?.reset());
    await status('idle');
    expect(await page.textContent('.postern-message')).toBe('');
    expect(await page.getAttribute('#email', 'aria-invalid')).toBeNull();
  });

  it('shows a hostile answer as text', async () => {
    const evil = '<img src=x onerror="document.title=\'owned\'">';
    answer = () =>
      allowed({
        recommendation: 'block',
        message: evil,
        checks: { mx: { pass: true, latency: 1, metadata: { suggestion: evil } as never } },
      });
    await open(form());
    await page.fill('#email', 'jane@example.com');
    await page.press('#email', 'Tab');
    await status('blocked');
    expect(await page.textContent('.postern-message')).toContain(evil);
    expect(await page.textContent('.postern-suggestion')).toContain(evil);
    expect(await page.locator('img').count()).toBe(0);
  });

  it('accepts the suggestion by keyboard, and notifies the page’s own listeners', async () => {
    await open(form());
    await page.evaluate(() => {
      const input = document.querySelector('#email');
      for (const name of ['input', 'change']) {
        input?.addEventListener(name, () =>
          document.body.append(` ${name}:${(input as HTMLInputElement).value}`),
        );
      }
    });
    await page.fill('#email', 'jane@gmial.com');
    await page.press('#email', 'Tab');
    await page.keyboard.press('Shift+Tab');
    await page.locator('.postern-suggestion:focus').waitFor();
    await page.keyboard.press('Enter');
    await status('allowed');
    expect(await page.textContent('body')).toMatch(/input:jane@gmail\.com change:jane@gmail\.com/);
    expect(site.posted).toHaveLength(0);
  });

  it('is sent without a verdict if the service is down', async () => {
    await open(form('{}', 'maxRetries: 0'));
    await service.close();
    await page.fill('#email', 'jane@example.com');
    await page.click('text=Sign up');
    await page.waitForSelector('text=Welcome');
    expect(site.posted[0]?.get('postern-verdict')).toBe('');
  });

  it('is not sent if the service is down and the site fails closed', async () => {
    await open(form('{}', "maxRetries: 0, whenUnavailable: 'closed'"));
    await service.close();
    await page.fill('#email', 'jane@example.com');
    await page.click('text=Sign up');
    await status('blocked');
    expect(await page.textContent('.postern-message')).toMatch(/try again/);
    expect(site.posted).toHaveLength(0);
  });

  it.each(['button', 'input'])('leaves a %s alone that skips validation', async (kind) => {
    await open(form());
    await page.fill('#email', 'jane@example.com');
    if (kind === 'button') await page.click('text=Back');
    else await page.click('[value=Skip]');
    await page.waitForSelector('text=Welcome');
    expect(service.requests).toHaveLength(0);
  });

  it('is restored when Postern is detached', async () => {
    await open(form());
    const before = await page.evaluate(() => {
      const html = document.querySelector('form')?.outerHTML;
      return { html, describedBy: document.querySelector('input')?.getAttribute('aria-describedby') };
    });
    expect(before.describedBy).toBe('hint postern-message-1');
    await page.evaluate('attached.detach()');
    expect(
      await page.evaluate(() => document.querySelectorAll('[class^=postern], [type=hidden]').length),
    ).toBe(0);
    expect(await page.getAttribute('#email', 'aria-describedby')).toBe('hint');
    await page.fill('#email', 'jane@example.com');
    await page.click('text=Sign up');
    await page.waitForSelector('text=Welcome');
    expect(service.requests).toHaveLength(0);
  });

  it('shows the site’s own texts', async () => {
    const texts = "{ suggestion: (a) => 'Meinten Sie ' + a + '?', accept: (a) => a + ' nehmen' }";
    await open(form(`{ texts: ${texts} }`));
    await page.fill('#email', 'jane@gmial.com');
    await page.press('#email', 'Tab');
    await page.getByRole('button', { name: 'jane@gmail.com nehmen' }).waitFor();
    expect(await page.textContent('.postern-message')).toBe('Meinten Sie jane@gmail.com?');
  });

  it('works under a strict content security policy', async () => {
    const html = `<!doctype html><html lang="en"><title>Sign up</title>
      <form id="sign-up" method="post"><label>Email <input name="email" type="email"></label><button>Sign up</button></form>
      <script src="/postern.js"></script><script src="/app.js"></script>`;
    const app = `Postern.createPosternClient({ baseUrl: '${service.url}', projectId: 'demo', apiKey: 'key', ${patient} }).attach('#sign-up');`;
    const policy = `default-src 'none'; script-src 'self'; connect-src ${service.url}; form-action 'self'; base-uri 'none'`;
    site = await startSite(
      { '/': html, '/app.js': app, '/postern.js': script },
      { 'Content-Security-Policy': policy },
    );
    const context = await browser.newContext({ locale: 'en-US' });
    page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(site.origin);
    await page.getByLabel('Email').fill('jane@gmial.com');
    await page.getByLabel('Email').press('Tab');
    await page.getByRole('button', { name: 'Use jane@gmail.com' }).click();
    await status('allowed');
    expect(service.requests[0]?.body.fingerprintHash).toMatch(/^b1_/);
    expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([]);
  });
});
