import { createRequire } from 'node:module';
import type { StepUpKind } from '@postern/contract';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CaptchaDesk, startCaptchaDesk } from '../../service/test/support/captcha-desk.ts';
import { type Mailbox, startMailbox } from '../../service/test/support/mailbox.ts';
import {
  startService,
  type TestProject,
  type TestService,
  updateProject,
} from '../../service/test/support/service.ts';
import { bundlePageScript } from './support/bundle.ts';
import { launchChromium } from './support/chromium.ts';
import { type Site, startSite } from './support/site.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const PHONE = { viewport: { width: 375, height: 667 }, isMobile: true, hasTouch: true };

let browser: Browser;
let service: TestService;
let mailbox: Mailbox;
let desk: CaptchaDesk;
let script: string;
beforeAll(async () => {
  [mailbox, desk] = await Promise.all([startMailbox(), startCaptchaDesk()]);
  [browser, service, script] = await Promise.all([
    launchChromium(),
    startService({ env: { ...mailbox.env, ...desk.env } }),
    bundlePageScript(),
  ]);
});
afterAll(async () => {
  await Promise.all([browser.close(), service.close()]);
  await Promise.all([mailbox.close(), desk.close()]);
});

const askingFor = (stepUp: StepUpKind) =>
  service.makeProject({
    allowedDomains: ['localhost:*'],
    policy: { stepUp, stepUpEffort: 'low', actions: { roleEmail: 'flag' } },
  });

/** A sign-up form with the script tag alone, under a policy that allows no inline style or script and no worker. */
function formSite({ id, clientKey }: TestProject, lang = 'en'): Promise<Site> {
  const policy = `default-src 'none'; script-src 'self' https://challenges.cloudflare.com; connect-src ${service.url}; form-action 'self'; base-uri 'none'`;
  const html = `<!doctype html><html lang="${lang}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign up</title>
    <link rel="icon" href="data:,"><main><h1>Sign up</h1><form id="sign-up" method="post" action="/sign-up"><label for="email">Email</label>
    <input id="email" name="email" type="email" autocomplete="email"><button>Sign up</button></form></main>
    <script async src="/postern.js" data-project="${id}" data-key="${clientKey}" data-url="${service.url}" data-timeout-ms="60000"></script></html>`;
  return startSite({ '/': html, '/postern.js': script }, { 'Content-Security-Policy': policy });
}

async function openForm(
  site: Site,
  email: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; errors: string[] }> {
  const page = await (await browser.newContext({ locale: 'en-US', ...options })).newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    // The favicon, which the content policy refuses.
    if (message.type() === 'error' && !message.text().includes('data:,')) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(site.origin);
  await page.waitForFunction(() => document.querySelector('.postern-message') !== null);
  await page.fill('#email', email);
  return { page, errors };
}

const claimsOf = (site: Site, index = 0) =>
  JSON.parse(
    Buffer.from(site.posted[index]?.get('postern-verdict')?.split('.')[1] ?? '', 'base64url').toString(),
  );

it('asks for a mailed code in the form, on a phone, in its language, and sends the second verdict', async () => {
  const site = await formSite(await askingFor('code'), 'de');
  const { page, errors } = await openForm(site, 'info@mail-house.net', { ...PHONE, locale: 'de-DE' });
  await page.click('button');
  const input = page.getByLabel('Code', { exact: true });
  await input.waitFor();
  const panel = page.locator('.postern-step-up');
  await page.waitForFunction(() => document.activeElement?.getAttribute('autocomplete') === 'one-time-code');
  expect(await panel.textContent()).toContain('Wir haben einen Code an info@mail-house.net geschickt.');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/code.png` });
  // The content policy binds the page, not the test.
  await page.evaluate(await (await import('node:fs/promises')).readFile(AXE, 'utf8'));
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } };
    return (await axe.run()).violations.map(({ id }) => id);
  });
  expect(violations).toEqual([]);

  const [code = ''] = await mailbox.codesFor('info@mail-house.net');
  await input.fill(code === '111111' ? '222222' : '111111');
  await input.press('Enter');
  await page.getByText('Das ist nicht der Code.').waitFor();
  expect(await input.getAttribute('aria-invalid')).toBe('true');
  expect(site.posted).toHaveLength(0);
  // As pasted from the mail; the form’s own button confirms, too.
  await input.fill(` ${code.slice(0, 3)} ${code.slice(3)}`);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.waitForSelector('text=Welcome');
  expect(site.posted.map((form) => [...form.keys()])).toEqual([['email', 'postern-verdict']]);
  expect(claimsOf(site)).toMatchObject({ recommendation: 'allow', steppedUp: 'code' });
  expect(errors).toEqual([]);
  await page.context().close();
  await site.close();
});

it('sends the code again after 30 seconds, asks anew for another address, and lets nobody be trapped', async () => {
  const site = await formSite(await askingFor('code'));
  const { page } = await openForm(site, 'support@mail-house.net');
  await page.clock.install();
  await page.click('button');
  await page.getByText('We sent a code to support@mail-house.net.').waitFor();
  const again = page.getByRole('button', { name: 'Send the code again' });
  expect(await again.isVisible()).toBe(false);
  await page.clock.fastForward(31_000);
  await again.click();
  await page.getByText('We sent the code again.').waitFor();
  const codes = await mailbox.codesFor('support@mail-house.net', 2);
  expect([codes.length, new Set(codes).size]).toEqual([2, 1]);

  // Another address ends the question; its own submit asks again.
  await page.fill('#email', 'sales@mail-house.net');
  await page.locator('.postern-step-up').waitFor({ state: 'detached' });
  expect(site.posted).toHaveLength(0);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByText('We sent a code to sales@mail-house.net.').waitFor();
  await page.getByRole('button', { name: 'Continue without a code' }).click();
  await page.waitForSelector('text=Welcome');
  expect(claimsOf(site)).toMatchObject({ recommendation: 'flag' });

  // Back in the page the form works again, and another tab is asked for itself.
  await page.goBack();
  await page.fill('#email', 'office@mail-house.net');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByText('We sent a code to office@mail-house.net.').waitFor();
  const other = await openForm(site, 'help@mail-house.net');
  await other.page.click('button');
  await other.page.getByText('We sent a code to help@mail-house.net.').waitFor();
  await other.page.context().close();
  // The service is away: the sign-up goes on as flagged.
  await page.route(`${service.url}/**`, (route) => route.abort());
  await page.getByLabel('Code').fill('123456');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForSelector('text=Welcome');
  expect(claimsOf(site, 1)).toMatchObject({ recommendation: 'flag' });
  await page.context().close();
  await site.close();
});

it('lets the browser work, without a worker, and says so', async () => {
  const site = await formSite(await askingFor('work'));
  const { page, errors } = await openForm(site, 'billing@mail-house.net', PHONE);
  // Sees the panel, however short the work is.
  await page.evaluate(() => {
    new MutationObserver(() => {
      const bar = document.querySelector<HTMLProgressElement>('.postern-step-up progress');
      if (bar !== null)
        sessionStorage.setItem('seen', `${bar.max} ${bar.getAttribute('aria-label')?.slice(0, 10)}`);
    }).observe(document, { childList: true, subtree: true });
  });
  await page.click('button');
  await page.waitForSelector('text=Welcome');
  expect(await page.evaluate(() => sessionStorage.getItem('seen'))).toBe('300 One moment');
  expect(claimsOf(site)).toMatchObject({ recommendation: 'allow', steppedUp: 'work' });
  expect(errors).toEqual([]);
  await page.context().close();
  await site.close();
});

it('shows the widget of the site’s own vendor, and goes on flagged if that does not load', async () => {
  const project = await askingFor('work');
  const { storeRoutes } = await import('../../service/dist/dashboard-api/store-routes.js');
  const { operationsOf } = await import('../../service/dist/operations/run-operation.js');
  const account = { vendor: 'turnstile', siteKey: 'site', secret: 'secret of turnstile' } as const;
  await service.admin(async (admin) => {
    await operationsOf(storeRoutes, admin)('POST /projects/:id/step-up-vendor', { id: project.id }, account);
    await updateProject(admin, project.id, { policy: { stepUp: 'vendor' } });
  });
  const site = await formSite(project);
  const { page } = await openForm(site, 'press@mail-house.net', PHONE);
  await page.route('https://challenges.cloudflare.com/**', (route) => route.abort());
  await page.click('button');
  await page.waitForSelector('text=Welcome');
  expect(claimsOf(site)).toMatchObject({ recommendation: 'flag' });
  await page.goBack();
  await page.unrouteAll();
  const widget = `window.turnstile = { render: (place, { sitekey, callback }) => {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'I am human ' + sitekey });
    button.onclick = () => callback('good token of turnstile');
    place.append(button);
  } };`;
  await page.route('https://challenges.cloudflare.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: widget }),
  );
  await page.fill('#email', 'jobs@mail-house.net');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('button', { name: 'I am human site' }).click();
  await page.waitForSelector('text=Welcome');
  expect(claimsOf(site, 1)).toMatchObject({ recommendation: 'allow', steppedUp: 'vendor' });
  await page.context().close();
  await site.close();
});
