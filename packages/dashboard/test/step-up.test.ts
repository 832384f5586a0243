import { readFile } from 'node:fs/promises';
import type { Challenge } from '@postern/contract';
import type { ProjectView, RuleView, StepUpVendorView } from '@postern/contract/dashboard';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { noticeCampaigns } from '../../service/test/support/campaign-people.ts';
import { startService, type TestProject, type TestService } from '../../service/test/support/service.ts';
import { FAST_ATTACK, solveWork } from '../../service/test/support/step-up.ts';
import { patient } from '../../service/test/support/until-counted.ts';
import { seriousViolations } from './support/axe.ts';
import { OWNER, openPage, PASSWORD } from './support/dashboard-page.ts';

let service: TestService;
let project: TestProject;
let browser: Browser;
let page: Page;
let close: () => Promise<void>;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), launchChromium()]);
  const { createAccount } = await import('../../service/dist/operations/accounts.js');
  await service.admin((admin) => createAccount(admin, { ...OWNER, password: PASSWORD }, 'owner'));
  project = patient(await service.makeProject({ name: 'Shop' }));
  ({ page, close } = await openPage(browser, service, path('/policy')));
});
afterAll(async () => {
  await close?.();
  await browser?.close();
  await service?.close();
});

const path = (rest: string) => `/dashboard/projects/${project.id}${rest}`;
const ask = async <T>(rest: string): Promise<T> =>
  (await page.request.get(`/dashboard/api/v1/projects/${project.id}${rest}`)).json();
/** The page has read the saved policy again. */
const saved = () => page.getByText('not saved yet').waitFor({ state: 'detached' });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const shot = (name: string) =>
  process.env.SCREENSHOTS &&
  page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true });

it('a vendor is chosen when its account is entered, and its account stays while flags ask for it', async () => {
  const asks = page.getByRole('group', { name: 'What a flag asks for' });
  const account = page.getByRole('region', { name: 'CAPTCHA account' });
  await asks.getByText('Your CAPTCHA vendor').click();
  await button('See what would change').click();
  await button('Save the policy').click();
  await page.getByRole('alert').getByText('First enter the account at your CAPTCHA vendor').waitFor();
  expect((await ask<ProjectView>('')).policy.stepUp).toBe('none');
  await page.keyboard.press('Escape');

  await account.getByRole('button', { name: 'Enter the account…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('hCaptcha').click();
  await dialog.getByLabel('Site key').fill(' 10000000-ffff ');
  await dialog.getByLabel('Secret').fill('0x0000-secret');
  await dialog.getByText('People pass').click();
  expect(await seriousViolations(page)).toEqual([]);
  await shot('account');
  await button('Save the account').click();
  await account.getByText('hCaptcha, site key 10000000-ffff. While it is away, people pass.').waitFor();
  const stored = { vendor: 'hcaptcha', siteKey: '10000000-ffff', away: 'allow' };
  expect(await ask<StepUpVendorView>('/step-up-vendor')).toEqual(stored);
  // The draft of the policy is still there.
  await button('See what would change').click();
  await button('Save the policy').click();
  await saved();
  expect((await ask<ProjectView>('')).policy.stepUp).toBe('vendor');
  expect(await seriousViolations(page)).toEqual([]);
  await shot('policy');

  // The secret stays when something else changes; another vendor needs another one.
  await account.getByRole('button', { name: 'Change…' }).click();
  await dialog.getByText('People stay flagged').click();
  await button('Save the account').click();
  await account.getByText('people stay flagged').waitFor();
  expect(await ask<StepUpVendorView>('/step-up-vendor')).toEqual({ ...stored, away: 'flag' });
  await account.getByRole('button', { name: 'Forget…' }).click();
  await button('Forget it').click();
  await page.getByRole('alert').getByText('Flags ask for it').waitFor();
  await page.keyboard.press('Escape');
  await asks.getByText('Work of the browser').click();
  await page.getByRole('group', { name: 'Effort of the work' }).getByText('Low').click();
  await button('See what would change').click();
  await button('Save the policy').click();
  await saved();
  expect((await ask<ProjectView>('')).policy.stepUp).toBe('work');
  await account.getByRole('button', { name: 'Forget…' }).click();
  await button('Forget it').click();
  await account.getByText('None.').waitFor();
  expect(await ask<StepUpVendorView>('/step-up-vendor')).toMatchObject({ vendor: null });
});

it('a rule asks for its own; the log, the campaign and the results say who passed', async () => {
  await page.goto(path('/new-rule'));
  await page.getByRole('textbox', { name: 'Condition' }).fill('email.domain == "mail-house.net"');
  await page.getByRole('radio', { name: 'Flag' }).check();
  await page.getByRole('radio', { name: 'Work of the browser' }).check();
  await page.getByRole('radio', { name: 'Live' }).check();
  await page.getByLabel('Name').fill('Mail house');
  await button('Create the rule').click();
  await page.getByRole('heading', { name: 'Mail house', level: 1 }).waitFor();
  expect(await ask<RuleView[]>('/rules')).toMatchObject([{ id: 'mail_house', then: 'flag', stepUp: 'work' }]);

  const challenges: Challenge[] = [];
  for (const attacker of FAST_ATTACK) challenges.push((await project.validate(attacker)).json.challenge);
  for (const { id, work } of challenges.slice(-2)) {
    const body = JSON.stringify({ proof: solveWork(work ?? expect.fail('there is no work')) });
    const headers = { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id };
    const done = await service.ask({ method: 'POST', path: `/v1/challenges/${id}`, headers, body });
    expect(done.json).toMatchObject({ passed: true });
  }
  await page.goto(path('/validations'));
  const said = (text: string) =>
    page.getByRole('row').getByText(text, { exact: true }).filter({ visible: true });
  await said('passed work').first().waitFor();
  expect(await said('passed work').count()).toBe(2);
  expect(await said('asked for work').count()).toBeGreaterThan(5);
  await shot('log');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const [head = '', ...lines] = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
  const column = head.split(',').indexOf('stepUp');
  const results = lines.map((line) => line.split(',')[column]);
  expect(results.filter((result) => result === 'work passed')).toHaveLength(2);
  expect(results.filter((result) => result === 'work open').length).toBeGreaterThan(5);
  const row = page.getByRole('row').filter({ hasText: 'passed work' }).first();
  await row.getByRole('link').first().click();
  await page.getByRole('dialog').getByText('passed work').waitFor();
  await shot('drawer');

  await noticeCampaigns(service);
  const figures = page.getByRole('region', { name: 'Step-up' }).getByRole('row').nth(1).getByRole('cell');
  await page.goto(path('/campaigns'));
  await page.getByRole('row').nth(1).getByRole('link').click();
  await expect.poll(() => figures.allInnerTexts()).toHaveLength(7);
  expect((await figures.allInnerTexts()).slice(0, 4)).toEqual(['Work of the browser', '40', '2', '0']);
  expect(await seriousViolations(page)).toEqual([]);
  await shot('campaign');
  await page.goto(path('/what-works'));
  await expect.poll(() => figures.allInnerTexts()).toHaveLength(7);
  expect((await figures.allInnerTexts()).slice(0, 4)).toEqual(['Work of the browser', '40', '2', '0']);
});
