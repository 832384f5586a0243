import { readFile } from 'node:fs/promises';
import type {
  CampaignDetail,
  CampaignsView,
  Overview,
  ProjectView,
  ThingsView,
  TimelineView,
} from '@postern/contract/dashboard';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { noticeCampaigns } from '../../service/test/support/campaign-people.ts';
import { ordinaryMail } from '../../service/test/support/dns-server.ts';
import { FARM_DOMAINS, FARM_SIGN_UPS, signUp } from '../../service/test/support/farm-sign-ups.ts';
import {
  KNOWN_MAIL,
  startService,
  type TestProject,
  type TestService,
} from '../../service/test/support/service.ts';
import { patient } from '../../service/test/support/until-counted.ts';
import { seriousViolations, violations } from './support/axe.ts';
import { OWNER, openPage, PASSWORD, sendListed } from './support/dashboard-page.ts';

let service: TestService;
let project: TestProject;
let browser: Browser;

beforeAll(async () => {
  service = await startService({ zone: { ...KNOWN_MAIL, ...ordinaryMail(...FARM_DOMAINS) } });
  const { createAccount } = await import('../../service/dist/operations/accounts.js');
  await service.admin((admin) => createAccount(admin, { ...OWNER, password: PASSWORD }, 'owner'));
  project = patient(await service.makeProject({ id: 'shop', name: 'Shop' }));
  await signUp(project, FARM_SIGN_UPS);
  await noticeCampaigns(service);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

async function ask<T>(page: Page, path: string): Promise<T> {
  return (await page.request.get(`/dashboard/api/v1/projects/shop${path}`)).json();
}

const answerTo = async (email: string, fingerprintHash: string) =>
  (await project.validate({ email, ip: '81.2.69.1', fingerprintHash })).json.recommendation;

async function openCampaign() {
  const { page, close } = await openPage(browser, service, '/dashboard/projects/shop/campaigns');
  await page.getByRole('row').nth(1).getByRole('link').click();
  await page.getByRole('heading', { name: /^Campaign: /, level: 1 }).waitFor();
  return { page, close };
}

const people = (page: Page) => page.getByRole('group', { name: 'People' }).getByRole('row');

async function campaign(page: Page): Promise<CampaignDetail> {
  const { rows } = await ask<CampaignsView>(page, '/campaigns');
  return ask(page, `/campaigns/${rows[0]?.id}`);
}

const deviceOf = async (page: Page) =>
  (await campaign(page)).things.find(({ kind }) => kind === 'device')?.name ?? '';

describe('a campaign', () => {
  it('is told on Today, with its numbers and what blocking it would hit', async () => {
    const { page, close } = await openPage(browser, service, '/dashboard/projects/shop');
    const brief = page.getByRole('region', { name: 'Campaigns that wait for you' });
    await brief.getByText(/103 people from 3 domains, 1 network, 4 devices/).waitFor();
    expect(await page.getByText('A campaign is under way').count()).toBe(0);
    const { answers, id } = await campaign(page);
    // The chart shows a day, with the campaign above its bars.
    expect(await page.getByRole('radio', { name: '24 hours' }).isChecked()).toBe(true);
    const over = page.getByRole('region', { name: 'Recommendations over time', exact: true });
    const drawn = await over.getByRole('img').locator('line title').allTextContents();
    expect([drawn, await over.getByRole('link', { name: drawn[0] ?? '?' }).getAttribute('href')]).toEqual([
      [expect.stringContaining(FARM_DOMAINS[0])],
      `/dashboard/projects/shop/campaigns/${id}`,
    ]);
    await brief.getByRole('link', { name: `Request IDs of the ${answers.allow} who got in` }).waitFor();
    await brief.getByRole('button', { name: 'Block all behind it…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Block what is behind it' });
    await dialog.getByText(/^In 30 days \d+ people came from here: /).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await ask<ProjectView>(page, '')).blockList).toEqual([]);
    expect(await seriousViolations(page)).toEqual([]);
    await close();
  });

  it('is named on the project’s card, beside how many came', async () => {
    const { page, close } = await openPage(browser, service, '/dashboard/');
    const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Shop' }) });
    await card.getByText('1 campaign', { exact: true }).waitFor();
    const to = Date.now();
    const { totals } = await ask<Overview>(
      page,
      `/overview?from=${to - 7 * 86_400_000}&to=${to}&timeZone=UTC`,
    );
    await card.getByText(`${totals.validations} validations in 7 days`).waitFor();
    await close();
  });

  it('is announced on every page until somebody acknowledged it, also the next morning', async () => {
    const { page, close } = await openPage(browser, service, '/dashboard/projects/shop/settings');
    const banner = page.getByRole('note').filter({ hasText: 'A campaign is under way' });
    await banner.getByText(/103 people from 3 domains, 1 network, 4 devices/).waitFor();
    await page.getByRole('link', { name: 'Today 1 campaign' }).waitFor();
    // No person came for a night: as the service sees it, its newest person came hours ago.
    await service.admin(async ({ store }) => {
      const [row] = await store.campaigns.page('shop', {}, 1);
      if (row === undefined) throw new Error('No campaign');
      const night = 10 * 3_600_000;
      await store.campaigns.write([
        store.campaigns.growth({ ...row, since: row.since - night, lastSeen: row.lastSeen - night }),
      ]);
    });
    await page.reload();
    await page.getByRole('note').getByText('There was a campaign').waitFor();
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByRole('note').getByText('There was a campaign').waitFor({ state: 'hidden' });
    expect((await campaign(page)).acknowledgedByName).toBe(OWNER.name);
    expect(await page.getByRole('link', { name: 'Today 1 campaign' }).count()).toBe(0);
    await close();
  });

  it('shows its people with the reasons, and the request IDs of those who got in', async () => {
    const { page, close } = await openCampaign();
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => people(page).count()).toBe(101);
    expect(await people(page).nth(1).innerText()).toMatch(/o\*\*\*@.+\sDevice \S{8}…/);
    const { answers } = await campaign(page);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: `Request IDs of the ${answers.allow} who got in` }).click();
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file.trim().split('\n')).toHaveLength(answers.allow + 1);
    await close();
  });

  it('is reached from a device’s page, where the device and its people can be listed', async () => {
    const { page, close } = await openCampaign();
    await page.goto(`/dashboard/projects/shop/thing?device=${await deviceOf(page)}`);
    await page.getByRole('link', { name: 'Campaign of 103' }).waitFor();
    const [, hash = ''] = /device=([\w-]+)/.exec(page.url()) ?? [];
    const { rows } = await ask<ThingsView>(page, `/things?kind=person&device=${hash}`);
    const inboxes = new Set(rows.map(({ name }) => name));
    const listed = async () => (await ask<ProjectView>(page, '')).blockList.map(({ value }) => value);

    await page.getByRole('button', { name: 'Block…' }).click();
    await page
      .getByRole('dialog')
      .getByText('every sign-up from this device is answered with “block”')
      .waitFor();
    await sendListed(page.getByRole('dialog'), 'Block');
    await page.getByRole('heading', { name: 'On the project’s lists' }).waitFor();
    expect(await listed()).toEqual([`device:${hash}`]);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'On the project’s lists' }).waitFor({ state: 'hidden' });
    expect(await listed()).toEqual([]);

    await page.getByRole('link', { name: 'Its people' }).click();
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
    await page.getByRole('button', { name: 'Block or allow…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Block or allow what is selected' });
    await sendListed(dialog, `Add ${inboxes.size} entries`);
    await page.getByText(`${inboxes.size} entries added to the block list`).waitFor();
    expect(new Set(await listed())).toEqual(new Set([...inboxes].map((inbox) => `person:${inbox}`)));
    // The earlier message has a button too.
    const message = page.getByLabel('Message').filter({ hasText: 'entries added' });
    await message.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The change is undone.').waitFor();
    expect(await listed()).toEqual([]);
    await close();
  });

  it('has people with notes and a history of what was decided', async () => {
    const { page, close } = await openCampaign();
    await people(page).nth(1).getByRole('link').first().click();
    const history = page.getByRole('region', { name: 'Notes and history' });
    await history.getByLabel('New note').fill('Asked the bank.');
    await history.getByRole('button', { name: 'Add note' }).click();
    await history.getByText('Asked the bank.').waitFor();
    await page.getByRole('button', { name: 'Mark as bad' }).click();
    await history.getByText('Ada Lovelace said: bad').waitFor();
    await page.getByRole('button', { name: 'Block…' }).click();
    await page.getByRole('dialog').getByLabel('Why (optional)').fill('the farm of today');
    await sendListed(page.getByRole('dialog'), 'Block');
    await history.getByText('the farm of today').waitFor();
    const [, inbox = ''] = /person=([\w-]+)/.exec(page.url()) ?? [];
    const subject = `person:${inbox}`;
    const read = () => ask<TimelineView>(page, `/timeline?subject=${subject}`);
    const { entries } = await read();
    expect(entries.slice(0, 3).map(({ kind, text, actorName }) => [kind, text, actorName])).toEqual([
      ['block_list', 'the farm of today', OWNER.name],
      ['bad', '', OWNER.name],
      ['note', 'Asked the bank.', OWNER.name],
    ]);
    await history.getByRole('button', { name: 'Delete the note' }).click();
    await page.getByText('The note is deleted.').waitFor();
    expect((await read()).entries.map(({ kind }) => kind)).not.toContain('note');
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await history.getByText('took it off the lists').waitFor();
    await page.getByRole('button', { name: 'Take back' }).click();
    await history.getByText('said: not known').waitFor();
    await close();
  });

  it('is reached also if there are more than two pages of them', async () => {
    await service.makeProject({ id: 'many', name: 'Many' });
    await service.admin(async ({ store }) => {
      const spread = { domains: 1, mailHosts: 0, devices: 0, networks: 0 };
      for (let index = 0; index < 120; index += 1) {
        // Three of them have their newest person at the same moment.
        const at = Date.now() - Math.floor(index / 3) * 1_000;
        const times = { since: at, lastSeen: at, seenAt: at };
        const none = { acknowledgedAt: null, acknowledgedBy: null, badAt: null, mergedInto: null };
        const row = { projectId: 'many', id: `c${index}`, things: [], spread, decisions: [], ...times };
        await store.campaigns.write([store.campaigns.creation({ ...row, ...none })]);
      }
    });
    const { page, close } = await openPage(browser, service, '/dashboard/projects/many/campaigns');
    const rows = page.getByRole('group', { name: 'Campaigns' }).getByRole('row');
    const older = page.getByRole('button', { name: 'Show older' });
    for (const shown of [50, 100]) {
      await expect.poll(() => rows.count()).toBe(shown + 1);
      await older.click();
    }
    await expect.poll(() => rows.count()).toBe(121);
    expect(await older.count()).toBe(0);
    const links = await rows
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(new Set(links).size).toBe(120);
    const ids: string[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const path = `/dashboard/api/v1/projects/many/campaigns?limit=50&after=${after}`;
      const part: CampaignsView = await (await page.request.get(path)).json();
      ids.push(...part.rows.map(({ id }) => id));
      after = part.next;
    }
    expect(ids).toEqual(links.map((link) => link?.split('/').at(-1)));

    const state = async () => {
      const path = '/dashboard/api/v1/projects/many/campaigns?state=open&limit=200';
      const part: CampaignsView = await (await page.request.get(path)).json();
      return ids.slice(0, 3).map((id) => part.rows.some((row) => row.id === id));
    };
    const boxes = rows.getByRole('checkbox');
    await boxes.nth(0).check();
    await boxes.nth(2).check();
    await page.getByRole('button', { name: 'Acknowledge 2 campaigns' }).click();
    await page.getByText('2 campaigns are acknowledged.').waitFor();
    expect(await state()).toEqual([false, true, false]);
    await expect.poll(() => boxes.nth(0).isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The change is undone.').waitFor();
    expect(await state()).toEqual([true, true, true]);
    expect(await violations(page)).toEqual([]);
    await close();
  });

  it('is marked as bad where it is ticked among others, and that is undone', async () => {
    const { page, close } = await openPage(browser, service, '/dashboard/projects/shop/campaigns');
    await page.getByRole('row').nth(1).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Mark 103 people as bad' }).click();
    await page.getByText('The people of 1 campaign count as bad.').waitFor();
    const { bad, decisions } = await campaign(page);
    expect([bad, decisions.at(-1)]).toEqual([103, expect.objectContaining({ action: 'none', bad: true })]);
    await page.getByRole('row').nth(1).getByText('marked as bad').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The decision is taken back').waitFor();
    expect([(await campaign(page)).bad, (await campaign(page)).decisions]).toEqual([0, []]);
    await close();
  });

  it('is blocked and its people marked as bad with one button, and that is undone as one', async () => {
    const { page, close } = await openCampaign();
    const waiting = async () => (await ask<{ open: number }>(page, '/review')).open;
    const before = await waiting();
    expect(before).toBeGreaterThan(50);
    // Asked only after the decision: the campaign takes in whoever comes with its device.
    const stranger = () => answerTo('somebody.else@gmail.com', 'farm-device-3');
    await page.getByRole('button', { name: 'Block all of it…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Block what is behind it' });
    await dialog.getByLabel('203.0.113.0/24').uncheck();
    await dialog.getByLabel('Why (optional)').fill('one gang');
    await dialog.getByLabel(/^Mark 103 people as bad/).check();
    await sendListed(dialog, /^Block \d+ things, mark 103 people as bad$/);
    await page.getByText(/things behind it are blocked from now on; its people count as bad/).waitFor();
    expect(await stranger()).toBe('block');
    expect([(await campaign(page)).bad, await waiting()]).toEqual([103, 0]);
    const { blockList } = await ask<ProjectView>(page, '');
    expect(blockList).toContainEqual(expect.objectContaining({ note: 'one gang' }));
    expect(blockList.map(({ value }) => value)).not.toContain('203.0.113.0/24');
    await page.getByText('Known outcomes: 103 bad, 0 good').waitFor();
    await page.getByRole('button', { name: 'Undo the last decision' }).click();
    await page.getByText('The decision is taken back').waitFor();
    expect((await ask<ProjectView>(page, '')).blockList).toEqual([]);
    expect(await stranger()).not.toBe('block');
    expect([(await campaign(page)).bad, await waiting()]).toEqual([0, before]);
    await close();
  });
});
