import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { OWNER, settled, signIn, visit } from './support/dashboard-page.ts';
import { startWorkspace, type Workspace } from './support/workspace.ts';

const SETTINGS = '/dashboard/projects/acme-web/origins';
const POLICY = '/dashboard/projects/acme-web/policy';

let workspace: Workspace;
let browser: Browser;

beforeAll(async () => {
  [workspace, browser] = await Promise.all([startWorkspace(20, 12), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await workspace?.service.close();
});

async function open(path: string): Promise<Page> {
  const { page } = await visit(browser, workspace.service);
  await signIn(page, OWNER.email);
  await page.goto(path);
  await settled(page);
  return page;
}

it('does not overwrite settings that somebody else saved while the form was open', async () => {
  const [mine, theirs] = [await open(SETTINGS), await open(SETTINGS)];
  const domains = (page: Page) => page.getByLabel('One per line');
  const saved = await domains(theirs).inputValue();
  const save = async (page: Page, text: string) => {
    await domains(page).fill(text);
    await page.getByRole('button', { name: 'Save the domains' }).click();
  };
  await save(theirs, `${saved}\ntheirs.example`);
  await theirs.getByText('The allowed domains are saved.').waitFor();
  await save(mine, `${saved}\nmine.example`);
  await mine.getByText('Allowed domains: somebody else changed this meanwhile').first().waitFor();
  expect(await domains(mine).inputValue()).toContain('mine.example');
  await mine.reload();
  expect(await domains(mine).inputValue()).toBe(`${saved}\ntheirs.example`);
});

it('does not overwrite a check’s action that somebody else saved while the policy was open', async () => {
  const [mine, theirs] = [await open(POLICY), await open(POLICY)];
  const save = async (page: Page, action: string) => {
    await page.getByRole('group', { name: 'When Role address fails' }).getByText(action).click();
    await page.getByRole('button', { name: 'See what would change' }).click();
    await page.getByRole('button', { name: 'Save the policy' }).click();
  };
  await save(theirs, 'Block');
  await theirs.getByText('The policy is saved').waitFor();
  await save(mine, 'Allow');
  await mine.getByText('Policy: somebody else changed this meanwhile').first().waitFor();
  await mine.reload();
  await settled(mine);
  const saved = mine
    .getByRole('group', { name: 'When Role address fails' })
    .getByRole('radio', { name: 'Block' });
  expect(await saved.isChecked()).toBe(true);
});
