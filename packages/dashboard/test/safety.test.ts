import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { startService, type TestService } from '../../service/test/support/service.ts';
import { seriousViolations } from './support/axe.ts';
import { OWNER, PASSWORD, settled, signIn, type Visitor, visit } from './support/dashboard-page.ts';

let service: TestService;
let browser: Browser;
let owner: Visitor;
let page: Page;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), launchChromium()]);
  const { createAccount } = await import('../../service/dist/operations/accounts.js');
  await service.admin((admin) => createAccount(admin, { ...OWNER, password: PASSWORD }, 'owner'));
  await service.makeProject({ id: 'shop', name: 'Shop', serverReserve: 0 });
  owner = await visit(browser, service);
  page = owner.page;
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

it('links each unsafe setting to the page that fixes it, until all are safe', async () => {
  await signIn(page, OWNER.email);
  await page.goto('/dashboard/projects/shop');
  await settled(page);
  await page.getByText('Waiting for the first validation').waitFor();
  const checklist = page.getByRole('region', { name: 'Safety checklist' });
  await checklist.getByText('2 of 7 settings could be exploited by attackers').waitFor();
  expect(await checklist.getByRole('img', { name: 'Unsafe' }).count()).toBe(2);
  expect(await checklist.getByRole('img', { name: 'Safe', exact: true }).count()).toBe(5);
  expect(await seriousViolations(page)).toEqual([]);

  await checklist.getByRole('link', { name: 'Client overrides: Open the policy' }).click();
  await page.getByRole('heading', { name: 'Checks', level: 1 }).waitFor();
  await page.getByText('Only stricter', { exact: true }).click();
  await page.getByText('No reason', { exact: true }).click();
  await page.getByText('Verify', { exact: true }).click();
  await page.getByRole('button', { name: 'See what would change' }).click();
  await page.getByRole('button', { name: 'Save the policy' }).click();
  await page.getByText('The policy is saved and applies to new requests').waitFor();

  const saved = await service.admin(({ store }) => store.projects.find('shop'));
  expect(saved?.policy).toMatchObject({ clientOverrides: 'tighten', refusal: 'quiet', agents: 'verify' });

  await page.goto('/dashboard/projects/shop');
  await checklist.getByText('1 of 7 settings could be exploited by attackers').waitFor();
  await checklist.getByRole('link', { name: 'Server reserve: Open the settings' }).click();
  await page.getByLabel(/^Reserve/).fill('500');
  await page.getByRole('button', { name: 'Save the limits' }).click();
  await page.getByText('The limits are saved').waitFor();

  await page.goto('/dashboard/projects/shop');
  await page.getByText('All safety settings are fine. No door asked within 7 days.').waitFor();
  expect(owner.complaints).toEqual([]);
});

it('lets an admin of one project set its limits against strangers, not its plan, quota and rates', async () => {
  const { createAccount } = await import('../../service/dist/operations/accounts.js');
  const { memberOperations } = await import('../../service/dist/operations/members.js');
  const { operationsOf } = await import('../../service/dist/operations/run-operation.js');
  const tenant = { name: 'Tenant', email: 'tenant@example.com', password: PASSWORD };
  await service.admin(async (admin) => {
    const { id } = await createAccount(admin, tenant, 'viewer');
    const change = { role: 'none', projects: { shop: 'admin' } } as const;
    await operationsOf(memberOperations, admin)('PATCH /members/:id', { id }, change);
  });
  const visitor = await visit(browser, service);
  await signIn(visitor.page, tenant.email);
  await visitor.page.goto('/dashboard/projects/shop/settings');
  await settled(visitor.page);
  await visitor.page
    .getByText(
      'Plan, Own monthly quota, Client key rate, Server key rate: an admin of all projects sets these.',
    )
    .waitFor();
  for (const label of [/^Plan$/, /^Own monthly quota/, /^Client key rate/, /^Server key rate/])
    expect(await visitor.page.getByLabel(label).isDisabled(), String(label)).toBe(true);
  await visitor.page.getByLabel(/^Visitor rate/).fill('60');
  await visitor.page.getByLabel(/^Log retention/).fill('7');
  await visitor.page.getByRole('button', { name: 'Save the limits' }).click();
  await visitor.page.getByText('The limits are saved').waitFor();
  const saved = await visitor.page.request.get('/dashboard/api/v1/projects/shop');
  expect(await saved.json()).toMatchObject({ visitorRate: 60, logRetentionDays: 7, plan: 'free' });
  expect(visitor.complaints).toEqual([]);
});
