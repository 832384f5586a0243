import { describe, expect, it } from 'vitest';
import { attachedForm, PATIENT } from './support/attached-form.ts';
import { startSite } from './support/site.ts';
import { allowed, blocked } from './support/stub-service.ts';

const setup = attachedForm();

describe('a form that Postern is attached to, beside the site’s own code', () => {
  it('can have several fields', async () => {
    setup.answer = ({ body }) => (body.email === 'x@mailinator.com' ? blocked() : allowed());
    await setup.open(setup.form());
    await setup.page.evaluate(() => {
      const friend = document.createElement('input');
      friend.name = 'friend';
      document.querySelector('form')?.append(friend);
    });
    await setup.page.evaluate(
      "postern.attach('#sign-up', { field: '[name=friend]', verdictField: 'second' })",
    );
    await setup.page.fill('#email', 'jane@example.com');
    await setup.page.fill('[name=friend]', 'x@mailinator.com');
    await setup.page.click('text=Sign up');
    await setup.page.waitForSelector('[name=friend][data-postern=blocked]:focus');
    expect(setup.site.posted).toHaveLength(0);
    await setup.page.fill('[name=friend]', 'joe@example.com');
    await setup.page.click('text=Sign up');
    await setup.page.waitForSelector('text=Welcome');
    expect(setup.service.requests.map(({ body }) => body.email).sort()).toEqual([
      'jane@example.com',
      'joe@example.com',
      'x@mailinator.com',
    ]);
    expect(setup.site.posted[0]?.get('second')).not.toBe(setup.site.posted[0]?.get('postern-verdict'));
  });

  it('ignores a field that the page has replaced', async () => {
    await setup.open(setup.form());
    await setup.page.fill('#email', 'old@example.com');
    await setup.page.evaluate(() => {
      const old = document.querySelector('#email');
      old?.replaceWith(Object.assign(document.createElement('input'), { id: 'email', name: 'email' }));
    });
    await setup.page.evaluate("postern.attach('#sign-up', { field: '#email' })");
    await setup.page.fill('#email', 'new@example.com');
    await setup.page.click('text=Sign up');
    await setup.page.waitForSelector('text=Welcome');
    expect(setup.service.requests.map(({ body }) => body.email)).toEqual(['new@example.com']);
    expect(setup.site.posted[0]?.getAll('postern-verdict')).toHaveLength(1);
  });

  it('validates a value that a script set in the meantime', async () => {
    let give = () => {};
    setup.answer = ({ body }) =>
      body.email === 'x@mailinator.com'
        ? blocked()
        : new Promise((resolve) => {
            give = () => resolve(allowed());
          });
    await setup.open(setup.form());
    await setup.page.fill('#email', 'jane@example.com');
    await setup.page.click('text=Sign up');
    await expect.poll(() => setup.service.requests.length).toBe(1);
    await setup.page.evaluate(() => {
      const input = document.querySelector<HTMLInputElement>('#email');
      if (input !== null) input.value = 'x@mailinator.com';
    });
    give();
    await setup.status('blocked');
    expect(await setup.page.inputValue('#email')).toBe('x@mailinator.com');
    expect(setup.site.posted).toHaveLength(0);
  });

  it('still works if the site’s own handler throws', async () => {
    await setup.open(setup.form('{}', "maxRetries: 0, onProblem: () => { throw new Error('the site’s') }"));
    await setup.service.close();
    await setup.page.fill('#email', 'jane@example.com');
    await setup.page.click('text=Sign up');
    await setup.page.waitForSelector('text=Welcome');
  });

  it('starts again when the form is reset', async () => {
    setup.answer = () => blocked();
    await setup.open(setup.form());
    await setup.page.fill('#email', 'x@mailinator.com');
    await setup.page.press('#email', 'Tab');
    await setup.status('blocked');
    await setup.page.evaluate(() => document.querySelector('form')?.reset());
    await setup.status('idle');
    expect(await setup.page.textContent('.postern-message')).toBe('');
    expect(await setup.page.getAttribute('#email', 'aria-invalid')).toBeNull();
  });

  it.each(['button', 'input'])('leaves a %s alone that skips validation', async (kind) => {
    await setup.open(setup.form('{ debounceMs: 60_000 }'));
    await setup.page.fill('#email', 'jane@example.com');
    if (kind === 'button') await setup.page.click('text=Back');
    else await setup.page.click('[value=Skip]');
    await setup.page.waitForSelector('text=Welcome');
    expect(setup.service.requests).toHaveLength(0);
  });

  it('is restored when Postern is detached', async () => {
    await setup.open(setup.form());
    const before = await setup.page.evaluate(() => {
      const html = document.querySelector('form')?.outerHTML;
      return { html, describedBy: document.querySelector('input')?.getAttribute('aria-describedby') };
    });
    expect(before.describedBy).toBe('hint postern-message-1');
    await setup.page.evaluate('attached.detach()');
    expect(
      await setup.page.evaluate(() => document.querySelectorAll('[class^=postern], [type=hidden]').length),
    ).toBe(0);
    expect(await setup.page.getAttribute('#email', 'aria-describedby')).toBe('hint');
    await setup.page.fill('#email', 'jane@example.com');
    await setup.page.click('text=Sign up');
    await setup.page.waitForSelector('text=Welcome');
    expect(setup.service.requests).toHaveLength(0);
  });

  it('shows the site’s own texts', async () => {
    const texts = "{ suggestion: (a) => 'Meinten Sie ' + a + '?', accept: (a) => a + ' nehmen' }";
    await setup.open(setup.form(`{ texts: ${texts} }`));
    await setup.page.fill('#email', 'janedoe@gmial.com');
    await setup.page.press('#email', 'Tab');
    await setup.page.getByRole('button', { name: 'janedoe@gmail.com nehmen' }).waitFor();
    expect(await setup.page.textContent('.postern-message')).toBe('Meinten Sie janedoe@gmail.com?');
  });

  it('works under a strict content security policy', async () => {
    const html = `<!doctype html><html lang="en"><title>Sign up</title>
      <form id="sign-up" method="post"><label>Email <input name="email" type="email"></label><button>Sign up</button></form>
      <script src="/postern.js"></script><script src="/app.js"></script>`;
    const app = `Postern.createPosternClient({ baseUrl: '${setup.service.url}', projectId: 'demo', apiKey: 'key', ${PATIENT} }).attach('#sign-up');`;
    const policy = `default-src 'none'; script-src 'self'; connect-src ${setup.service.url}; form-action 'self'; base-uri 'none'`;
    setup.site = await startSite(
      { '/': html, '/app.js': app, '/postern.js': setup.script },
      { 'Content-Security-Policy': policy },
    );
    const context = await setup.browser.newContext({ locale: 'en-US' });
    setup.page = await context.newPage();
    const complaints: string[] = [];
    setup.page.on('console', (message) => complaints.push(message.text()));
    setup.page.on('pageerror', (error) => complaints.push(error.message));
    await setup.page.goto(setup.site.origin);
    await setup.page.getByLabel('Email').fill('janedoe@gmial.com');
    await setup.page.getByLabel('Email').press('Tab');
    await setup.page.getByRole('button', { name: 'Use janedoe@gmail.com' }).click();
    await setup.status('allowed');
    expect(setup.service.requests[0]?.body.fingerprintHash).toMatch(/^b2_/);
    expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([]);
  });
});
