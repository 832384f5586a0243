import {
  DASHBOARD_API,
  type ProjectView,
  type Reach,
  type ValidationPage,
} from '@postern/contract/dashboard';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { createVerdictVerifier } from '../../sdk-node/src/verify-verdict.ts';
import { updateProject } from '../../service/test/support/service.ts';
import { seriousViolations } from './support/axe.ts';
import { OWNER, sendListed, settled, signIn, visit } from './support/dashboard-page.ts';
import { startWorkspace, type Workspace } from './support/workspace.ts';

describe('one analyst at work', () => {
  let workspace: Workspace;
  let browser: Browser;
  let page: Page;
  const requested: string[] = [];

  beforeAll(async () => {
    [workspace, browser] = await Promise.all([startWorkspace(4, 8), launchChromium()]);
    page = (await visit(browser, workspace.service)).page;
    page.on('request', (request) => requested.push(request.url()));
    await signIn(page, OWNER.email);
  });
  afterAll(async () => {
    await browser?.close();
    await workspace?.service.close();
  });

  const open = async (path: string) => {
    await page.goto(`/dashboard/projects/${path}`);
    await settled(page);
  };
  /** `/` opens the same as Ctrl-K. */
  const findByKey = async (text: string) => {
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: /^Jump to a page/ });
    await field.fill(text);
    await page.getByRole('option', { name: `Find “${text}”` }).click();
    await field.waitFor({ state: 'detached' });
  };
  const actions = (address: string) => page.getByRole('button', { name: `Actions for ${address}` }).first();

  it('sees the first validation by itself, in the overview and in the log', async () => {
    const { quiet } = workspace;
    await open(`${quiet.id}`);
    await page.getByText('Waiting for the first validation').waitFor();
    await quiet.validate({ email: 'first.one@gmail.com' });
    await page.getByRole('img', { name: /1 allowed/ }).waitFor();
    await open(`${quiet.id}/validations`);
    await page.getByText('Live: new validations appear automatically').waitFor();
    await quiet.validate({ email: 'zoe.second@gmail.com' });
    await page.getByRole('link', { name: 'z***@gmail.com' }).waitFor();
  });

  it('follows the steps to a protected form, each ticked by itself, and can hide the list', async () => {
    const { service } = workspace;
    const { createProject } = await import('../../service/dist/operations/change-project.js');
    const { createKey } = await import('../../service/test/support/keys.ts');
    const { id } = await service.admin((admin) => createProject(admin, { id: 'new-form', name: 'New form' }));
    await open(id);
    const step = (name: string, done: boolean) =>
      page.locator(`[data-step="${name}"][data-done="${done}"]`).waitFor();
    await step('project', true);
    await step('key', false);
    expect(await seriousViolations(page)).toEqual([]);
    const { secret } = await service.admin((admin) => createKey(admin, { projectId: id, type: 'client' }));
    await step('key', true);
    await page.getByRole('link', { name: 'Allow your page’s domain: Open the allowed domains' }).click();
    await page.getByRole('heading', { name: 'Allowed domains', level: 1 }).waitFor();
    await service.admin((admin) => updateProject(admin, id, { allowedDomains: ['shop.example'] }));
    await open(id);
    await step('origin', true);
    await step('snippet', false);
    const answer = await service.ask({
      method: 'POST',
      path: '/validate',
      headers: {
        authorization: `Bearer ${secret}`,
        'x-project-id': id,
        origin: 'https://shop.example',
        'content-type': 'application/json',
        prefer: 'verdict',
      },
      body: JSON.stringify({ email: 'jane.doe@gmail.com' }),
    });
    // The numbers appear, and the list moves below them.
    await step('snippet', true);
    await step('validation', true);
    await step('verdict', false);
    const verifier = createVerdictVerifier({ baseUrl: service.url, projectId: id });
    const token = answer.headers['x-postern-verdict'];
    expect((await verifier.verifyVerdict(token, { email: 'jane.doe@gmail.com' })).ok).toBe(true);
    await page.getByText('All steps are done').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByText('All steps are done').first().waitFor({ state: 'hidden' });

    await open(workspace.lively.id);
    await page.getByRole('button', { name: 'Hide this list' }).click();
    await page.getByText('Protect a form').first().waitFor({ state: 'hidden' });
    await page.reload();
    await settled(page);
    await page.getByRole('heading', { name: 'Safety checklist' }).waitFor();
    expect(await page.getByText('Protect a form').count()).toBe(0);
  });

  it('finds a person by address, which appears in no URL', async () => {
    const { quiet } = workspace;
    await quiet.validate({ email: 'first.one+again@gmail.com', fingerprintHash: 'some-laptop' });
    await open(`${quiet.id}/keys`);
    await findByKey('FirstOne@googlemail.com');
    await page.getByRole('heading', { name: 'f***@gmail.com', level: 1 }).waitFor();
    await page.getByText('2 of the address').waitFor();
    await page.getByText('1 time, with 1 device').waitFor();
    expect(requested.filter((url) => /first.?one/i.test(url))).toEqual([]);
    expect(await seriousViolations(page)).toEqual([]);
    await page.locator('h1').click();
    await findByKey('nobody.at.all@gmail.com');
    await page.getByText('The project has no data about this address.').first().waitFor();
  });

  it('finds a domain with what the checks say, and blocks it there', async () => {
    const { quiet } = workspace;
    await open(`${quiet.id}/keys`);
    await findByKey('Mailinator.com');
    await page.getByRole('heading', { name: 'mailinator.com', level: 1 }).waitFor();
    await page.getByText(/^by \d+ of \d+ sources: /).waitFor();
    await page.getByRole('button', { name: 'Block…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Block this domain' });
    await dialog.getByLabel('Until').selectOption('1');
    await sendListed(dialog, 'Block');
    await page.getByRole('region', { name: 'On the project’s lists' }).getByText('in 24 hours').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The change is undone.').first().waitFor();
    await page.getByText('always blocked').first().waitFor({ state: 'hidden' });
  });

  it('opens a domain from the overview, and a network from a row, with the range that was shown', async () => {
    await open('acme-web?days=30');
    const top = page.getByRole('table', { name: 'Top domains' }).getByRole('row').nth(1);
    const [domain = ''] = (await top.getByRole('link').innerText()).split(',');
    await top.getByRole('link').click();
    await page.getByRole('heading', { name: domain, level: 1 }).waitFor();
    expect(page.url()).toContain('days=30');
    await settled(page);
    await page.getByText('What the checks say now').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    const chart = await page.getByRole('img', { name: /over time$/ }).getAttribute('aria-label');
    await page.goBack();
    await page.getByRole('table', { name: 'Top domains' }).waitFor();
    const counted = (await top.getByRole('cell').last().innerText()).split(' ')[0];
    expect(chart).toMatch(new RegExp(`^${counted} validations?,`));

    await open('acme-web/validations?last=month');
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Show this network' }).click();
    await page.getByRole('heading', { name: '81.2.69.0/24', level: 1 }).waitFor();
    expect(page.url()).toContain('days=30');
    await settled(page);
    expect(await seriousViolations(page)).toEqual([]);
  });

  it('blocks a domain from a row, with an end date, and undoes it', async () => {
    const { quiet } = workspace;
    const ask = async () => (await quiet.validate({ email: 'zoe.second@gmail.com' })).json.recommendation;
    await open(`${quiet.id}/validations`);
    await actions('z***@gmail.com').click();
    await page.getByRole('menuitem', { name: 'Block the domain…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Block this domain' });
    await dialog.getByText('Many unrelated people have addresses at gmail.com.').waitFor();
    await dialog.getByText('From now on, every address at gmail.com').waitFor();
    await dialog.getByLabel('Until').selectOption('7');
    await dialog.getByText('For 7 days, every address at gmail.com').waitFor();
    await dialog
      .getByText(/^In 30 days \d people came from here: 0 known good, 0 known bad, \d unknown\.$/)
      .waitFor();
    expect(await dialog.getByRole('button', { name: 'Block' }).isDisabled()).toBe(true);
    await sendListed(dialog, 'Block');
    await page.getByText('gmail.com is answered with “block” for 7 days.').first().waitFor();
    expect(await ask()).toBe('block');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The change is undone.').first().waitFor();
    expect(await ask()).toBe('allow');
  });

  it('marks an answer as wrong from a row, sees it in the explanation and undoes it', async () => {
    const { quiet } = workspace;
    await quiet.validate({ email: 'webmaster@gmail.com' });
    await open(`${quiet.id}/validations?recommendation=flag`);
    await actions('w***@gmail.com').click();
    await page.getByRole('menuitem', { name: 'Mark as wrong: a good person' }).click();
    await page.getByText('Marked as wrong: 1 person counts as good from now on.').first().waitFor();
    await page.getByRole('link', { name: 'w***@gmail.com' }).first().click();
    const drawer = page.getByRole('dialog', { name: 'Why this answer' });
    await drawer.getByText('So this answer was wrong.').waitFor();
    await page.keyboard.press('Escape');
    // Undo is offered for ten seconds.
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The decision is taken back.').first().waitFor();
    await page.getByRole('link', { name: 'w***@gmail.com' }).first().click();
    await drawer.getByText('This sign-up was flagged').waitFor();
    await drawer.getByText('So this answer was wrong.').first().waitFor({ state: 'hidden' });
    expect(await seriousViolations(page)).toEqual([]);
    await open(`${quiet.id}/audit`);
    await page.getByText('People now known to be good: 1').first().waitFor();
    await page
      .getByText(/^Always block, added: gmail\.com \(until /)
      .first()
      .waitFor();
    await page.getByLabel('When', { exact: true }).selectOption({ label: 'Last 24 hours' });
    await page.getByText('Always block, removed: gmail.com').first().waitFor();
  });

  it('marks everybody at a domain as bad, and takes it back', async () => {
    const { quiet } = workspace;
    const reach = async (): Promise<Reach> => {
      const url = `${DASHBOARD_API}/projects/${quiet.id}/thing?domain=gmail.com`;
      return (await (await page.request.get(url)).json()).reach;
    };
    await open(`${quiet.id}/thing?domain=gmail.com&days=30`);
    await page.getByRole('button', { name: 'Mark its people…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Mark the people of gmail.com' });
    const before = (await reach()).bad;
    await dialog.getByRole('button', { name: 'Mark as bad' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const { people, bad } = await reach();
    expect(bad).toBe(people);
    await page.getByText(`${people} of ${people} known people are bad.`).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The decision is taken back.').first().waitFor();
    expect((await reach()).bad).toBe(before);
  });

  it('allows a person from the row, without their address, under every spelling', async () => {
    const { quiet } = workspace;
    await open(`${quiet.id}/validations`);
    await actions('z***@gmail.com').click();
    await page.getByRole('menuitem', { name: 'Always allow this person…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Always allow this person' });
    await dialog.getByText(/under any spelling of the address, is answered with “allow”/).waitFor();
    await sendListed(dialog, 'Always allow');
    await page.getByText('z***@gmail.com is answered with “allow” from now on.').first().waitFor();
    const { json } = await quiet.validate({ email: 'zoe.second+tag@gmail.com' });
    expect(json).toMatchObject({ recommendation: 'allow', checks: { alias: { pass: false } } });
    expect(json.signals).toContain('allow_listed');
    expect(requested.filter((url) => /zoe.?second/i.test(url))).toEqual([]);
  });

  it('runs a command of Ctrl-K, and finds what a page shows', async () => {
    await open('acme-web/keys');
    const run = async (text: string) => {
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: /^Jump to a page/ });
      await field.fill(text);
      await field.press('Enter');
      await field.waitFor({ state: 'detached' });
    };
    // The day begins when the page asks: the past sign-ups leave it one by one.
    const answered = page.waitForResponse(/validations\/summary\?.*recommendation=block/);
    await run('blocked today');
    await page.waitForURL(/validations\?.*recommendation=block/);
    expect(new URL(page.url()).searchParams.get('last')).toBe('day');
    const answer = await answered;
    const from = Number(new URL(answer.url()).searchParams.get('from'));
    expect(Math.abs(Date.now() - 86_400_000 - from)).toBeLessThan(3_600_000);
    const { total } = await answer.json();
    await page.getByText(new RegExp(`^${total} match`)).waitFor();
    await workspace.lively.validate({ email: 'xenia.only@northwind.dev' });
    await run('x***@northwind.dev');
    await page.getByRole('heading', { name: 'x***@northwind.dev', level: 1 }).waitFor();
    await page.getByText('x***@northwind.dev').first().waitFor();
  });

  it('marks and lists the people of ticked sign-ups, with the cost first, and takes both back', async () => {
    const { lively } = workspace;
    for (const name of ['una', 'vera', 'wim'])
      await lively.validate({ email: `${name}.ticked@hey.com`, ip: '81.2.69.142' });
    await open('acme-web/validations?domain=hey.com');
    const table = page.getByRole('table', { name: 'Validations, newest first' });
    const outcomes = async () => {
      const url = `${DASHBOARD_API}/projects/acme-web/validations?domain=hey.com`;
      const { rows }: ValidationPage = await (await page.request.get(url)).json();
      return rows.map(({ maskedAddress, outcome }) => `${maskedAddress} ${outcome}`);
    };
    const blocked = async () =>
      ((await (await page.request.get(`${DASHBOARD_API}/projects/acme-web`)).json()) as ProjectView)
        .blockList;
    const before = await blocked();
    await table.getByRole('checkbox', { name: 'Select u***@hey.com' }).check();
    await table.getByRole('checkbox', { name: 'Select w***@hey.com' }).check();
    await page.getByText('2 people selected').waitFor();
    await page.getByRole('button', { name: 'All bad' }).click();
    await page.getByText('2 people count as bad from now on').waitFor();
    expect(await outcomes()).toEqual(['w***@hey.com bad', 'v***@hey.com null', 'u***@hey.com bad']);
    await page.getByLabel('Message').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The decision is taken back.').waitFor();
    expect(await outcomes()).toEqual(['w***@hey.com null', 'v***@hey.com null', 'u***@hey.com null']);

    await table.getByRole('checkbox', { name: 'Select all that are shown' }).check();
    await page.getByText('3 people selected').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Block or allow…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Block or allow what is selected' });
    await dialog.getByText(/3 people came from here: 0 known good, 0 known bad, 3 unknown/).waitFor();
    await sendListed(dialog, 'Add 3 entries');
    await page.getByText('3 entries added to the block list').waitFor();
    expect(await blocked()).toHaveLength(before.length + 3);
    const again = await lively.validate({ email: 'vera.ticked+again@hey.com', ip: '81.2.69.142' });
    expect(again.json).toMatchObject({ recommendation: 'block' });
    const added = page.getByLabel('Message').filter({ hasText: 'entries added' });
    await added.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The change is undone.').waitFor();
    expect(await blocked()).toEqual(before);
  });

  it('erases a person', async () => {
    const { quiet } = workspace;
    await open(`${quiet.id}/validations`);
    await actions('f***@gmail.com').click();
    await page.getByRole('menuitem', { name: 'Erase this person…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase this person?' });
    await dialog.getByText('2 log rows').waitFor();
    await dialog.getByLabel(/to confirm/).fill('erase');
    await dialog.getByRole('button', { name: 'Erase permanently' }).click();
    await page.getByText('The person’s data is erased.').first().waitFor();
    await page.getByRole('link', { name: 'f***@gmail.com' }).first().waitFor({ state: 'detached' });
  });
});
