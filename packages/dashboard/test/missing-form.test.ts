import { scriptTag } from '@postern/contract/sdk-files';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { type Site, startSite } from '../../sdk/test/support/site.ts';
import { startService, type TestProject, type TestService } from '../../service/test/support/service.ts';
import { violations } from './support/axe.ts';
import { OWNER, PASSWORD, settled, signIn, type Visitor, visit } from './support/dashboard-page.ts';

let service: TestService;
let browser: Browser;
let owner: Visitor;
let site: Site;
let project: TestProject;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), launchChromium()]);
  const { createAccount } = await import('../../service/dist/operations/accounts.js');
  await service.admin((admin) => createAccount(admin, { ...OWNER, password: PASSWORD }, 'owner'));
  project = await service.makeProject({ allowedDomains: ['localhost:*'] });
  const manifest = await (await fetch(`${service.url}/sdk`)).json();
  const tag = scriptTag(service.url, manifest, {
    project: project.id,
    key: project.clientKey,
    form: '#sign-up',
  });
  const form = '<form id="register"><label>Email <input type="email" name="email"></label></form>';
  site = await startSite({ '/': `<!doctype html><title>Join</title>${form}${tag}` });
  owner = await visit(browser, service);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await service?.close();
});

const said = (page: Page) => page.getByText('The script loaded, but found no form #sign-up');

it('Today and the keys say that a script found no form, until its key is used', async () => {
  const { page } = owner;
  await signIn(page, OWNER.email);
  await page.goto(`/dashboard/projects/${project.id}`);
  await page.getByText(/of 6 steps done/).waitFor();
  expect(await said(page).count()).toBe(0);

  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(site.origin);
  // The list asks by itself.
  await page
    .locator('[data-step=snippet]')
    .getByText('The script loaded, but found no form #sign-up')
    .waitFor();
  await page.goto(`/dashboard/projects/${project.id}/keys`);
  await said(page).waitFor();
  await settled(page);
  expect(await violations(page)).toEqual([]);

  await project.validateFromPage({ email: 'jane.doe@gmail.com' }, { origin: site.origin });
  await said(page).waitFor({ state: 'detached' });
  expect(owner.complaints).toEqual([]);
});
