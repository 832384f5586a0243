import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { startService, type TestService } from '../../service/test/support/service.ts';
import { seriousViolations } from './support/axe.ts';
import { OWNER, PASSWORD, settled, signIn, signInByForm, visit } from './support/dashboard-page.ts';
import { totp } from './support/totp.ts';

const NEW_PASSWORD = 'another horse entirely';

/** Sections move while those above them load, and a click would miss its button. */
async function openAccount(page: Page): Promise<void> {
  await page.goto('/dashboard/account');
  await settled(page);
}

describe('an account', () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  let backupCode = '';

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), launchChromium()]);
    const { createAccount } = await import('../../service/dist/operations/accounts.js');
    await service.admin((admin) => createAccount(admin, { ...OWNER, password: PASSWORD }, 'owner'));
    page = (await visit(browser, service)).page;
    await signInByForm(page, OWNER.email);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const enterPassword = async (password: string) => {
    await page.goto('/dashboard/sign-in');
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  it('has an access token that can do what the pages can', async () => {
    await openAccount(page);
    await page.getByLabel('Name of the token').fill('Deploy script');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const token = (await page.getByRole('dialog').locator('code').first().innerText()).trim();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const ask = () =>
      service.ask({
        method: 'GET',
        path: '/dashboard/api/v1/session',
        headers: { authorization: `Bearer ${token}` },
      });
    expect((await ask()).json?.user.email).toBe(OWNER.email);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No tokens yet').waitFor();
    expect((await ask()).status).toBe(401);
  });

  it('has an access token that only reads, and only one project', async () => {
    const [shop, other] = [await service.makeProject({ name: 'Shop' }), await service.makeProject()];
    await openAccount(page);
    await page.getByLabel('Name of the token').fill('Weekly report');
    await page.getByLabel('Access', { exact: true }).selectOption({ label: 'Read only' });
    await page.getByLabel('Project', { exact: true }).selectOption({ label: 'Only in Shop' });
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const token = (await page.getByRole('dialog').locator('code').first().innerText()).trim();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('cell', { name: 'Read only, only in Shop' }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    const ask = async (method: string, path: string) =>
      service.ask({
        ...{ method, path: `/dashboard/api/v1/projects/${path}` },
        headers: { authorization: `Bearer ${token}` },
      });
    expect((await ask('GET', shop.id)).json).toMatchObject({ name: 'Shop' });
    expect((await ask('GET', other.id)).status).toBe(403);
    const refused = await ask('POST', `${shop.id}/archive`);
    expect([refused.status, refused.json.error]).toEqual([
      403,
      expect.stringContaining('may only read (GET)'),
    ]);
    expect((await page.request.get(`/dashboard/api/v1/projects/${shop.id}`)).status()).toBe(200);
    expect((await ask('GET', shop.id)).json.archivedAt).toBeNull();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No tokens yet').waitFor();
    expect((await ask('GET', shop.id)).status).toBe(401);
  });

  it('changes its password', async () => {
    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByRole('alert').first().waitFor();
    await page.getByLabel('Name of the token').fill('Nightly report');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page
      .getByLabel(/remove my access tokens \(Nightly report\)/)
      .first()
      .check();
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('The password is changed').waitFor();
    await page.getByText('No tokens yet').waitFor();
    await enterPassword(PASSWORD);
    await page.getByText('The address or the password is wrong').waitFor();
    await signInByForm(page, OWNER.email, NEW_PASSWORD);
  });

  it('switches a second factor on, with a QR code, a key to type and backup codes', async () => {
    await openAccount(page);
    await page.getByLabel('Your password, to be sure').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Switch on' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: 'QR code' }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    const secret = (await dialog.locator('code').first().innerText()).trim();
    backupCode = (await dialog.getByRole('listitem').first().innerText()).trim();
    await dialog.getByLabel('Enter the code').fill('000000');
    await dialog.getByRole('button', { name: 'Switch it on' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Enter the code').fill(totp(secret, Date.now()));
    await dialog.getByRole('button', { name: 'Switch it on' }).click();
    await page.getByText('The second factor is on.').waitFor();
    await page.getByRole('button', { name: 'Switch off' }).waitFor();
  });

  it('then asks for a code after the password, and accepts a backup code once', async () => {
    await page.context().clearCookies();
    await enterPassword(NEW_PASSWORD);
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
    await page.getByRole('button', { name: 'Use a backup code' }).click();
    await page.getByLabel('Backup code').fill(backupCode);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  });

  describe('of another person', () => {
    const GRACE = { name: 'Grace Hopper', email: 'grace@example.com' };
    let grace: Page;

    beforeAll(async () => {
      const { createAccount } = await import('../../service/dist/operations/accounts.js');
      await service.admin((admin) => createAccount(admin, { ...GRACE, password: PASSWORD }, 'viewer'));
      grace = (await visit(browser, service)).page;
      await signIn(grace, GRACE.email);
    });

    it('sees its sessions by device, and ends one or all others', async () => {
      const others = [await visit(browser, service), await visit(browser, service)];
      for (const { page: other } of others) await signIn(other, GRACE.email);
      await openAccount(grace);
      const sessions = grace.getByRole('region', { name: 'Sessions' }).last();
      await sessions.getByText('this one').waitFor();
      const ends = sessions.getByRole('button', { name: 'Sign out Chrome on Linux' });
      const before = await ends.count();
      await ends.first().click();
      await grace.getByText('The session is ended.').waitFor();
      await expect.poll(() => ends.count()).toBe(before - 1);
      await grace.getByRole('button', { name: 'Sign out all others' }).click();
      await grace.getByText('All other sessions are ended.').waitFor();
      await grace.getByRole('button', { name: 'Sign out all others' }).waitFor({ state: 'hidden' });
      for (const { page: other, context } of others) {
        await other.goto('/dashboard/account');
        await other.getByRole('heading', { name: 'Sign in' }).waitFor();
        await context.close();
      }
      await grace.reload();
      await sessions.getByText('this one').waitFor();
    });
  });
});
