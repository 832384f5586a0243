import { DASHBOARD_API, REVIEW_MAX_COUNTED } from '@postern/contract/dashboard';
import type { Browser, Page, Route } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { startService, type TestProject, type TestService } from '../../service/test/support/service.ts';
import { patient } from '../../service/test/support/until-counted.ts';
import { seriousViolations } from './support/axe.ts';
import { OWNER, PASSWORD, sendListed, signIn, visit } from './support/dashboard-page.ts';
import { LIVELY_MAIL } from './support/lively-project.ts';

const GRACE = { name: 'Grace Hopper', email: 'grace@example.com' };
const ADMIN_LINK = 'https://admin.example/users?request={requestId}';

let service: TestService;
let browser: Browser;
let project: TestProject;
let quiet: TestProject;
let page: Page;

/** Everyone with a role address was bad, the others were good. So one check is worth blocking on. */
async function seedOutcomes(): Promise<void> {
  const outcomes: object[] = [];
  for (let index = 0; index < 40; index += 1) {
    const bad = index < 32;
    const email = bad ? `support@s${index}.mail-house.net` : `jane.doe${index}@mail-house.net`;
    await project.validate({ email, validations: { roleEmail: 'allow' } });
    outcomes.push({ email, outcome: bad ? 'bad' : 'good' });
  }
  const headers = { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id };
  const body = JSON.stringify({ outcomes });
  const answer = await service.ask({ method: 'POST', path: '/v1/outcomes', headers, body });
  expect(answer.json).toEqual({ recorded: 40, unknown: [] });
}

beforeAll(async () => {
  [service, browser] = await Promise.all([
    startService({ zone: LIVELY_MAIL, env: { POSTERN_ADMIN_LINK: ADMIN_LINK } }),
    launchChromium(),
  ]);
  const { createAccount } = await import('../../service/dist/operations/accounts.js');
  await service.admin(async (admin) => {
    await createAccount(admin, { ...OWNER, password: PASSWORD }, 'owner');
    await createAccount(admin, { ...GRACE, password: PASSWORD }, 'admin');
  });
  project = patient(await service.makeProject({ name: 'Shop' }));
  quiet = patient(await service.makeProject({ name: 'Quiet shop' }));
  await seedOutcomes();
  page = (await visit(browser, service)).page;
  await signIn(page, OWNER.email);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

async function open(path: string, on: Page = page): Promise<void> {
  await on.goto(`/dashboard/projects/${path}`);
  // Not by role: a drawer that opens with the page hides the heading from assistive technology.
  await on.locator('h1').waitFor();
  await on.waitForFunction(() => document.querySelector('[data-pending]') === null);
}

describe('what works', () => {
  it('explains how to report outcomes while there are none', async () => {
    await open(`${quiet.id}/what-works`);
    await page.getByText('No outcomes yet').waitFor();
    await page.getByText(`X-Project-Id: ${quiet.id}`).waitFor();
    await page.getByText(`--project ${quiet.id}`).waitFor();
  });

  it('records outcomes from a file, or says which line is wrong', async () => {
    await quiet.validate({ email: 'ida.lovelace@mail-house.net' });
    await open(`${quiet.id}/what-works`);
    const choose = page.getByLabel('Drop a CSV file here, or choose one');
    const file = (text: string) =>
      choose.setInputFiles({ name: 'outcomes.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await file('email,outcome\nida.lovelace@mail-house.net,nice\n');
    await page
      .getByRole('alert')
      .getByText(/^line 2: outcome/)
      .waitFor();
    await file('email,outcome\nida.lovelace@mail-house.net,good\nstranger@mail-house.net,bad\n');
    await page.getByText('1 outcome known: 0% of them bad.').waitFor();
    const known = await page.request.get(`${DASHBOARD_API}/projects/${quiet.id}/outcomes`);
    expect(await known.json()).toMatchObject({ known: 1, bad: 0 });
  });

  it('shows each check with its interval, and the time machine what blocking on one would do', async () => {
    await open(`${project.id}/what-works`);
    await page.getByText('40 people were validated, 40 outcomes known: 80% of them bad.').waitFor();
    await page.getByRole('radio', { name: 'Checks' }).check();
    const row = page.getByRole('row', { name: /Role address/ });
    await row.getByRole('img', { name: '100% bad, between 89% and 100%' }).waitFor();
    await row.getByText('1.3×').waitFor();
    await open(`${project.id}/policy`);
    await page.getByRole('group', { name: 'When Role address fails' }).getByText('Block').click();
    await page.getByRole('button', { name: 'See what would change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Time machine' });
    const people = dialog.getByRole('region', { name: 'People with a known outcome' });
    // The requests asked for `allow` themselves; compared is what the policy of today says.
    await people.getByText('Today: 0 of 32 (0%) blocked, 32 flagged').waitFor();
    await dialog.getByText(/32 validations were answered differently at the time/).waitFor();
    await people.getByText('With the change: 32 of 32 (100%) blocked, 0 flagged').waitFor();
    await people.getByText('With the change: 0 of 8 (0%) blocked, 0 flagged').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByText('The policy is saved and applies to new requests.').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('In 90 days 32 people failed it; known: 32 bad, 0 good (0%).').waitFor();
    expect((await project.validate({ email: 'sales@mail-house.net' })).json.recommendation).toBe('block');
  });
});

describe('the review queue', () => {
  const flagged = [
    'amanda+one@gmail.com',
    'bernard+two@gmail.com',
    'carla+three@northwind.dev',
    'daniel+four@northwind.dev',
  ];
  const row = (name: string, on: Page = page) => on.getByRole('button', { name: new RegExp(`^${name}\\*`) });
  const expanded = (name: string) => page.locator('button[aria-expanded=true]', { hasText: `${name}***` });

  beforeAll(async () => {
    for (const email of flagged) {
      const answer = await project.validate({ email, validations: { alias: 'flag', syntax: 'block' } });
      expect(answer.json.recommendation, email).toBe('flag');
    }
  });

  it('says “or more” where it stops counting', async () => {
    await page.route(/\/review\?/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), open: REVIEW_MAX_COUNTED } });
    });
    await open(`${project.id}/settings`);
    await page.getByRole('link', { name: 'Review 1,000 or more waiting' }).waitFor();
    expect(await page.getByRole('link', { name: /^Review/ }).innerText()).toContain('1,000+');
    await page.unroute(/\/review\?/);
  });

  it('explains itself while it is empty', async () => {
    await open(`${quiet.id}/review`);
    await page.getByText('Nothing to review').waitFor();
  });

  it('has keyboard shortcuts, and keeps the decision of the member who was first', async () => {
    await open(`${project.id}/review`);
    const nav = page.getByRole('navigation', { name: 'Places' });
    await nav.getByRole('link', { name: 'Review 4 waiting' }).waitFor();
    await expanded('a').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Next sign-up').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await expanded('b').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await expanded('b').waitFor();

    const grace = await visit(browser, service);
    await signIn(grace.page, GRACE.email);
    await open(`${project.id}/review`, grace.page);
    await row('b', grace.page).waitFor();
    expect(await seriousViolations(grace.page)).toEqual([]);

    // Grace decides first; Ada's page still shows the row.
    await page.route('**/review?*', (route) => route.abort());
    await row('b', grace.page).click();
    await grace.page.keyboard.press('a');
    await grace.page.getByText('b***@gmail.com is marked as good.').waitFor();
    await page.keyboard.press('r');
    await row('b').waitFor({ state: 'detached' });
    await page.getByText('b***@gmail.com: Somebody else has already decided this one.').first().waitFor();
    await page.unroute('**/review?*');
    await grace.context.close();
  });

  it('passes a row on, and puts a domain or an address on a list with an end date', async () => {
    await open(`${project.id}/review`);
    await expanded('a').waitFor();
    // The answer to this one arrives last, and must not hide what the next decision shows.
    const held: Route[] = [];
    const holdFirst = (route: Route) => (held.length > 0 ? route.fallback() : void held.push(route));
    await page.route('**/decide', holdFirst);
    await page.keyboard.press('p');
    await row('a').waitFor({ state: 'detached' });
    await expanded('c').waitFor();
    // Enter leaves the field, so that the next key decides and is not typed.
    await page.getByLabel('Reason (optional)').fill('spam');
    await page.keyboard.press('Enter');
    const sent = page.waitForRequest((one) => one.postData()?.includes('"reason":"spam"') ?? false);
    await page.keyboard.press('r');
    await sent;
    await page.getByText('c***@northwind.dev is marked as bad.').waitFor();
    const others = page.getByRole('region', { name: 'Others in 30 days' });
    await others.getByText('1 other, all known bad').first().waitFor();
    await others.getByRole('link', { name: 'Same domain' }).waitFor();
    const answered = page.waitForResponse((one) => one.request().postData()?.includes('passed') ?? false);
    await held[0]?.fallback();
    await (await answered).finished();
    await page.unroute('**/decide');
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Block northwind.dev…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Block this domain' });
    await dialog.getByLabel('Until').selectOption('7');
    await sendListed(dialog, 'Block');
    await page.getByText('northwind.dev is answered with “block” for 7 days.').first().waitFor();
    // Keys do nothing while the dialog is still closing.
    await dialog.waitFor({ state: 'detached' });
    expect((await project.validate({ email: 'eve@northwind.dev' })).json.recommendation).toBe('block');

    await page.keyboard.press('a');
    await page.getByText('d***@northwind.dev is marked as good.').waitFor();
    await page.getByRole('button', { name: 'Always allow this person…' }).click();
    const person = page.getByRole('dialog', { name: 'Always allow this person' });
    await sendListed(person, 'Always allow');
    await person.waitFor({ state: 'detached' });
    // A person is more specific than the blocked domain.
    expect((await project.validate({ email: 'daniel+four@northwind.dev' })).json.recommendation).toBe(
      'allow',
    );
    await page.getByText('Nothing to review').waitFor();
    await page.getByRole('link', { name: 'Review', exact: true }).waitFor();
  });

  const judgementOf = async (id: string) =>
    (await page.request.get(`${DASHBOARD_API}/projects/${project.id}/validations/${id}`)).json();

  it('takes a decision back with one key, and corrects it on the pages of the row and the person', async () => {
    await project.validate({ email: 'greta+six@gmail.com', validations: { alias: 'flag' } });
    await open(`${project.id}/review`);
    await expanded('g').waitFor();
    const link = page.getByRole('link', { name: 'Open in your admin' });
    expect(await link.getAttribute('href')).toMatch(/^https:\/\/admin\.example\/users\?request=[\w-]+$/);
    const id = await expanded('g').getAttribute('data-row');
    if (id === null) throw new Error('The row has no ID');
    await page.keyboard.press('a');
    await page.getByText('g***@gmail.com is marked as good.').waitFor();
    expect((await judgementOf(id)).judgement.outcome).toBe('good');
    await page.getByRole('button', { name: /^Undo/ }).click();
    await page.getByText('The decision is taken back.').first().waitFor();
    await expanded('g').waitFor();
    expect((await judgementOf(id)).judgement).toBeNull();

    await page.keyboard.press('a');
    await page.getByText('g***@gmail.com is marked as good.').waitFor();
    await open(`${project.id}/validations?open=${id}`);
    const drawer = page.getByRole('dialog', { name: 'Why this answer' });
    await drawer.getByText('This person is known to be good').waitFor();
    await drawer.getByRole('button', { name: 'No, bad' }).click();
    await drawer.getByText('This person is known to be bad').waitFor();
    await drawer.getByRole('link', { name: 'All data of this person' }).click();
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByText('It is not known how this person turned out.').waitFor();
    expect((await judgementOf(id)).judgement).toBeNull();
    await open(`${project.id}/review`);
    await expanded('g').waitFor();
  });

  it('decides everything of one network at once, and takes it back', async () => {
    for (let index = 0; index < 5; index += 1)
      await project.validate({
        email: `hannah${index}+x@gmail.com`,
        ip: '203.0.113.44',
        validations: { alias: 'flag' },
      });
    await open(`${project.id}/review?network=203.0.113.0/24`);
    await page.getByText('5 to review', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
    await page.getByRole('button', { name: 'All bad' }).click();
    await page.getByText('5 sign-ups are marked as bad.').first().waitFor();
    await page.getByText('Nothing to review matches these filters').waitFor();
    const queue = async (query: string) =>
      (await page.request.get(`${DASHBOARD_API}/projects/${project.id}/review?${query}`)).json();
    expect((await queue('network=203.0.113.0/24')).open).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('5 to review', { exact: true }).waitFor();
    expect((await queue('network=203.0.113.0/24')).open).toBe(5);
  });

  it('takes back several decisions one by one, passes too, and shows what was passed on', async () => {
    await open(`${project.id}/review?network=203.0.113.0/24`);
    const waiting = (count: number) => page.getByText(`${count} to review`, { exact: true }).waitFor();
    await waiting(5);
    const ids = await page
      .locator('[data-row]')
      .evaluateAll((rows) => rows.map((one) => one.dataset.row ?? ''));
    await page.keyboard.press('a');
    await page.getByText('h***@gmail.com is marked as good.').waitFor();
    await waiting(4);
    await page.keyboard.press('p');
    await page.getByText('is left to the other members for seven days.').waitFor();
    await waiting(3);
    const passed = async () =>
      (await page.request.get(`${DASHBOARD_API}/projects/${project.id}/review?passed=1`)).json();
    expect((await passed()).rows.map(({ id }: { id: string }) => id)).toContain(ids[1]);
    await page.getByLabel('Passed').selectOption({ label: 'What you passed on' });
    await page.locator(`[data-row="${ids[1]}"]`).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press('u');
    await page.getByText('1 sign-up waits for you again.').first().waitFor();
    expect((await passed()).rows.map(({ id }: { id: string }) => id)).not.toContain(ids[1]);
    await page.getByText('h***@gmail.com is marked as good.').waitFor();
    await page.getByRole('button', { name: /^Undo/ }).last().click();
    await page.getByText('The decision is taken back.').first().waitFor();
    expect((await judgementOf(ids[0] ?? '')).judgement).toBeNull();
    await page.getByLabel('Passed').selectOption({ label: 'Waiting for you' });
    await waiting(5);
  });

  it('has the evidence beside the queue, in it on a phone, and the address holds what is selected', async () => {
    await open(`${project.id}/review?network=203.0.113.0/24`);
    const rows = page.locator('[data-row]');
    const selected = page.locator('[data-row][aria-expanded=true]');
    await rows.nth(3).waitFor();
    const ids = await rows.evaluateAll((all) => all.map((one) => one.dataset.row ?? ''));
    const isSelected = (at: number) => page.locator(`[data-row="${ids[at]}"][aria-expanded=true]`).waitFor();
    const evidence = page.getByRole('region', { name: 'h***@gmail.com' });
    const places = async () => {
      const [row, shown] = [await selected.boundingBox(), await evidence.boundingBox()];
      if (row === null || shown === null) throw new Error('Nothing is selected');
      return { row, shown };
    };
    await isSelected(0);
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await isSelected(2);
    const wide = await places();
    expect(wide.shown.x).toBeGreaterThanOrEqual(wide.row.x + wide.row.width - 1);
    expect(wide.shown.y).toBeLessThan(wide.row.y);
    await page.waitForURL(new RegExp(`open=${ids[2]}`));
    await page.reload();
    await isSelected(2);

    await page.keyboard.press('r');
    await page.getByText('h***@gmail.com is marked as bad.').waitFor();
    await isSelected(3);
    expect((await judgementOf(ids[2] ?? '')).judgement.outcome).toBe('bad');
    await page.keyboard.press('u');
    await page.getByText('The decision is taken back.').first().waitFor();
    expect((await judgementOf(ids[2] ?? '')).judgement).toBeNull();

    await page.setViewportSize({ width: 390, height: 844 });
    const narrow = await places();
    expect(narrow.shown.y).toBeGreaterThanOrEqual(narrow.row.y + narrow.row.height - 1);
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it('keeps what is open, with its reason, when somebody else decides it, and no key reaches another one', async () => {
    const path = `${project.id}/review?network=203.0.113.0/24`;
    await open(path);
    await page.locator('[data-row]').nth(3).waitFor();
    const waiting = await page.locator('[data-row]').count();
    await page.keyboard.press('j');
    const id = (await page.locator('[data-row][aria-expanded=true]').getAttribute('data-row')) ?? '';
    const reason = page.getByLabel('Reason (optional)');
    await reason.fill('paper ');
    const grace = await visit(browser, service);
    await signIn(grace.page, GRACE.email);
    await open(`${path}&open=${id}`, grace.page);
    await grace.page.locator(`[data-row="${id}"][aria-expanded=true]`).waitFor();
    await grace.page.keyboard.press('a');
    await grace.page.getByText(' is marked as good.').waitFor();
    await page.getByText('It has left the queue').waitFor();
    await page.keyboard.type('paper');
    expect(await reason.inputValue()).toBe('paper paper');
    await page.keyboard.press('Enter');
    for (const key of ['r', 'p', 'a']) await page.keyboard.press(key);
    await page.keyboard.press('j');
    await expect.poll(() => reason.inputValue()).toBe('');
    expect(await page.locator('[data-row]').count()).toBe(waiting - 1);
    expect((await judgementOf(id)).judgement.outcome).toBe('good');
    await grace.page.keyboard.press('u');
    await grace.page.getByText('The decision is taken back.').first().waitFor();
    await grace.context.close();
  });
});

describe('alerts', () => {
  it('are empty at first, and link to the webhooks', async () => {
    await open(`${quiet.id}/alerts`);
    await page.getByText('No alerts', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Get alerts by webhook or mail' }).waitFor();
  });
});
