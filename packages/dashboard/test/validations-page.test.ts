import { DASHBOARD_API } from '@postern/contract/dashboard';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { openPage, settled } from './support/dashboard-page.ts';
import { startWorkspace, type Workspace } from './support/workspace.ts';

describe('the page of the validations', () => {
  let workspace: Workspace;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [workspace, browser] = await Promise.all([startWorkspace(4, 8), launchChromium()]);
    page = (await openPage(browser, workspace.service, '/dashboard/')).page;
  });
  afterAll(async () => {
    await browser?.close();
    await workspace?.service.close();
  });

  const open = async (path: string) => {
    await page.goto(`/dashboard/projects/${path}`);
    await settled(page);
  };

  it('filters by several values, wanted and unwanted', async () => {
    await open('acme-web/validations');
    const filter = page.getByRole('button', { name: /^Answer/ });
    await filter.click();
    await page.getByRole('menuitem', { name: 'allow' }).click();
    await page.locator('[aria-label="Answer: allow"]').waitFor();
    await page.getByRole('menuitem', { name: 'allow' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Answer: not allow' }).waitFor();
    await settled(page);
    await page.waitForFunction(() => !document.querySelector('tbody')?.textContent?.includes('allow'));
    expect(decodeURIComponent(page.url())).toContain('recommendation=!allow');
    await page.getByLabel('Domain contains').fill('inator');
    await page.waitForURL(/domainPart=inator/);
    await page.waitForFunction(() =>
      [...document.querySelectorAll('tbody tr')].every((row) => row.textContent?.includes('mailinator')),
    );
  });

  it('shows the columns that are chosen, twenty rows at once, and how many match when', async () => {
    // How many of the past sign-ups there are depends on the time of day.
    for (let at = 0; at < 20; at += 1)
      await workspace.lively.validate({ email: `visitor.${at}@northwind.dev` });
    await open('acme-web/validations');
    // The rows that fit are drawn once the window has been measured.
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll('tbody tr[data-row]')].filter(
          (row) => row.getBoundingClientRect().bottom <= 860,
        ).length >= 20,
    );
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitem', { name: 'Operator' }).click();
    await page.getByRole('menuitem', { name: 'Rules' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Operator' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Rules' }).count()).toBe(0);
    const href = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
    const file = await page.request.get(href ?? '');
    expect((await file.text()).split('\r\n')[0]).toBe(
      'time,address,domain,country,asn,operator,recommendation,failed,signals,outcome,stepUp',
    );
    // Remembered by the browser.
    await open('acme-web/validations?recommendation=block');
    await page.getByRole('columnheader', { name: 'Operator' }).waitFor();
    const matches = page.getByRole('region', { name: 'Matches' });
    const summary = await (
      await page.request.get(`${DASHBOARD_API}/projects/acme-web/validations/summary?recommendation=block`)
    ).json();
    await matches.getByText(new RegExp(`^${summary.total.toLocaleString('en')} matches`)).waitFor();
    await matches.getByRole('button').and(page.locator(':enabled')).first().click();
    await page.waitForURL(/from=\d+.*to=\d+/);
  });

  it('keeps only the rows near the window in the page, and shows the right ones anywhere', async () => {
    const { lively } = workspace;
    const sent = Array.from({ length: 200 }, (_, index) => `${index}`);
    for (let at = 0; at < sent.length; at += 20)
      await Promise.all(
        sent.slice(at, at + 20).map((id) => lively.validate({ email: `many.number${id}@mail-house.net` })),
      );
    await open('acme-web/validations?domain=mail-house.net');
    const table = page.getByRole('table', { name: 'Validations, newest first' });
    const rowCount = async () => Number(await table.getAttribute('aria-rowcount')) - 1;
    while ((await rowCount()) < sent.length) {
      const before = await rowCount();
      await page.getByRole('button', { name: 'Show older' }).click();
      await expect.poll(rowCount).toBeGreaterThan(before);
    }
    const rows = table.locator('tbody tr[data-row]');
    expect(await rows.count()).toBeLessThan(150);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const last = table.locator(`tr[aria-rowindex="${sent.length + 1}"]`);
    await last.waitFor();
    expect(await rows.count()).toBeLessThan(150);
    expect(await table.locator('tr[aria-rowindex="2"]').count()).toBe(0);
    const query = `${DASHBOARD_API}/projects/acme-web/validations?domain=mail-house.net&limit=200`;
    const { rows: listed } = await (await page.request.get(query)).json();
    const href = (await last.getByRole('link').first().getAttribute('href')) ?? '';
    expect(href).toContain(`open=${listed.at(-1).id}`);
    await last.getByRole('link').first().click();
    await page.getByRole('dialog', { name: 'Why this answer' }).waitFor();
    await page.keyboard.press('Escape');
    await page.evaluate(() => window.scrollTo(0, 0));
    await table.locator('tr[aria-rowindex="2"]').waitFor();
  });

  it('is read by keyboard: the strip is one stop with arrows, and the first row is near', async () => {
    await open('acme-web/validations?last=month');
    const bars = page.getByRole('list', { name: 'Matches over time' }).getByRole('button');
    await bars.first().waitFor();
    const focused = (attribute: string) =>
      page.evaluate((name) => document.activeElement?.getAttribute(name) ?? '', attribute);
    await page.locator('#content').focus();
    let [tabs, onBars] = [0, 0];
    for (; tabs < 30 && !(await focused('href')).includes('open='); tabs += 1) {
      await page.keyboard.press('Tab');
      if (!/: [\d,]+ match/.test(await focused('aria-label'))) continue;
      onBars += 1;
      const last = await focused('aria-label');
      await page.keyboard.press('ArrowLeft');
      expect(await focused('aria-label')).toMatch(/: [\d,]+ match/);
      expect(await focused('aria-label')).not.toBe(last);
      await page.keyboard.press('ArrowRight');
      expect(await focused('aria-label')).toBe(last);
    }
    expect(onBars).toBe(1);
    expect(tabs).toBeLessThan(16);
    const id = new URL(await focused('href'), page.url()).searchParams.get('open');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Why this answer' }).waitFor();
    expect(new URL(page.url()).searchParams.get('open')).toBe(id);
  });

  it('goes back to the filters before, and from a sign-up to the person whose page it was opened on', async () => {
    await open('acme-web/validations?recommendation=block');
    const matches = async (filters: string) => {
      const url = `${DASHBOARD_API}/projects/acme-web/validations/summary?${filters}`;
      const { total } = await (await page.request.get(url)).json();
      await page.getByText(new RegExp(`^${total.toLocaleString('en')} match`)).waitFor();
    };
    await matches('recommendation=block');
    await page.getByRole('combobox', { name: 'Key mode' }).selectOption('test');
    await matches('recommendation=block&mode=test');
    await page.goBack();
    await page.waitForURL((url) => url.search === '?recommendation=block');
    await matches('recommendation=block');

    await page.locator('tbody a').first().click();
    await page.getByRole('dialog').getByRole('link', { name: 'All data of this person' }).click();
    const validations = page.getByRole('region', { name: 'Validations', exact: true });
    await validations.getByRole('row').nth(1).getByRole('link').click();
    await page.getByRole('dialog', { name: 'Why this answer' }).waitFor();
    await page.keyboard.press('Escape');
    await validations.waitFor();
    await page.waitForURL(/\/thing\?person=/);
  });

  it('turns a filter around with a second click', async () => {
    await open('acme-web/validations?recommendation=block&domainPart=inator');
    await page.getByRole('button', { name: 'domain contains inator' }).click();
    await page.waitForURL(/domainPart=(!|%21)inator/);
    await page.getByRole('button', { name: 'domain does not contain inator' }).waitFor();
  });
});
