import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { type DashboardClient, member } from '../../service/test/support/dashboard.ts';
import { seriousViolations } from './support/axe.ts';
import { openPage } from './support/dashboard-page.ts';
import { startWorkspace, type Workspace } from './support/workspace.ts';

const PROJECT = '/projects/acme-web';

let workspace: Workspace;
let browser: Browser;
let colleague: DashboardClient;

beforeAll(async () => {
  [workspace, browser] = await Promise.all([startWorkspace(20, 12), launchChromium()]);
  colleague = await member(workspace.service, 'admin');
});
afterAll(async () => {
  await browser?.close();
  await workspace?.service.close();
});

const open = (path: string) => openPage(browser, workspace.service, `/dashboard${PROJECT}${path}`);
const project = async () => (await colleague.get(PROJECT)).json;
const theySave = async (body: object, path = PROJECT) =>
  expect((await colleague.call('PATCH', path, body)).status).toBe(200);

/** The window has the focus again after a while, so the page asks for what is saved now. */
async function comeBack(page: Page): Promise<void> {
  await page.clock.setSystemTime(Date.now() + 3_600_000);
  const read = page.waitForResponse((response) => response.url().endsWith(PROJECT));
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await (await read).finished();
}

it('keeps the lines of both in the allowed domains', async () => {
  const { page, close } = await open('/origins');
  const domains = page.getByLabel('One per line');
  const saved = await domains.inputValue();
  await domains.fill(`${saved}\nmine.example`);
  await theySave({ allowedDomains: [...saved.split('\n').slice(1), 'theirs.example'] });
  const save = page.getByRole('button', { name: 'Save the domains' });
  await save.click();
  await page.getByText('Allowed domains: somebody else changed this meanwhile').first().waitFor();
  await expect.poll(() => domains.inputValue()).toContain('theirs.example\nmine.example');
  await save.click();
  await page.getByText('The allowed domains are saved.').waitFor();
  expect((await project()).allowedDomains).toEqual([
    ...saved.split('\n').slice(1),
    'theirs.example',
    'mine.example',
  ]);
  await close();
});

it('keeps a draft of the policy, and asks only about what both changed', async () => {
  const { page, close } = await open('/policy');
  const check = (name: string) => page.getByRole('group', { name: `When ${name} fails` });
  await check('Role address').getByText('Allow').click();
  await check('Alias').getByText('Off').click();
  await theySave({ policy: { actions: { disposable: 'flag' }, deviceThreshold: 9 } });
  await comeBack(page);
  await expect.poll(() => page.getByLabel(/^Device threshold/).inputValue()).toBe('9');
  expect(await check('Disposable').getByRole('radio', { name: 'Flag' }).isChecked()).toBe(true);
  expect(await check('Role address').getByRole('radio', { name: 'Allow' }).isChecked()).toBe(true);
  await page.getByText('2 changes not saved yet').waitFor();
  // This time the page does not know yet what the other one saved.
  await theySave({ policy: { actions: { roleEmail: 'block', alias: 'block' } } });
  await page.getByRole('button', { name: 'See what would change' }).click();
  await page.getByRole('button', { name: 'Save the policy' }).click();
  await page.getByText('Somebody else saved this meanwhile.').waitFor();
  expect(await seriousViolations(page)).toEqual([]);
  const review = page.getByRole('button', { name: 'See what would change' });
  expect(await review.isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Keep yours: allow' }).click();
  await page.getByRole('button', { name: 'Take theirs: block' }).click();
  await page.getByText('1 change not saved yet').waitFor();
  await review.click();
  await page.getByRole('button', { name: 'Save the policy' }).click();
  await page.getByText('The policy is saved').waitFor();
  expect((await project()).policy).toMatchObject({
    actions: { roleEmail: 'allow', alias: 'block', disposable: 'flag' },
    deviceThreshold: 9,
  });
  await page.getByText('not saved yet').waitFor({ state: 'detached' });
  await close();
});

it('keeps a draft of a rule, and asks only about what both changed', async () => {
  const rule = { id: 'shared', name: 'Shared', when: 'email.role', then: 'flag', mode: 'shadow' };
  expect((await colleague.post(`${PROJECT}/rules`, rule)).status).toBe(201);
  const { page, close } = await open('/rules/shared/edit');
  const condition = page.getByRole('textbox', { name: 'Condition' });
  await page.getByLabel('Note (optional)').fill('My note');
  await condition.fill('email.role && email.tagged');
  await theySave({ name: 'Theirs' }, `${PROJECT}/rules/shared`);
  await comeBack(page);
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Theirs');
  expect(await condition.inputValue()).toBe('email.role && email.tagged');
  await theySave({ when: 'email.tagged' }, `${PROJECT}/rules/shared`);
  const save = page.getByRole('button', { name: 'Save the rule' });
  await save.click();
  await page.getByText('The rule: somebody else changed this meanwhile').waitFor();
  await page.getByRole('button', { name: 'Take theirs: email.tagged', exact: true }).click();
  expect(await condition.inputValue()).toBe('email.tagged');
  await save.click();
  await page.getByRole('heading', { name: 'Theirs', level: 1 }).waitFor();
  const saved = (await colleague.get(`${PROJECT}/rules/shared`)).json.rule;
  expect(saved).toMatchObject({ name: 'Theirs', when: 'email.tagged', note: 'My note' });
  await close();
});

it('keeps the draft of a rule that was deleted meanwhile, and makes it again', async () => {
  const { page, close } = await open('/rules/shared/edit');
  await page.getByLabel('Note (optional)').fill('Still needed');
  expect((await colleague.call('DELETE', `${PROJECT}/rules/shared`)).status).toBe(204);
  await comeBack(page);
  await page.getByText('Somebody else deleted this rule.').waitFor();
  await page.getByRole('button', { name: 'Create the rule' }).click();
  await page.getByRole('heading', { name: 'Theirs', level: 1 }).waitFor();
  expect((await colleague.get(`${PROJECT}/rules/shared`)).json.rule).toMatchObject({ note: 'Still needed' });
  await close();
});

it('keeps what is typed in the settings', async () => {
  const { page, close } = await open('/settings');
  const name = page.getByLabel('Name', { exact: true });
  const retention = page.getByLabel(/^Log retention/);
  await name.fill('Mine');
  await page.getByLabel(/^Visitor rate/).fill('77');
  await theySave({ name: 'Theirs', logRetentionDays: 20 });
  await comeBack(page);
  await expect.poll(() => retention.inputValue()).toBe('20');
  await page.getByRole('button', { name: 'Keep yours: Mine' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The name is saved.').waitFor();
  await page.getByRole('button', { name: 'Save the limits' }).click();
  await page.getByText('The limits are saved').waitFor();
  expect(await project()).toMatchObject({ name: 'Mine', logRetentionDays: 20, visitorRate: 77 });
  await close();
});
