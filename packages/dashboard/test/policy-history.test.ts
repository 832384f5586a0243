import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { type DashboardClient, member } from '../../service/test/support/dashboard.ts';
import { seriousViolations } from './support/axe.ts';
import { OWNER, settled, signIn, visit } from './support/dashboard-page.ts';
import { startWorkspace, type Workspace } from './support/workspace.ts';

const POLICY = '/dashboard/projects/acme-web/policy';
const HISTORY = '/dashboard/projects/acme-web/policy-history';

let workspace: Workspace;
let browser: Browser;
let admin: DashboardClient;
let viewer: DashboardClient;
let page: Page;

beforeAll(async () => {
  [workspace, browser] = await Promise.all([startWorkspace(20, 12), launchChromium()]);
  [admin, viewer] = [await member(workspace.service, 'admin'), await member(workspace.service, 'viewer')];
  page = await open(OWNER.email, POLICY);
});
afterAll(async () => {
  await browser?.close();
  await workspace?.service.close();
});

async function open(email: string, path: string): Promise<Page> {
  const visitor = await visit(browser, workspace.service);
  await signIn(visitor.page, email);
  await visitor.page.goto(path);
  await settled(visitor.page);
  return visitor.page;
}
const roleAction = async () =>
  (await admin.get('/projects/acme-web')).json.policy.actions.roleEmail as string | undefined;

it('shows a saved change with its reason, and one click goes back to before', async () => {
  const before = await roleAction();
  expect(before).not.toBe('block');
  await page.getByRole('group', { name: 'When Role address fails' }).getByText('Block').click();
  await page.getByRole('button', { name: 'See what would change' }).click();
  await page.getByLabel('Why (optional)').fill('Bots use role addresses');
  await page.getByRole('button', { name: 'Save the policy' }).click();
  await page.getByText('The policy is saved').waitFor();
  expect(await roleAction()).toBe('block');

  await page.getByRole('link', { name: 'History' }).click();
  const versions = page.getByRole('list', { name: 'Versions' });
  await versions.getByText('Bots use role addresses').waitFor();
  await versions.getByText(`Check roleEmail: block, was ${before}.`).waitFor();
  expect(await seriousViolations(page)).toEqual([]);
  const { rows } = (await admin.get('/projects/acme-web/policy-history')).json;
  const previous = rows[1].version;
  await page.getByRole('button', { name: `Go back to version ${previous}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Time machine' });
  await dialog.getByText('Check roleEmail: ').waitFor();
  await dialog.getByText('replayed').waitFor();
  expect(await roleAction()).toBe('block');
  await dialog.getByRole('button', { name: `Go back to version ${previous}` }).click();
  await page.getByText('The earlier policy is saved again').waitFor();
  await versions.getByText(`Back to version ${previous}.`).waitFor();
  expect(await roleAction()).toBe(before);
  const [newest] = (await admin.get('/projects/acme-web/policy-history')).json.rows;
  expect(newest).toMatchObject({ version: rows[0].version + 1, reason: `Back to version ${previous}.` });
});

it('compares two versions in words', async () => {
  const [newest, changed] = (await admin.get('/projects/acme-web/policy-history')).json.rows;
  await page.goto(HISTORY);
  await settled(page);
  await page.getByRole('button', { name: `Compare version ${newest.version}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Version ${newest.version} compared` });
  await dialog.getByRole('list', { name: 'Differences' }).getByText(newest.changes[0]).waitFor();
  await dialog.getByLabel('Compared with').selectOption(String(changed.version - 1));
  await dialog.getByText('Both have the same policy and rules.').waitFor();
  expect(await seriousViolations(page)).toEqual([]);
});

it('lets a viewer read it, but not go back', async () => {
  const theirs = await open(viewer.email, HISTORY);
  await theirs.getByText('Bots use role addresses').waitFor();
  expect(await theirs.getByRole('button', { name: /^Compare version/ }).count()).toBeGreaterThan(1);
  expect(await theirs.getByRole('button', { name: /^Go back/ }).count()).toBe(0);
});
