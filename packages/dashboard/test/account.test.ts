import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../sdk-browser/test/support/chromium.ts';
import { startService, type TestService } from '../../service/test/support/service.ts';
import { OWNER, PASSWORD, signIn, visit } from './support/dashboard-page.ts';
import { totp } from './support/totp.ts';

const NEW_PASSWORD = 'another horse entirely';

describe('an account', () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  let backupCode = '';

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), launchChromium()]);
    const { createAccount } = await import('../../service/dist/administration/accounts.js');
    await service.admin((admin) => createAccount(admin, { ...OWNER, password: PASSWORD }, 'owner'));
    page = (await visit(browser, service)).page;
    await signIn(page, OWNER.email);
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
    await page.goto('/dashboard/account');
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
    await signIn(page, OWNER.email, NEW_PASSWORD);
  });

  it('switches a second factor on, with a QR code, a key to type and backup codes', async () => {
    await page.goto('/dashboard/account');
    await page.getByLabel('Your password, to be sure').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Switch on' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: 'QR code' }).waitFor();
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
});
