import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { openPage, settled, type VisitorOptions } from './support/dashboard-page.ts';
import { startWorkspace, type Workspace } from './support/workspace.ts';

const PROJECT = '/dashboard/projects/acme-web';

let workspace: Workspace;
let browser: Browser;

beforeAll(async () => {
  [workspace, browser] = await Promise.all([startWorkspace(20, 12), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await workspace?.service.close();
});

const open = (path: string, options?: VisitorOptions) => openPage(browser, workspace.service, path, options);

/** What the service says to the page’s own question. */
async function answerOf(page: Page, path: string, days = 7, more = '') {
  const to = Date.now();
  const span = `from=${to - days * 86_400_000}&to=${to}&timeZone=UTC`;
  const response = await page.request.get(`/dashboard/api/v1/projects/acme-web${path}?${span}${more}`);
  return response.json();
}

describe('the log', () => {
  it('closes its drawer with Back and stays where it was', async () => {
    const { page, close } = await open(`${PROJECT}/validations?check=disposable`);
    await page.locator('tbody a').first().click();
    const drawer = page.getByRole('dialog', { name: 'Why this answer' });
    await drawer.getByText('because Disposable failed').waitFor();
    // What failed comes first; technical fields are folded away.
    expect(await drawer.getByRole('article').first().innerText()).toContain('Disposable');
    expect(await drawer.getByText('dataVersion').first().isVisible()).toBe(false);
    // Then who it was; what found no problem comes last, and opens with a click.
    const names = await drawer.getByRole('term').allInnerTexts();
    const whoAndWhere = ['Person', 'Device', 'Network'].map((name) => names.indexOf(name));
    expect(whoAndWhere).toEqual([...whoAndWhere].sort((one, other) => one - other));
    const syntax = drawer.getByRole('article', { name: 'Syntax' });
    expect(await syntax.isVisible()).toBe(false);
    await drawer.getByText(/^\d checks without a problem$/).click();
    await syntax.waitFor();
    await page.goBack();
    await drawer.waitFor({ state: 'hidden' });
    expect(page.url()).toContain('/validations?check=disposable');
    await page.locator('tbody a').first().click();
    await drawer.getByText('because Disposable failed').waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    expect(page.url()).toContain('/validations?check=disposable');
    await close();
  });

  it('opens from the overview with the range that was shown there', async () => {
    const { page, close } = await open(`${PROJECT}?days=30`);
    await page.getByRole('table', { name: 'Failing checks' }).getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Sign-ups', level: 1 }).waitFor();
    const search = new URL(page.url()).searchParams;
    const from = Number(search.get('from'));
    const to = Number(search.get('to'));
    // Up to the end of this half hour.
    expect((to - from) / 86_400_000).toBe(30);
    expect(to).toBeGreaterThan(Date.now());
    // A bar of the chart counts only live keys, and so does the log that it opens.
    await page.goBack();
    const chart = page.getByRole('img', { name: /allowed/ });
    const box = await chart.boundingBox();
    if (box === null) throw new Error('The chart is not shown');
    await page.mouse.click(box.x + box.width - 20, box.y + box.height / 2);
    await page.waitForURL(/validations\?mode=live&from=\d+&to=\d+/);
    await close();
  });
});

describe('charts', () => {
  it.each(['Pacific/Auckland', 'America/Los_Angeles'])('show the days of %s', async (timezoneId) => {
    const today = () =>
      new Intl.DateTimeFormat('en-GB', {
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        timeZone: timezoneId,
      }).format(Date.now());
    const opened = today();
    const { page, close } = await open(`${PROJECT}?days=7`, { timezoneId });
    await page.getByText(`Times in ${timezoneId.replaceAll('_', ' ')}`).waitFor();
    await page
      .getByRole('group', { name: /Recommendations/ })
      .getByRole('radio', { name: 'Table' })
      .check();
    const table = page.getByRole('region', { name: 'Recommendations over time, as a table' });
    const last = await table.getByRole('row').last().innerText();
    // Midnight may have passed since the page was opened.
    expect([opened, today()].some((day) => last.includes(day))).toBe(true);
    await close();
  });

  it('say which bars are only a part of a day, and what was flagged', async () => {
    const { page, close } = await open(`${PROJECT}?days=7`);
    await page.getByText('A pale bar is not a whole day.').waitFor();
    const times = page
      .getByRole('region', { name: 'Recommendations over time, as a table' })
      .locator('tbody tr td:first-child');
    expect(await times.last().textContent()).toMatch(/^\w{3},? \d+ \w+, 00:00–\d\d:[03]0$/);
    await page.goto(`${PROJECT}/thing?domain=gmail.com`);
    await settled(page);
    const { figures } = await answerOf(page, '/thing', 7, '&domain=gmail.com');
    expect(figures.flagged).toBeGreaterThan(0);
    await page.getByText(`${figures.flagged} flagged and ${figures.blocked} blocked`).first().waitFor();
    await close();
  });

  it('rank the domains by what was blocked, and show all of them', async () => {
    const { page, close } = await open(`${PROJECT}?days=30`);
    const table = page.getByRole('table', { name: 'Top domains' });
    const domains: { domain: string; blocked: number }[] = (await answerOf(page, '/overview', 30)).domains;
    const section = page.getByRole('region', { name: 'Top domains' });
    await section.getByRole('button', { name: `Show all ${domains.length}` }).click();
    expect(await table.locator('tbody tr').count()).toBe(domains.length);
    await page.getByRole('radio', { name: 'Blocked', exact: true }).check();
    const [most] = [...domains].sort((one, other) => other.blocked - one.blocked);
    expect(await table.locator('tbody tr').first().innerText()).toContain(most?.domain ?? '?');
    expect(await table.locator('tbody tr').count()).toBe(domains.filter(({ blocked }) => blocked > 0).length);
    await close();
  });

  it('show their numbers beside the bar, also on a touch screen', async () => {
    const { page, close } = await open(`${PROJECT}?days=7`, {
      hasTouch: true,
      viewport: { width: 390, height: 844 },
    });
    const chart = page.getByRole('img', { name: /allowed/ });
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.boundingBox();
    if (box === null) throw new Error('The chart is not shown');
    const x = box.x + 60;
    await page.touchscreen.tap(x, box.y + box.height / 2);
    const numbers = page.locator('[data-chart-numbers]');
    await numbers.waitFor();
    const shown = await numbers.boundingBox();
    expect(shown !== null && (shown.x > x || shown.x + shown.width < x)).toBe(true);
    await close();
  });
});

describe('the countries', () => {
  it('open the log of a country with the range that is shown', async () => {
    const { page, close } = await open(`${PROJECT}?days=30`);
    await page.getByRole('table', { name: 'Countries' }).getByRole('link', { name: 'Germany' }).click();
    await page.waitForURL(/country=DE/);
    expect(Number(new URL(page.url()).searchParams.get('from'))).toBeGreaterThan(0);
    await close();
  });
});

describe('the audit log', () => {
  it('describes changes in words, filters and exports', async () => {
    const { page, close } = await open(`${PROJECT}/settings`);
    await page.getByLabel('Client key rate (requests an hour)').fill('777');
    const logDays = page.getByLabel('Log retention (days)');
    expect(await logDays.getAttribute('placeholder')).toBe('30');
    await logDays.fill('7');
    await page.getByRole('button', { name: 'Save the limits' }).click();
    await page.getByText('The limits are saved').waitFor();
    const saved = await page.request.get('/dashboard/api/v1/projects/acme-web');
    expect(await saved.json()).toMatchObject({ rateClient: 777, logRetentionDays: 7 });
    await page.goto('/dashboard/audit');
    await settled(page);
    await page.getByText('Log retention: 7 days').first().waitFor();
    await page.getByText('Before: Log retention: the installation’s').first().waitFor({ state: 'attached' });
    await page.getByText('Client key rate: 777 requests an hour').first().waitFor();
    await page.getByLabel('What', { exact: true }).selectOption({ label: 'joined' });
    await page.getByText('Client key rate').first().waitFor({ state: 'hidden' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ]);
    const path = await download.path();
    const { readFileSync } = await import('node:fs');
    const csv = readFileSync(path, 'utf8');
    expect(csv).toContain('member.create');
    expect(csv).not.toContain('project.update');
    await close();
  });
});

describe('what is stored of a person', () => {
  it('is downloaded with one click, all of it, and the audit log says so', async () => {
    const { page, close } = await open(PROJECT);
    const log = await page.request.get('/dashboard/api/v1/projects/acme-web/validations?limit=1');
    const [{ inbox }] = (await log.json()).rows;
    await page.goto(`${PROJECT}/thing?person=${inbox}`);
    await settled(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`person-${inbox.slice(0, 8)}.json`);
    const file = JSON.parse(await readFile(await download.path(), 'utf8'));
    const answer = await page.request.get(`/dashboard/api/v1/projects/acme-web/thing?person=${inbox}`);
    const { validations } = await answer.json();
    expect(file.validations.map(({ requestId }: { requestId: string }) => requestId)).toEqual(
      validations.map(({ requestId }: { requestId: string }) => requestId),
    );
    expect(validations.length).toBeGreaterThan(0);
    const audit = await page.request.get('/dashboard/api/v1/audit?action=person.export');
    expect((await audit.json()).rows).toMatchObject([{ projectId: 'acme-web' }]);
    await close();
  });
});

describe('a new client key', () => {
  it('shows the code of a page with it, and which form that needs', async () => {
    const { quiet, service } = workspace;
    const { page, close } = await open(`/dashboard/projects/${quiet.id}/keys`);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('button', { name: 'Create the key' }).click();
    const key = (await page.getByRole('dialog').locator('code').first().innerText()).trim();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const code = await page.getByLabel('The page', { exact: true }).innerText();
    expect(code).toContain(`data-key="${key}"`);
    await page.getByText('data-form must be the ID of your form').waitFor();
    // The key is known, and works on the project’s allowed domains only.
    const headers = { authorization: `Bearer ${key}`, 'x-project-id': quiet.id };
    const asked = await service.ask({ method: 'POST', path: '/validate', headers, body: '{}' });
    expect(asked.status).toBe(403);
    await close();
  });
});

describe('the question before a key is revoked', () => {
  it('says when the key was last used, also if that was a moment ago', async () => {
    const { page, close } = await open(`/dashboard/projects/${workspace.quiet.id}/keys`);
    const row = page.getByRole('row', { name: /server/ });
    await row.getByRole('button', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It was never used.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await workspace.quiet.validate({ email: 'jane.doe@gmail.com' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByText('It was last used').waitFor();
    await close();
  });
});

describe('an archived project', () => {
  it('says so on each of its pages', async () => {
    const { updateProject } = await import('../../service/dist/operations/change-project.js');
    const { service, quiet } = workspace;
    await service.admin((admin) => updateProject(admin, quiet.id, { archived: true }));
    const { page, close } = await open(`/dashboard/projects/${quiet.id}/keys`);
    await page.getByText('This project was archived on').waitFor();
    await page.getByRole('link', { name: 'Restore it in the settings' }).click();
    await page.getByRole('button', { name: /^Restore/ }).waitFor();
    await service.admin((admin) => updateProject(admin, quiet.id, { archived: false }));
    await close();
  });
});

describe('a file of addresses', () => {
  const rowsOf = (count: number) =>
    Array.from({ length: count }, (_, index) => `P${index},jane.doe${index}@gmail.com`).join('\r\n');

  /** As if it was dragged from the desktop. */
  const drop = async (page: Page, name: string, text: string) => {
    const data = await page.evaluateHandle(
      ([fileName, content]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([content ?? ''], fileName ?? '', { type: 'text/csv' }));
        return transfer;
      },
      [name, text],
    );
    await page.locator('[data-drop-zone]').dispatchEvent('drop', { dataTransfer: data });
  };
  const downloaded = async (page: Page): Promise<{ name: string; lines: string[] }> => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the result' }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    return { name: download.suggestedFilename(), lines: text.replace('\uFEFF', '').trim().split('\r\n') };
  };

  it('is dropped, costed, checked and downloaded, and leaves nothing in the log', async () => {
    const { id } = await workspace.service.makeProject({ id: 'bulk', name: 'Bulk', quotaLimit: 12 });
    const { page, close } = await open(`/dashboard/projects/${id}/bulk`);
    await drop(page, 'broken.csv', 'email\n"a@gmail.com\n');
    await page.getByText('broken.csv: line 2: the quote that begins here is never closed.').waitFor();
    await drop(page, 'people.csv', '\uFEFFname,email\r\n=1+1,jane.doe@gmail.com\r\n"a\nb",nonsense\r\n');
    await page.getByText('2 rows.').waitFor();
    await page.getByText('12 of 12 are left').waitFor();
    await page.getByRole('button', { name: 'Check 2 rows' }).click();
    await page.getByText('Checked 2 of 2 rows').waitFor();
    const result = await downloaded(page);
    expect(result.name).toBe('people-checked.csv');
    expect(result.lines).toEqual([
      'name,email,recommendation,failedChecks,reason',
      "'=1+1,jane.doe@gmail.com,allow,,",
      '"a\nb",nonsense,invalid,,Invalid email format',
    ]);

    await page.getByRole('button', { name: 'Choose another file' }).click();
    await drop(page, 'many.csv', rowsOf(20));
    await page.getByText('11 of 12 are left').waitFor();
    await page.getByText('The quota may end before the file does.').waitFor();
    await page.getByRole('button', { name: 'Check 20 rows' }).click();
    await page.getByText(/The month’s quota is used up\. 9 rows were not checked\./).waitFor();
    expect((await downloaded(page)).lines).toHaveLength(12);
    await page.goto(`/dashboard/projects/${id}/validations`);
    await page.getByText('No validations yet').waitFor();
    await close();
  });

  it('is cancelled, keeps what was checked, and goes on from there', async () => {
    const { id } = await workspace.service.makeProject({ id: 'bulk-2', name: 'Bulk 2' });
    const { page, close } = await open(`/dashboard/projects/${id}/bulk`);
    await drop(page, 'many.csv', rowsOf(400));
    await page.getByRole('button', { name: 'Check 400 rows' }).click();
    await page.getByText(/Checking (1[6-9]|[2-9]\d|\d{3}) of 400 rows/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled. What was checked until then is in the result.').waitFor();
    const { lines } = await downloaded(page);
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.length).toBeLessThan(401);
    // The service notices that the connection is closed a moment later.
    const goOn = page.getByRole('button', { name: /Check the remaining/ });
    const isDone = async () => {
      if (await goOn.isVisible()) await goOn.click();
      return page.getByText('Checked 400 of 400 rows').isVisible();
    };
    await expect.poll(isDone, { interval: 500 }).toBe(true);
    expect((await downloaded(page)).lines).toHaveLength(401);
    await close();
  });
});
