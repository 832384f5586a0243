import type { RuleProposalsView } from '@postern/contract/dashboard';
import type { Rule } from '@postern/contract/rules';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { type DashboardClient, member } from '../../service/test/support/dashboard.ts';
import { plantPeople } from '../../service/test/support/planted-people.ts';
import { startService, type TestProject, type TestService } from '../../service/test/support/service.ts';
import { patient } from '../../service/test/support/until-counted.ts';
import { seriousViolations } from './support/axe.ts';
import { settled, signIn, visit } from './support/dashboard-page.ts';

let service: TestService;
let browser: Browser;
let project: TestProject;
let admin: DashboardClient;
let page: Page;
const path = (rest: string) => `/projects/${project.id}${rest}`;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), launchChromium()]);
  admin = await member(service, 'admin');
  project = patient(await service.makeProject());
  // Nearly all of the people whom it flags are good.
  const when = 'ip.country == "GB" && !email.tagged';
  await admin.post(path('/rules'), { id: 'wrong', name: 'British people', when, then: 'flag' });
  await plantPeople(service, project);
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
