import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { failFiles } from '../../sdk/test/support/failing-files.ts';
import { startService, type TestService } from '../../service/test/support/service.ts';
import { seriousViolations } from './support/axe.ts';
import { OWNER, openPage, PASSWORD, signIn, visit } from './support/dashboard-page.ts';
import { LIVELY_MAIL } from './support/lively-project.ts';
import { startWorkspace, type Workspace } from './support/workspace.ts';

const PROJECT = '/dashboard/projects/acme-web';

let workspace: Workspace;
let browser: Browser;

beforeAll(async () => {
  [workspace, browser] = await Promise.all([startWorkspace(20, 12), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await workspace?.service.close();
});

const open = (path: string) => openPage(browser, workspace.service, path);

describe('a session that ends while someone works', () => {
  it('is renewed on top of the page, and the form keeps what was typed', async () => {
    const { page, close } = await open(`${PROJECT}/settings`);
    await page.context().clearCookies();
    await page.getByLabel('Name', { exact: true }).fill('Acme web, renamed');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password').fill(PASSWORD);
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Acme web, renamed');
    expect(await page.getByText('Sign in first.').count()).toBe(0);
    // It is unknown whether the person still wants it, so it is not sent again by itself.
    await page.getByText('Your last change was not saved: please send it once more.').first().waitFor();
    // Leaving would lose what was typed.
    await page.getByRole('link', { name: 'Today' }).first().click();
    const question = page.getByRole('dialog', { name: 'Leave the page?' });
    await question.getByText('The name has changes that are not saved.').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Acme web, renamed');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The name is saved.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Acme web');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await close();
  });

  it('is noticed by the live log, which continues after the sign-in', async () => {
    const { page, close } = await open(`${PROJECT}/validations`);
    await page.getByText('Live: new validations appear automatically').waitFor();
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await page.context().addCookies(cookies);
    // The log is read again, and its answer arrives after a newer row.
    let [read, release] = [() => {}, () => {}];
    const wasRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Not what asks for new rows only.
    await page.route(/\/validations\?(?!.*\bfrom=)/, async (route) => {
      const response = await route.fetch();
      const { rows, ...others } = await response.json();
      read();
      await released;
      await route.fulfill({
        response,
        json: { rows: [{ ...rows[0], maskedAddress: 'o***@older.example' }, ...rows.slice(1)], ...others },
      });
    });
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await page.getByText('Live: new validations appear automatically').waitFor();
    await wasRead;
    await workspace.lively.validate({ email: 'xaver.after@gmail.com' });
    await page.getByRole('link', { name: 'x***@gmail.com' }).waitFor();
    release();
    await page.getByRole('link', { name: 'o***@older.example' }).waitFor();
    await page.getByRole('link', { name: 'x***@gmail.com' }).waitFor();
    await close();
  });
});

describe('a page that cannot be loaded', () => {
  it.each([
    ['Connect', /assets\/keys-page/, 'Keys and code'],
    ['Investigate', /assets\/validations-page/, 'Sign-ups'],
  ])(
    'keeps the current page and what was typed there, and can be tried again: %s',
    async (name, file, title) => {
      const { page, close } = await open(`${PROJECT}/settings`);
      const files = await failFiles(page, file);
      // Settings ask before text is lost.
      const leave = page
        .getByRole('dialog', { name: 'Leave the page?' })
        .getByRole('button', { name: 'Leave' });
      await page.getByLabel('Name', { exact: true }).fill('Half a name');
      await page.getByRole('link', { name }).click();
      const failed = page.getByText('That page could not be loaded').first();
      // Whichever of the two is asked first.
      await leave.or(failed).waitFor();
      if (await leave.isVisible()) await leave.click();
      await failed.waitFor();
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half a name');
      expect(page.url()).toContain('/settings');
      files.restore();
      await page.getByRole('link', { name }).click();
      await leave.click();
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      await close();
    },
  );

  it('can be tried again if it is the first one', async () => {
    const { page, context } = await visit(browser, workspace.service);
    await signIn(page, OWNER.email);
    const files = await failFiles(page, /assets\/overview-page/);
    await page.goto(PROJECT);
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    files.restore();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Acme web', level: 1 }).waitFor();
    await context.close();
  });
});

// The last of this file, because it stops the service.
describe('a service that stops while someone works', () => {
  let restarted: TestService | undefined;
  afterAll(() => restarted?.close());

  it('is told on every page, and continues without losing a form', async () => {
    const { service, lively } = workspace;
    const log = await open(`${PROJECT}/validations`);
    await log.page.getByText('Live: new validations appear automatically').waitFor();
    const form = await open(`${PROJECT}/settings`);
    const name = form.page.getByLabel('Name', { exact: true });
    const save = form.page.getByRole('button', { name: 'Save', exact: true });
    const down = 'The service does not answer. Nothing on this page is lost.';
    await name.fill('Acme web, restarted');
    await service.stop('SIGKILL');
    await save.click();
    await form.page.getByText(down).waitFor();
    await log.page.getByText(down).waitFor();
    expect(await seriousViolations(log.page)).toEqual([]);
    restarted = await startService({
      dataDir: service.dataDir,
      zone: LIVELY_MAIL,
      env: { POSTERN_PORT: String(service.port) },
    });
    await form.page.getByText(down).first().waitFor({ state: 'hidden' });
    expect(await name.inputValue()).toBe('Acme web, restarted');
    await save.click();
    await form.page.getByText('The name is saved.').waitFor();
    await log.page.getByText(down).first().waitFor({ state: 'hidden' });
    await lively.validate({ email: 'quentin.after@gmail.com' });
    await log.page.getByRole('link', { name: 'q***@gmail.com' }).waitFor();
    await Promise.all([log.close(), form.close()]);
  });
});
