import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { freePort } from '../../service/test/support/free-port.ts';
import { type Mailbox, startMailbox } from '../../service/test/support/mailbox.ts';
import { startService, type TestService } from '../../service/test/support/service.ts';
import { seriousViolations } from './support/axe.ts';
import { OWNER, PASSWORD, signInByForm, visit } from './support/dashboard-page.ts';

const NEW_PASSWORD = 'another horse entirely';
const WAIT = { timeout: 100_000, interval: 50 };

describe('accounts by mail', () => {
  let service: TestService;
  let mailbox: Mailbox;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    mailbox = await startMailbox();
    const port = String(await freePort());
    const env = { ...mailbox.env, POSTERN_PORT: port, POSTERN_PUBLIC_URL: `http://127.0.0.1:${port}` };
    [service, browser] = await Promise.all([startService({ env }), launchChromium()]);
    const { createAccount } = await import('../../service/dist/operations/accounts.js');
    await service.admin((admin) => createAccount(admin, { ...OWNER, password: PASSWORD }, 'owner'));
    page = (await visit(browser, service)).page;
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await mailbox?.close();
  });

  const linkOf = (mail: number) =>
    /https?:\/\/\S+#token=\S+/.exec(mailbox.received[mail]?.text ?? '')?.[0] ?? '';

  it('a forgotten password is replaced with the link in a mail, once', async () => {
    await page.goto('/dashboard/sign-in');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    // The sign-in page, which stays until this one is loaded, has a field of the same name.
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    await page.getByLabel('Email').fill(OWNER.email);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await vi.waitFor(() => expect(mailbox.received).toHaveLength(1), WAIT);

    await page.goto(linkOf(0));
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('heading', { name: 'The password is set' }).waitFor();
    await signInByForm(page, OWNER.email, NEW_PASSWORD);

    const other = (await visit(browser, service)).page;
    await other.goto(linkOf(0));
    await other.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await other.context().close();
  });

  it('an invitation is sent to the address that the owner types', async () => {
    await page.goto('/dashboard/members');
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('grace@example.com');
    await dialog.getByRole('button', { name: 'Send the invitation' }).click();
    await dialog.getByText('The invitation was sent to grace@example.com.').waitFor();
    expect(mailbox.received.at(-1)?.to).toEqual(['grace@example.com']);

    const guest = (await visit(browser, service)).page;
    await guest.goto(linkOf(mailbox.received.length - 1));
    await guest.getByLabel('Your name').fill('Grace Hopper');
    await guest.getByLabel('Email').fill('grace@example.com');
    await guest.getByLabel('Password').fill(PASSWORD);
    await guest.getByRole('button', { name: 'Join' }).click();
    await guest.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await guest.context().close();
  });
});
