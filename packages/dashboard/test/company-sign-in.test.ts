import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { startService, type TestService } from '../../service/test/support/service.ts';
import { startOidcProvider, type TestProvider } from '../../service/test/support/test-oidc-provider.ts';
import { seriousViolations } from './support/axe.ts';
import { OWNER, PASSWORD, visit } from './support/dashboard-page.ts';

describe('company sign-in', () => {
  let provider: TestProvider;
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    // Another site than the dashboard’s, so that its cookies come and go as they do in real life.
    provider = await startOidcProvider('localhost');
    const env = {
      POSTERN_OIDC_ISSUER: provider.issuer,
      POSTERN_OIDC_CLIENT_ID: provider.clientId,
      POSTERN_OIDC_CLIENT_SECRET: provider.clientSecret,
      POSTERN_OIDC_NAME: 'Example Inc.',
      POSTERN_OIDC_ROLES: 'groups=team:analyst',
      POSTERN_PASSWORDS: 'off',
    };
    [service, browser] = await Promise.all([startService({ env }), launchChromium()]);
    await provider.register(`${service.url}/dashboard/api/auth/company/callback`);
    provider.people.set('s-1', { email: 'jane@example.com', name: 'Jane', groups: ['team'] });
    provider.people.set('s-2', { email: 'joe@example.com', name: 'Joe', groups: [] });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await provider?.close();
  });

  it('leads to the provider and back, says what went wrong, and leaves an owner the link of the command line', async () => {
    const { page, complaints } = await visit(browser, service);
    const whoIsIn = () => page.evaluate(async () => (await fetch('/dashboard/api/v1/session')).json());
    await page.goto('/dashboard/');
    await page.getByRole('link', { name: 'Sign in with Example Inc.' }).waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);

    provider.person = 's-2';
    await page.getByRole('link', { name: 'Sign in with Example Inc.' }).click();
    await page.getByText('have no role here').waitFor();
    // The provider remembers who is signed in there.
    await page.context().clearCookies({ domain: 'localhost' });
    provider.person = 's-1';
    await page.getByRole('link', { name: 'Sign in with Example Inc.' }).click();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    expect((await whoIsIn()).user).toMatchObject({ email: 'jane@example.com', role: 'analyst' });

    const { createAccount } = await import('../../service/dist/operations/accounts.js');
    const { makeSignInLink } = await import('../../service/dist/operations/links.js');
    await service.admin((admin) => createAccount(admin, { ...OWNER, password: PASSWORD }, 'owner'));
    const { token } = await service.admin((admin) => makeSignInLink(admin, OWNER.email));
    await page.goto(`/dashboard/enter#token=${token}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    expect((await whoIsIn()).user).toMatchObject({ email: OWNER.email, role: 'owner' });
    await page.goto(`/dashboard/enter#token=${token}`);
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This link was used already').waitFor();
    expect(complaints).toEqual([]);
  });
});
