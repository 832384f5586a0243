import { quotaExceeded } from '@postern/contract';
import { describe, expect, it } from 'vitest';
import { attachedForm } from './support/attached-form.ts';
import { allowed, blocked } from './support/stub-service.ts';

const setup = attachedForm();
/** What the form would send now. */
const verdict = () =>
  setup.page.evaluate(() => new FormData(document.querySelector('form') ?? undefined).get('postern-verdict'));

describe('a form that Postern is attached to', () => {
  it('sends a good address with its verdict, fingerprint and button', async () => {
    await setup.open(setup.form());
    await setup.page.fill('#email', 'jane@example.com');
    await setup.page.click('text=Sign up');
    await setup.page.waitForSelector('text=Welcome');
    expect(setup.site.posted).toHaveLength(1);
    expect(setup.site.posted[0]?.get('email')).toBe('jane@example.com');
    expect(setup.site.posted[0]?.get('plan')).toBe('free');
    expect(setup.site.posted[0]?.get('postern-verdict')?.split('.')).toHaveLength(3);
    expect(setup.service.requests).toHaveLength(1);
    const [request] = setup.service.requests;
    expect(request?.headers.origin).toBe(setup.site.origin);
    expect(request?.body.fingerprintHash).toMatch(/^b2_[0-9a-f]{32}$/);
    expect(request?.body.sdkVersion).toMatch(/^browser\//);
    expect(request?.headers.cookie).toBeUndefined();
  });

  it('does not send a blocked address, and a screen reader announces why', async () => {
    setup.answer = () => blocked();
    await setup.open(setup.form());
    await setup.page.fill('#email', 'x@mailinator.com');
    await setup.page.click('text=Sign up');
    await setup.status('blocked');
    const session = await setup.page.context().newCDPSession(setup.page);
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
    expect(setup.site.posted).toHaveLength(0);
  });

  it('offers the corrected address as a button, and applies it only on click', async () => {
    await setup.open(setup.form());
    await setup.page.fill('#email', 'janedoe@gmial.com');
    await setup.page.press('#email', 'Tab');
    const button = setup.page.getByRole('button', { name: 'Use janedoe@gmail.com' });
    await button.waitFor();
    expect(await setup.page.inputValue('#email')).toBe('janedoe@gmial.com');
    expect(await setup.page.textContent('.postern-message')).toBe('Did you mean janedoe@gmail.com?');
    await button.click();
    await setup.status('allowed');
    expect(await setup.page.inputValue('#email')).toBe('janedoe@gmail.com');
    expect(await setup.page.evaluate(() => document.activeElement?.id)).toBe('email');
    expect(await button.isVisible()).toBe(false);
  });

  it('refuses what is not an address without the network', async () => {
    await setup.open(setup.form());
    await setup.page.fill('#email', 'jane@exa_mple.com');
    await setup.page.press('#email', 'Tab');
    await setup.status('malformed');
    expect(await setup.page.textContent('.postern-message')).toBe(
      'Please enter an email address that can receive mail.',
    );
    expect(setup.service.requests).toHaveLength(0);
  });

  it('does not disturb typing, and asks only about the final value', async () => {
    await setup.open(setup.form('{ debounceMs: 20 }'));
    setup.answer = () => new Promise(() => {});
    await setup.page.fill('#email', 'first@example.com');
    await setup.page.press('#email', 'Tab');
    await setup.status('checking');
    await expect.poll(() => setup.service.requests.length).toBe(1);
    setup.answer = () => allowed();
    await setup.page.focus('#email');
    await setup.page.press('#email', 'End');
    await setup.page.keyboard.type('.uk');
    expect(await setup.page.inputValue('#email')).toBe('first@example.com.uk');
    expect(await setup.page.getAttribute('#email', 'data-postern')).toBe('idle');
    await setup.page.press('#email', 'Tab');
    await setup.status('allowed');
    expect(setup.service.requests.map(({ body }) => body.email)).toEqual([
      'first@example.com',
      'first@example.com.uk',
    ]);
  });

  it('shows a hostile answer as text', async () => {
    const evil = '<img src=x onerror="document.title=\'owned\'">';
    setup.answer = () =>
      allowed({
        recommendation: 'block',
        message: evil,
        checks: { mx: { pass: true, latency: 1, metadata: { suggestion: evil } as never } },
      });
    await setup.open(setup.form());
    await setup.page.fill('#email', 'jane@example.com');
    await setup.page.press('#email', 'Tab');
    await setup.status('blocked');
    expect(await setup.page.textContent('.postern-message')).toContain(evil);
    expect(await setup.page.textContent('.postern-suggestion')).toContain(evil);
    expect(await setup.page.locator('img').count()).toBe(0);
  });

  it('accepts the suggestion by keyboard, and notifies the page’s own listeners', async () => {
    await setup.open(setup.form());
    await setup.page.evaluate(() => {
      const input = document.querySelector('#email');
      for (const name of ['input', 'change']) {
        input?.addEventListener(name, () =>
          document.body.append(` ${name}:${(input as HTMLInputElement).value}`),
        );
      }
    });
    await setup.page.fill('#email', 'janedoe@gmial.com');
    await setup.page.press('#email', 'Tab');
    await setup.page.keyboard.press('Shift+Tab');
    await setup.page.locator('.postern-suggestion:focus').waitFor();
    await setup.page.keyboard.press('Enter');
    await setup.status('allowed');
    expect(await setup.page.textContent('body')).toMatch(
      /input:janedoe@gmail\.com change:janedoe@gmail\.com/,
    );
    expect(setup.site.posted).toHaveLength(0);
  });

  it('is sent without a verdict if the service is down', async () => {
    await setup.open(setup.form('{}', 'maxRetries: 0'));
    await setup.service.close();
    await setup.page.fill('#email', 'jane@example.com');
    await setup.page.click('text=Sign up');
    await setup.page.waitForSelector('text=Welcome');
    expect(setup.site.posted[0]?.get('postern-verdict')).toBe(null);
  });

  it('is not sent if the service is down and the site fails closed', async () => {
    await setup.open(setup.form('{}', "maxRetries: 0, whenUnavailable: 'closed'"));
    await setup.service.close();
    await setup.page.fill('#email', 'jane@example.com');
    await setup.page.click('text=Sign up');
    await setup.status('blocked');
    expect(await setup.page.textContent('.postern-message')).toMatch(/try again/);
    expect(setup.site.posted).toHaveLength(0);
  });

  it('asks once for an address, and again when its verdict was used', async () => {
    await setup.open(setup.form());
    await setup.page.evaluate(() => {
      // A page that sends the form itself and stays.
      document.querySelector('form')?.addEventListener('submit', (event) => {
        event.preventDefault();
        document.body.dataset.sent = `${document.body.dataset.sent ?? ''}x`;
      });
    });
    await setup.page.fill('#email', 'jane@example.com');
    await setup.page.press('#email', 'Tab');
    await setup.status('allowed');
    await setup.page.focus('#email');
    await setup.page.press('#email', 'Tab');
    await setup.page.click('text=Sign up');
    await setup.page.waitForFunction(() => document.body.dataset.sent === 'x');
    expect(setup.service.requests).toHaveLength(1);
    const first = await verdict();
    await setup.page.click('text=Sign up');
    await setup.page.waitForFunction(() => document.body.dataset.sent === 'xx');
    expect(setup.service.requests).toHaveLength(2);
    const second = await verdict();
    expect(first).not.toBe(null);
    expect(second).not.toBe(first);
  });

  it('never sends one verdict twice, even after another address in between', async () => {
    await setup.open(setup.form());
    await setup.page.evaluate(() => {
      const sent: unknown[] = [];
      Object.assign(globalThis, { sent });
      const element = document.querySelector('form');
      element?.addEventListener('submit', (event) => {
        event.preventDefault();
        sent.push(new FormData(element).get('postern-verdict'));
      });
    });
    const leave = async (address: string) => {
      await setup.page.fill('#email', address);
      await setup.page.press('#email', 'Tab');
      await setup.status('allowed');
    };
    await leave('jane@example.com');
    await setup.page.click('text=Sign up');
    await setup.page.waitForFunction('sent.length === 1');
    await leave('joe@example.com');
    await leave('jane@example.com');
    await setup.page.click('text=Sign up');
    await setup.page.waitForFunction('sent.length === 2');
    const sent = (await setup.page.evaluate('sent')) as string[];
    expect(sent[0]).not.toBe(sent[1]);
  });

  it('sends no old verdict when a new one is refused', async () => {
    await setup.open(setup.form('{}', 'maxRetries: 0'));
    await setup.page.evaluate(() =>
      document.querySelector('form')?.addEventListener('submit', (event) => event.preventDefault()),
    );
    await setup.page.fill('#email', 'jane@example.com');
    await setup.page.click('text=Sign up');
    await setup.status('allowed');
    setup.answer = () => ({
      refusal: quotaExceeded({ limit: 1, used: 1, remaining: 0, resetAt: '2030-01-01' }),
    });
    await setup.page.click('text=Sign up');
    await setup.status('unchecked');
    expect(await verdict()).toBe(null);
  });

  it('causes one request, however often the page attaches', async () => {
    await setup.open(setup.form());
    await setup.page.evaluate("postern.attach('#sign-up')");
    expect(await setup.page.locator('.postern-message').count()).toBe(1);
    await setup.page.fill('#email', 'jane@example.com');
    await setup.page.click('text=Sign up');
    await setup.page.waitForSelector('text=Welcome');
    expect(setup.service.requests).toHaveLength(1);
    expect(setup.site.posted[0]?.getAll('postern-verdict')).toHaveLength(1);
  });
});
