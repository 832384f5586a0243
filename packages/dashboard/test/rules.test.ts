import type { NamedListView, RuleView } from '@postern/contract/dashboard';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { type DashboardClient, member } from '../../service/test/support/dashboard.ts';
import { startService, type TestProject, type TestService } from '../../service/test/support/service.ts';
import { patient } from '../../service/test/support/until-counted.ts';
import { seriousViolations } from './support/axe.ts';
import { OWNER, PASSWORD, signIn, visit } from './support/dashboard-page.ts';
import { LIVELY_MAIL } from './support/lively-project.ts';
import { seedTaggedPeople } from './support/tagged-people.ts';

const VIEWER = { name: 'Vera Viewer', email: 'vera@example.com' };
const PHONE = { width: 390, height: 844 };

let service: TestService;
let browser: Browser;
let project: TestProject;
let api: DashboardClient;
let page: Page;

const path = (rest: string) => `/projects/${project.id}${rest}`;
const rules = async (): Promise<RuleView[]> => (await api.get(path('/rules'))).json;
const order = async () => (await rules()).map(({ id }) => id);
const ruleOf = async (id: string) => (await rules()).find((rule) => rule.id === id);

/** Rules in this order, and no others. */
async function seedRules(...ids: string[]): Promise<void> {
  for (const { id } of await rules()) await api.call('DELETE', path(`/rules/${id}`));
  for (const id of ids) {
    const rule = { id, name: `Rule ${id}`, when: `ip.country == "${id.toUpperCase()}"`, then: 'flag' };
    expect((await api.post(path('/rules'), { ...rule, mode: 'shadow' })).status).toBe(201);
  }
}

beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ zone: LIVELY_MAIL }), launchChromium()]);
  const { createAccount } = await import('../../service/dist/operations/accounts.js');
  await service.admin(async (admin) => {
    await createAccount(admin, { ...OWNER, password: PASSWORD }, 'owner');
    await createAccount(admin, { ...VIEWER, password: PASSWORD }, 'viewer');
  });
  project = patient(await service.makeProject({ name: 'Shop' }));
  api = await member(service, 'admin');
  await seedTaggedPeople(service, project);
  page = (await visit(browser, service)).page;
  await signIn(page, OWNER.email);
  // Leaving a rule that is not saved asks for confirmation.
  page.on('dialog', (dialog) => void dialog.accept());
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

async function open(rest: string, on: Page = page): Promise<void> {
  await on.goto(`/dashboard${path(rest)}`);
  await on.locator('h1').waitFor();
  await on.waitForFunction(() => document.querySelector('[data-pending]') === null);
}

const row = (name: string, on: Page = page) => on.getByRole('row', { name: new RegExp(name) });
const pick = async (name: string, entry: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: entry }).click();
};

describe('the list of rules', () => {
  it('is found with Ctrl-K, and says what rules are for while there are none', async () => {
    await seedRules();
    await open('/settings');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Jump to a page/ }).fill('shadow');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    await page.getByText('No rules yet').waitFor();
  });

  it('shows each rule with its condition, its matches and the share of bad people', async () => {
    await seedRules('de');
    await api.post(path('/rules'), { id: 'tagged', name: 'Tagged', when: 'email.tagged', then: 'flag' });
    await project.validate({ email: 'p0.n+x@mail-house.net' });
    await open('/rules');
    const tagged = row('Tagged');
    await tagged.getByText('Flag when email.tagged').waitFor();
    await tagged.getByText('live', { exact: true }).waitFor();
    await tagged.getByText('1 of 1, 100%').waitFor();
    await tagged.getByText(/^changed .* by /).waitFor();
    await row('Rule de').getByText('nobody known yet').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
  });

  it('changes the order with buttons, keeps the focus and says the new place', async () => {
    await seedRules('aa', 'bb', 'cc');
    await open('/rules');
    await page.getByRole('button', { name: 'Move Rule cc up' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Rule cc is now number 2 of 3.' }).waitFor();
    await expect.poll(order).toEqual(['aa', 'cc', 'bb']);
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Rule cc is now number 1 of 3.' }).waitFor();
    await expect.poll(order).toEqual(['cc', 'aa', 'bb']);
    const focused = await page.evaluate(() => document.activeElement?.textContent);
    expect(focused).toBe('Move Rule cc up');
  });

  it('changes the order by dragging', async () => {
    await seedRules('aa', 'bb', 'cc');
    await open('/rules');
    await page.locator('[data-handle=aa]').dragTo(row('Rule cc'), { targetPosition: { x: 40, y: 40 } });
    await expect.poll(order).toEqual(['bb', 'cc', 'aa']);
  });

  it('switches a rule to live and back, and deletes one with Undo in its place', async () => {
    await seedRules('aa', 'bb');
    await open('/rules');
    await pick('Rule aa', 'Make it live');
    await page.getByText('“Rule aa” is live: it decides from the next request on.').waitFor();
    await expect.poll(async () => (await ruleOf('aa'))?.mode).toBe('live');
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(async () => (await ruleOf('aa'))?.mode).toBe('shadow');
    await page.reload();
    await row('Rule aa').waitFor();
    await pick('Rule aa', 'Delete');
    await page.getByText('“Rule aa” is deleted.').waitFor();
    await expect.poll(order).toEqual(['bb']);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(order).toEqual(['aa', 'bb']);
    expect(await ruleOf('aa')).toMatchObject({ name: 'Rule aa', then: 'flag', mode: 'shadow' });
  });

  it('adds a ready-made rule in shadow', async () => {
    await seedRules();
    await open('/rules');
    await page.getByRole('button', { name: 'Ready-made rules…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ready-made rules' });
    await dialog.getByRole('heading', { name: 'Referral fraud' }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: /^Add in shadow.*Automated browser/ }).click();
    await dialog.getByRole('button', { name: /^Added.*Automated browser/ }).waitFor();
    expect(await ruleOf('bots_automated')).toMatchObject({
      when: 'device.automated',
      then: 'block',
      mode: 'shadow',
      note: expect.stringContaining('script'),
    });
  });

  it('lets a viewer read and try, and change nothing', async () => {
    await seedRules('aa');
    const visitor = await visit(browser, service);
    await signIn(visitor.page, VIEWER.email);
    await open('/rules', visitor.page);
    await visitor.page.getByText('You can read the rules.').waitFor();
    await row('Rule aa', visitor.page).waitFor();
    for (const name of [/^Move/, /^Actions for/, 'Ready-made rules…'])
      expect(await visitor.page.getByRole('button', { name }).count()).toBe(0);
    expect(await visitor.page.getByRole('link', { name: 'New rule' }).count()).toBe(0);
    await visitor.context.close();
  });
});

describe('the editor', () => {
  const condition = () => page.getByRole('textbox', { name: 'Condition' });
  const trial = () => page.getByRole('region', { name: 'In the last 30 days' });

  it('writes a rule by keyboard alone: completion, matches, save', async () => {
    await seedRules();
    await open('/rules');
    await page.getByRole('link', { name: 'New rule' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New rule', level: 1 }).waitFor();
    await condition().focus();
    await page.keyboard.type('tagg');
    const list = page.getByRole('listbox', { name: 'Suggestions' });
    await list.getByRole('option', { name: /email\.tagged/, selected: true }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(() => condition().inputValue()).toBe('email.tagged');
    await trial().getByText('4 bad').waitFor();
    await trial().getByText('2 good').waitFor();
    await trial().getByRole('region', { name: 'Examples' }).getByRole('link').first().waitFor();
    await page.keyboard.type(' && ip.k');
    await list.getByRole('option').nth(1).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.type(' == "hos');
    await page.keyboard.press('Enter');
    await expect.poll(() => condition().inputValue()).toBe('email.tagged && ip.kind == "hosting"');
    await trial()
      .getByText(/^0 of \d+ validations match/)
      .waitFor();
    await page.getByRole('radio', { name: 'Block' }).focus();
    await page.keyboard.press('Space');
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.type('Tagged from a server');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Tagged from a server', level: 1 }).waitFor();
    expect(await ruleOf('tagged_from_a_server')).toMatchObject({
      when: 'email.tagged && ip.kind == "hosting"',
      then: 'block',
      mode: 'shadow',
    });
  });

  it('shows a mistake under its place, and saves only what is right', async () => {
    await open('/new-rule');
    await condition().fill('email.role &&\n  ip.asn == "64500"');
    await page.getByText(/^Line 2, column 3: .*without quotes/).waitFor();
    expect(await page.locator('mark').innerText()).toBe('ip.asn');
    expect(await condition().getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('button', { name: 'Create the rule' }).isDisabled()).toBe(true);
    await page.getByText('Correct the condition first.').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await condition().fill('email.role && ip.asn == 64500');
    await page.getByText(/^Line 2/).waitFor({ state: 'detached' });
    await page.getByText('Give the rule a name first.').waitFor();
  });

  it('shows the newest answer, whichever arrives last', async () => {
    await open('/new-rule');
    let release: (() => void) | undefined;
    await page.route('**/rules/test', async (route) => {
      if (route.request().postData()?.includes('email.tagged') === true)
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      // The page no longer waits for the first one.
      await route.fallback().catch(() => {});
    });
    await condition().fill('email.tagged');
    await expect.poll(() => release !== undefined).toBe(true);
    await condition().fill('email.domain == "nowhere.example"');
    const newest = trial().getByText(/^0 of \d+ validations match/);
    await newest.waitFor();
    release?.();
    await page.unroute('**/rules/test');
    await condition().press('End');
    await newest.waitFor();
  });

  it('edits a rule with message, note and end, and replays it before it is saved', async () => {
    await seedRules('aa', 'bb');
    await open('/rules/bb/edit');
    await condition().fill('email.tagged');
    await page.getByRole('radio', { name: 'Block' }).check();
    await page.getByRole('radio', { name: 'Live' }).check();
    await page.getByLabel('Note (optional)').fill('Because');
    await page.getByLabel('Message (optional)').fill('Use another address.');
    await page.getByLabel('Ends (optional)').fill('2099-01-02T03:04');
    await page.getByRole('button', { name: 'Replay past sign-ups' }).click();
    const dialog = page.getByRole('dialog', { name: 'Time machine' });
    const replayed = dialog.getByRole('region', { name: 'Rules' });
    await replayed
      .getByText(/^\d+ matches, \d+ answers? changed, known people hit: 4 bad and 2 good$/)
      .waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByLabel('Why (optional)').fill('Too many tags');
    await dialog.getByRole('button', { name: 'Save the rule' }).click();
    await page.getByRole('heading', { name: 'Rule bb', level: 1 }).waitFor();
    const versions = page.getByRole('region', { name: 'Versions' });
    await versions.getByText('Why: Too many tags').waitFor();
    await versions.getByText('Flag when ip.country == "BB"').first().waitFor();
    expect(await ruleOf('bb')).toMatchObject({
      when: 'email.tagged',
      then: 'block',
      mode: 'live',
      note: 'Because',
      message: 'Use another address.',
      expiresAt: Date.UTC(2099, 0, 2, 3, 4),
    });
    expect(await order()).toEqual(['aa', 'bb']);
    const answer = await project.validate({ email: 'some.one+x@mail-house.net' });
    expect(answer.json).toMatchObject({ recommendation: 'block', message: 'Use another address.' });
  });

  it('fits a phone', async () => {
    const visitor = await visit(browser, service, { viewport: PHONE, hasTouch: true, colorScheme: 'dark' });
    await signIn(visitor.page, OWNER.email);
    await open('/new-rule', visitor.page);
    await visitor.page.getByRole('textbox', { name: 'Condition' }).fill('email.');
    await visitor.page.getByRole('option').first().tap();
    await expect
      .poll(() => visitor.page.getByRole('textbox', { name: 'Condition' }).inputValue())
      .toBe('email.domain');
    const wider = await visitor.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(wider).toBe(0);
    expect(await seriousViolations(visitor.page)).toEqual([]);
    await visitor.context.close();
  });
});

describe('a rule’s page', () => {
  it('shows its matches over time and what became of the people, and the log links to it', async () => {
    await seedRules('aa');
    await api.post(path('/rules'), { id: 'tags', name: 'Tags', when: 'email.tagged', then: 'block' });
    for (const email of ['p0.n+x@mail-house.net', 'p4.n+x@mail-house.net'])
      expect((await project.validate({ email })).json.recommendation).toBe('block');
    await open('/validations');
    await page
      .getByRole('row', { name: /p\*\*\*/ })
      .first()
      .getByRole('link', { name: 'Tags' })
      .click();
    await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor();
    // The rule’s history says it, too.
    await page.locator('header').getByText('Block when email.tagged').waitFor();
    await page.getByText('1 of 2, 50%').waitFor();
    await page.getByRole('img', { name: '2 matches over time' }).waitFor();
    await page.getByText('of 2 known people').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Put it in shadow' }).click();
    await expect.poll(async () => (await ruleOf('tags'))?.mode).toBe('shadow');
    await page.getByRole('button', { name: 'Make it live' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    await expect.poll(order).toEqual(['aa']);
  });

  it('is named as the reason of an answer', async () => {
    await seedRules();
    await api.post(path('/rules'), {
      id: 'why',
      name: 'Because of the tag',
      when: 'email.tagged',
      then: 'block',
    });
    await project.validate({ email: 'reason.why+x@mail-house.net' });
    await open('/validations');
    await page.locator('tbody tr').first().locator('a').first().click();
    const drawer = page.getByRole('dialog', { name: 'Why this answer' });
    await drawer.getByText('blocked because the rule “Because of the tag” matched.').waitFor();
    await drawer.getByRole('link', { name: 'Because of the tag' }).click();
    await page.getByRole('heading', { name: 'Because of the tag', level: 1 }).waitFor();
  });
});

describe('named lists', () => {
  const lists = async (): Promise<NamedListView[]> => (await api.get(path('/named-lists'))).json;

  it('are made, filled, emptied with Undo and deleted, and say which rules ask them', async () => {
    await seedRules();
    await open('/lists');
    await page.getByText('No named lists yet').waitFor();
    await page.getByLabel('Name of the list').fill('partners');
    await page.getByRole('button', { name: 'Make the list' }).click();
    await page.getByLabel('Entry for partners').fill('example.com');
    await page.getByLabel('Entry for partners').press('Enter');
    await page.getByRole('row', { name: /example\.com/ }).waitFor();
    await expect.poll(async () => (await lists())[0]?.entries).toMatchObject([{ value: 'example.com' }]);
    const remove = page.getByRole('button', { name: 'Remove example.com' });
    await expect.poll(() => remove.isEnabled()).toBe(true);
    // By keyboard: the message that it was added covers the button.
    await remove.press('Enter');
    await expect.poll(async () => (await lists())[0]?.entries).toEqual([]);
    const removed = page.getByLabel('Message').filter({ hasText: 'no longer on the list' });
    await removed.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await lists())[0]?.entries).toMatchObject([{ value: 'example.com' }]);
    await page.getByLabel('Entry for partners').fill('not an entry');
    await page.getByLabel('Entry for partners').press('Enter');
    await page.getByRole('alert').filter({ hasText: 'not an entry' }).waitFor();

    const when = 'inList("partners", email.domain)';
    await api.post(path('/rules'), { id: 'partners', name: 'Partners get in', when, then: 'allow' });
    await open('/lists');
    await page.getByRole('link', { name: 'Partners get in' }).waitFor();
    expect(await page.getByRole('button', { name: 'Delete partners…' }).isDisabled()).toBe(true);
    expect(await seriousViolations(page)).toEqual([]);
    await seedRules();
    await open('/lists');
    await page.getByRole('button', { name: 'Delete partners…' }).click();
    await page.getByRole('button', { name: 'Delete the list' }).click();
    await page.getByText('No named lists yet').waitFor();
    expect(await lists()).toEqual([]);
  });
});
