import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../../sdk-browser/test/support/chromium.ts';
import { OWNER, settled, signIn, visit } from './support/dashboard-page.ts';
import { startWorkspace, type Workspace } from './support/workspace.ts';

const SETTINGS = '/dashboard/projects/acme-web/settings';

let workspace: Workspace;
let browser: Browser;

beforeAll(async () => {
  [workspace, browser] = await Promise.all([startWorkspace(20, 12), launchChromium()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await workspace?.service.close();
});

async function openSettings(): Promise<Page> {
  const { page } = await visit(browser, workspace.service);
  await signIn(page, OWNER.email);
  await page.goto(SETTINGS);
  await settled(page);
  return page;
}

it('does not overwrite settings that somebody else saved while the form was open', async () => {
  const [mine, theirs] = [await openSettings(), await openSettings()];
  const domains = (page: Page) => page.getByLabel('One per line');
  const saved = await domains(theirs).inputValue();
  const save = async (page: Page, text: string) => {
    await domains(page).fill(text);
    await page.getByRole('button', { name: 'Save the domains' }).click();
  };
  await save(theirs, `${saved}\ntheirs.example`);
  await theirs.getByText('The allowed domains are saved.').waitFor();
  await save(mine, `${saved}\nmine.example`);
  await mine.getByText('Allowed domains: somebody else changed this meanwhile').waitFor();
  expect(await domains(mine).inputValue()).toContain('mine.example');
  await mine.reload();
  expect(await domains(mine).inputValue()).toBe(`${saved}\ntheirs.example`);
});
