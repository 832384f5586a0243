import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SdkManifest } from '@postern/contract/sdk-files';
import { scriptTag } from '@postern/contract/sdk-files';
import type { Browser } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { member } from '../../service/test/support/dashboard.ts';
import { startService, type TestProject, type TestService } from '../../service/test/support/service.ts';
import { launchChromium } from './support/chromium.ts';
import { type Site, startSite } from './support/site.ts';

let browser: Browser;
let service: TestService;
let project: TestProject;
let manifest: SdkManifest;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  [browser, service] = await Promise.all([launchChromium(), startService()]);
  project = await service.makeProject({ allowedDomains: ['localhost:*'] });
  manifest = (await (await fetch(`${service.url}/sdk`)).json()) as SdkManifest;
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

const FORM = `<form id="sign-up" method="post" action="/sign-up">
  <label>Email <input name="email" type="email" required></label><button>Sign up</button></form>`;

/** A server that takes connections and never answers. */
async function hangingServer(): Promise<string> {
  const server: Server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function openPage(body: string, headers: Record<string, string> = {}, waitUntil?: 'domcontentloaded') {
  const html = `<!doctype html><html lang="de"><title>Sign up</title><link rel="icon" href="data:,">${body}`;
  const site: Site = await startSite({ '/': html }, headers);
  const page = await (await browser.newContext({ locale: 'en-US' })).newPage();
  closers.push(async () => {
    await page.context().close();
    await site.close();
  });
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/security policy|trusted/i.test(message.text())) violations.push(message.text());
  });
  await page.goto(site.origin, waitUntil && { waitUntil });
  return { page, site, violations };
}

const tag = (data = '') =>
  scriptTag(service.url, manifest, { project: project.id, key: project.clientKey, form: '#sign-up' }).replace(
    '></script>',
    ` data-timeout-ms="60000" ${data}></script>`,
  );

it('the tag from /sdk protects a form without an inline script, under a strict content policy', async () => {
  const policy = `default-src 'none'; img-src data:; script-src ${service.url}; connect-src ${service.url}; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'`;
  // Before the form, where an ordinary script would have to wait.
  const { page, site, violations } = await openPage(tag() + FORM, { 'Content-Security-Policy': policy });
  await page.waitForSelector('.postern-help');
  const field = page.getByLabel('Email');
  await field.fill('x@mailinator.com');
  await field.press('Enter');
  await page.getByText('Bitte verwenden Sie eine dauerhafte E-Mail-Adresse.').waitFor();
  expect(site.posted).toEqual([]);
  await field.fill('jane.doe@gmail.com');
  await field.press('Enter');
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  expect(site.posted[0]?.get('postern-verdict')).toMatch(/^ey/);
  expect(violations).toEqual([]);
});

it('calls that the page queued are made when the script comes, and later ones at once', async () => {
  const queue =
    '<script>var seen = []; (window.postern ||= []).push((P, client) => seen.push(typeof P.canSubmit, client !== null));</script>';
  const { page } = await openPage(FORM + queue + tag());
  await page.waitForFunction('seen.length === 2');
  await page.evaluate(
    'postern.push(() => { throw new Error("of the page"); }, (P) => seen.push(typeof P.createPosternClient))',
  );
  expect(await page.evaluate('seen')).toEqual(['function', true, 'function']);
});

it('a page does not wait for a service that hangs, and its form says that it is checking before it goes unchecked', async () => {
  const hanging = await hangingServer();
  const late = scriptTag(hanging, null, { project: 'demo', key: 'key', form: '#sign-up' });
  // With an ordinary script tag this never came.
  const { page } = await openPage(late + FORM, {}, 'domcontentloaded');
  expect(await page.getByLabel('Email').isVisible()).toBe(true);

  const asking = await openPage(FORM + tag(`data-url="${hanging}"`).replace('60000', '4000'));
  await asking.page.waitForSelector('.postern-help');
  const field = asking.page.getByLabel('Email');
  await field.fill('jane.doe@gmail.com');
  await field.press('Enter');
  await asking.page.getByRole('status').getByText('Die Adresse wird geprüft…').waitFor();
  expect(await field.getAttribute('aria-busy')).toBe('true');
  await asking.page.getByRole('heading', { name: 'Welcome' }).waitFor();
  expect(asking.site.posted[0]?.get('postern-verdict')).toBe(null);
});

it('protects a form that comes later, and one whose field is replaced', async () => {
  const { page, site } = await openPage(tag());
  await page.waitForFunction('Array.isArray(window.postern)');
  await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), FORM);
  await page.waitForSelector('.postern-help');
  await page.evaluate(() => {
    document.querySelector('label')?.replaceWith(document.querySelector('label')?.cloneNode(true) ?? '');
  });
  await page.waitForSelector('[name=email][aria-describedby]');
  await page.getByLabel('Email').fill('x@mailinator.com');
  await page.getByLabel('Email').press('Enter');
  await page.getByText('Bitte verwenden Sie eine dauerhafte E-Mail-Adresse.').waitFor();
  expect(await page.locator('.postern-help').count()).toBe(1);
  expect(site.posted).toEqual([]);
});

it('tells the service that there is no such form, and no longer once the key is used', async () => {
  const own = await service.makeProject({ allowedDomains: ['localhost:*'] });
  const admin = await member(service, 'admin');
  const noForm = async () => (await admin.get(`/projects/${own.id}/onboarding`)).json.noForm;
  const ownTag = scriptTag(service.url, manifest, { project: own.id, key: own.clientKey, form: '#sign-up' });
  const wrong = FORM.replace('id="sign-up"', 'id="register"');
  const { page } = await openPage(wrong + ownTag);
  await expect.poll(noForm).toEqual([expect.objectContaining({ form: '#sign-up' })]);
  await page.evaluate('document.forms[0].id = "sign-up"; document.body.append("")');
  await page.waitForSelector('.postern-help');
  await page.getByLabel('Email').fill('jane.doe@gmail.com');
  await page.getByLabel('Email').press('Tab');
  await expect.poll(noForm).toEqual([]);
});

it('says in the console that a tag without a key protects nothing', async () => {
  const said: string[] = [];
  const { page } = await openPage(FORM);
  page.on('console', (message) => said.push(message.text()));
  const load = (attributes: Record<string, string>) =>
    page.evaluate(
      (given) =>
        new Promise((resolve) => {
          const script = document.createElement('script');
          for (const [name, value] of Object.entries(given)) script.setAttribute(name, value);
          script.onload = resolve;
          document.head.append(script);
        }),
      { src: `${service.url}/sdk/postern.js`, ...attributes },
    );
  await load({ 'data-project': 'demo', 'data-apikey': 'k' });
  await load({ 'data-project': 'demo', 'data-key': 'k', type: 'module' });
  await expect
    .poll(() => said)
    .toEqual([
      'Postern protects no form: its script tag has no data-key. It has: project, apikey',
      'Postern protects no form: its script tag must not have type="module"',
    ]);
});

it('keeps the address when the person comes back, in a form with one field', async () => {
  // Such a page is not in the back/forward cache, so the browser restores the fields one by one.
  const { page } = await openPage(FORM + tag(), { 'Cache-Control': 'no-store' });
  await page.waitForSelector('.postern-help');
  await page.getByLabel('Email').fill('jane.doe@gmail.com');
  await page.getByLabel('Email').press('Enter');
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  await page.goBack();
  expect(await page.getByLabel('Email').inputValue()).toBe('jane.doe@gmail.com');
});

it('fills a field for the verdict that is in the page already, and sends it once', async () => {
  const own = FORM.replace('<button>', '<input type="hidden" name="postern-verdict"><button>');
  const { page, site } = await openPage(own + tag());
  await page.waitForSelector('.postern-help');
  await page.getByLabel('Email').fill('jane.doe@gmail.com');
  await page.getByLabel('Email').press('Enter');
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  expect(site.posted[0]?.getAll('postern-verdict')).toEqual([expect.stringMatching(/^ey/)]);
});
