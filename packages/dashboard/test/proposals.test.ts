import type { RuleProposalsView } from '@postern/contract/dashboard';
import type { Rule } from '@postern/contract/rules';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { type DashboardClient, member } from '../../service/test/support/dashboard.ts';
import { ordinaryMail } from '../../service/test/support/dns-server.ts';
import { plantPeople } from '../../service/test/support/planted-people.ts';
import {
  KNOWN_MAIL,
  startService,
  type TestProject,
  type TestService,
} from '../../service/test/support/service.ts';
import { patient } from '../../service/test/support/until-counted.ts';
import { seriousViolations } from './support/axe.ts';
import { settled, signIn, visit } from './support/dashboard-page.ts';

let service: TestService;
let browser: Browser;
let project: TestProject;
let admin: DashboardClient;
let page: Page;
const path = (rest: string) => `/projects/${project.id}${rest}`;

/** All of them turned out good. */
const ROLE_PEOPLE = 40;
const ROLE_DOMAINS = Array.from({ length: ROLE_PEOPLE }, (_, index) => `quiet-office-${index}.net`);

async function plantGoodRoles(): Promise<void> {
  const emails = ROLE_DOMAINS.map((domain) => `sales@${domain}`);
  for (const email of emails) await project.validate({ email });
  const outcomes = emails.map((email) => ({ email, outcome: 'good' }));
  const headers = { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id };
  const body = JSON.stringify({ outcomes });
  await service.ask({ method: 'POST', path: '/v1/outcomes', headers, body });
}

beforeAll(async () => {
  [service, browser] = await Promise.all([
    startService({ zone: { ...KNOWN_MAIL, ...ordinaryMail(...ROLE_DOMAINS) } }),
    launchChromium(),
  ]);
  admin = await member(service, 'admin');
  project = patient(await service.makeProject());
  // Nearly all of the people whom it flags are good.
  const when = 'ip.country == "GB" && !email.tagged';
  await admin.post(path('/rules'), { id: 'wrong', name: 'British people', when, then: 'flag' });
  await plantPeople(service, project);
  await plantGoodRoles();
  page = (await visit(browser, service)).page;
  await signIn(page, admin.email);
  await page.goto(`/dashboard/projects/${project.id}/what-works`);
  await settled(page);
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

it('names a live rule that hits fewer bad people than average', async () => {
  const notice = page.getByText(/The rule British people flags, but only \d+ of \d+ people/);
  await notice.waitFor();
  const { rulesGoneBad } = (await admin.get(path('/outcomes'))).json;
  expect(rulesGoneBad).toMatchObject([{ id: 'wrong', then: 'flag', known: expect.any(Number) }]);
});

it('suggests to do less on a check whose people are no worse than others, and does it', async () => {
  const suggestion = page.getByRole('listitem').filter({ hasText: 'Do less on' });
  await suggestion.getByText(/Do less on .*Role address.* Allow them instead of flagging\./).waitFor();
  await suggestion.getByRole('link', { name: 'Try it in the time machine' }).click();
  const dialog = page.getByRole('dialog', { name: 'Time machine' });
  await dialog.getByText('validations replayed').waitFor();
  const noLonger = dialog
    .locator('div')
    .filter({ has: page.getByText('No longer flagged', { exact: true }) });
  await noLonger.last().getByText(String(ROLE_PEOPLE), { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Save the policy' }).click();
  await page.getByText('The policy is saved and applies to new requests.').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  expect((await admin.get(path(''))).json.policy.actions.roleEmail).toBe('allow');
  expect((await project.validate({ email: 'sales@mail-house.net' })).json).toMatchObject({
    recommendation: 'allow',
    checks: { roleEmail: { pass: false } },
  });
  await page.goto(`/dashboard/projects/${project.id}/what-works`);
  await settled(page);
  expect(await suggestion.count()).toBe(0);
});

it('shows proposed rules, replays the log with one, and creates it in shadow', async () => {
  const found: RuleProposalsView = (await admin.get(path('/rule-proposals'))).json;
  const best = found.proposals[0]?.when ?? '';
  const row = page
    .getByRole('list', { name: 'Proposed rules' })
    .getByRole('listitem')
    .filter({ hasText: best });
  await row.first().getByRole('button', { name: 'Try it in the time machine' }).click();
  const dialog = page.getByRole('dialog', { name: 'Time machine' });
  await dialog.getByText('validations replayed').waitFor();
  const people = dialog.getByRole('region', { name: 'People with a known outcome' });
  await people.getByText(/With the change: 40 of 48 .* blocked/).waitFor();
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create it in shadow' }).click();
  await page.getByText('The rule is created in shadow.').waitFor();
  const rules: Rule[] = (await admin.get(path('/rules'))).json;
  expect(rules.at(-1)).toMatchObject({ when: best, then: 'block', mode: 'shadow' });
  await row.waitFor({ state: 'detached' });
});
