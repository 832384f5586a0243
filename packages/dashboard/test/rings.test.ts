import type {
  ProjectView,
  RingDetail,
  RingsView,
  SharingView,
  TimelineView,
} from '@postern/contract/dashboard';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { ordinaryMail } from '../../service/test/support/dns-server.ts';
import { RING_DOMAINS, RING_SIGN_UPS, signUp } from '../../service/test/support/ring-sign-ups.ts';
import {
  KNOWN_MAIL,
  startService,
  type TestProject,
  type TestService,
} from '../../service/test/support/service.ts';
import { untilCounted } from '../../service/test/support/until-counted.ts';
import { OWNER, openPage, PASSWORD, sendListed } from './support/dashboard-page.ts';

let service: TestService;
let project: TestProject;
let browser: Browser;

beforeAll(async () => {
  service = await startService({ zone: { ...KNOWN_MAIL, ...ordinaryMail(...RING_DOMAINS) } });
  const { createAccount } = await import('../../service/dist/operations/accounts.js');
  await service.admin((admin) => createAccount(admin, { ...OWNER, password: PASSWORD }, 'owner'));
  project = await service.makeProject({ id: 'shop', name: 'Shop' });
  await signUp(project, RING_SIGN_UPS);
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
  (await untilCounted(() => project.validate({ email, ip: '81.2.69.1', fingerprintHash }))).json
    .recommendation;

async function openRing() {
  const { page, close } = await openPage(browser, service, '/dashboard/projects/shop/rings');
  const row = page.getByRole('row').nth(1);
  await row.getByRole('link').click();
  await page.getByRole('heading', { name: 'Ring of 103 people', level: 1 }).waitFor();
  return { page, close };
}

describe('a ring', () => {
  it('is listed with the reasons', async () => {
    const { page, close } = await openRing();
    await page.getByRole('button', { name: 'Show all 103' }).click();
    const people = page.getByRole('table').getByRole('row');
    expect(await people.count()).toBe(104);
    expect(await people.nth(1).innerText()).toMatch(/o\*\*\*@.+\sDevice \S{8}…/);
    await close();
  });

  it('can be decided as a whole, which empties the review queue, and that can be undone', async () => {
    const { page, close } = await openRing();
    const waiting = async () => (await ask<{ open: number }>(page, '/review')).open;
    const known = async () => {
      const { rings } = await ask<RingsView>(page, '/rings');
      const { bad, good } = await ask<RingDetail>(page, `/rings/${rings[0]?.id}`);
      return { bad, good };
    };
    const before = await waiting();
    expect(before).toBeGreaterThan(50);
    await page.getByRole('button', { name: 'Decide all of it…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Decide all of it' });
    await dialog.getByLabel('Why (optional)').fill('one gang');
    await dialog.getByRole('button', { name: 'Mark 103 people as bad' }).click();
    await page.getByText('Saved: 103 people count as bad from now on.').waitFor();
    expect([await known(), await waiting()]).toEqual([{ bad: 103, good: 0 }, 0]);
    await page.getByText('Outcomes: 103 bad.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The decision is taken back.').waitFor();
    expect([await known(), await waiting()]).toEqual([{ bad: 0, good: 0 }, before]);
    await close();
  });

  it('is reached from a device’s page, where the device and its people can be listed', async () => {
    const { page, close } = await openRing();
    await page.getByRole('listitem').getByRole('link').first().click();
    await page.getByRole('link', { name: 'Ring of 103' }).waitFor();
    const [, hash = ''] = /device=([\w-]+)/.exec(page.url()) ?? [];
    const { sightings } = await ask<SharingView>(page, `/devices/${hash}`);
    const inboxes = new Set(sightings.filter(({ device }) => device === hash).map(({ inbox }) => inbox));
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

    await page.getByRole('button', { name: 'List its people…' }).click();
    const dialog = page.getByRole('dialog', { name: 'List the people of this device' });
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
    const { page, close } = await openRing();
    await page.getByRole('table').getByRole('row').nth(1).getByRole('link').first().click();
    const history = page.getByRole('region', { name: 'Notes and history' });
    await history.getByLabel('New note').fill('Asked the bank.');
    await history.getByRole('button', { name: 'Add note' }).click();
    await history.getByText('Asked the bank.').waitFor();
    await page.getByRole('button', { name: 'Mark as bad' }).click();
    await history.getByText('Ada Lovelace said: bad').waitFor();
    await page.getByRole('button', { name: 'Block…' }).click();
    await page.getByRole('dialog').getByLabel('Why (optional)').fill('the ring of today');
    await sendListed(page.getByRole('dialog'), 'Block');
    await history.getByText('the ring of today').waitFor();
    const [, inbox = ''] = /people\/([\w-]+)/.exec(page.url()) ?? [];
    const subject = `person:${inbox}`;
    const read = () => ask<TimelineView>(page, `/timeline?subject=${subject}`);
    const { entries } = await read();
    expect(entries.slice(0, 3).map(({ kind, text, actorName }) => [kind, text, actorName])).toEqual([
      ['block_list', 'the ring of today', OWNER.name],
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

  // The last one: a stranger on a device of the ring joins it.
  it('can be blocked as a whole, and that can be undone', async () => {
    const { page, close } = await openRing();
    const [known] = RING_SIGN_UPS;
    const someone = () => answerTo(known?.email ?? '', 'a-new-device');
    const stranger = () => answerTo('somebody.else@gmail.com', 'ring-device-3');
    expect(await someone()).not.toBe('block');
    await page.getByRole('button', { name: 'List all of it…' }).click();
    const dialog = page.getByRole('dialog', { name: 'List all of it' });
    await dialog
      .getByText(
        'This adds 107 entries to the block list. From now on, every sign-up of these 103 people or from these 4 devices is answered with “block”',
      )
      .waitFor();
    await dialog.getByLabel('1 network: 203.0.113.0/24').check();
    await sendListed(dialog, 'Add 108 entries');
    await page.getByText('108 entries added to the block list').waitFor();
    expect([await someone(), await stranger()]).toEqual(['block', 'block']);
    const { blockList } = await ask<ProjectView>(page, '');
    expect(blockList).toHaveLength(108);
    expect(blockList).toContainEqual(
      expect.objectContaining({ value: '203.0.113.0/24', note: 'Ring of 103 people' }),
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The change is undone.').waitFor();
    expect((await ask<ProjectView>(page, '')).blockList).toEqual([]);
    expect([await someone(), await stranger()]).not.toContain('block');
    await close();
  });
});
