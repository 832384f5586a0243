import { readFile } from 'node:fs/promises';
import type { CampaignDetail } from '@postern/contract/dashboard';
import { expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { noticeCampaigns } from '../../service/test/support/campaign-people.ts';
import { ordinaryMail } from '../../service/test/support/dns-server.ts';
import { FARM_DOMAINS, signUp } from '../../service/test/support/farm-sign-ups.ts';
import { KNOWN_MAIL, startService } from '../../service/test/support/service.ts';
import { OWNER, openPage, PASSWORD } from './support/dashboard-page.ts';

it('a campaign of more than a thousand people is marked as bad with one button, undone with one, and in its file as a whole', async () => {
  const service = await startService({ zone: { ...KNOWN_MAIL, ...ordinaryMail(...FARM_DOMAINS) } });
  const browser = await launchChromium();
  const { createAccount } = await import('../../service/dist/operations/accounts.js');
  await service.admin((admin) => createAccount(admin, { ...OWNER, password: PASSWORD }, 'owner'));
  const PEOPLE = 1_150;
  const large = await service.makeProject({
    id: 'large',
    name: 'Large',
    rateServer: 10_000,
    quotaLimit: 10_000,
  });
  const crowd = Array.from({ length: PEOPLE }, (_, index) => ({
    email: `offer.hunter${index}@${FARM_DOMAINS[index % 3]}`,
    ip: `203.0.113.${index % 20}`,
    fingerprintHash: `large-${index % 10}`,
  }));
  await signUp(large, crowd);
  await noticeCampaigns(service);
  const { page, close } = await openPage(browser, service, '/dashboard/projects/large/campaigns');
  await page.getByRole('row').nth(1).getByRole('link').click();
  const known = async () => {
    const { rows } = await (await page.request.get('/dashboard/api/v1/projects/large/campaigns')).json();
    return rows.map(({ people: all, bad }: CampaignDetail) => [all, bad]);
  };
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'All request IDs' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  const ids = file
    .trim()
    .split('\n')
    .map((line) => line.split(',')[0]);
  expect([ids.length, new Set(ids).size]).toEqual([PEOPLE + 1, PEOPLE + 1]);
  await page.getByRole('button', { name: 'Mark its people as bad…' }).click();
  await page.getByRole('button', { name: 'Mark 1,150 people as bad' }).click();
  await page.getByText('Its people count as bad').waitFor();
  expect(await known()).toEqual([[PEOPLE, PEOPLE]]);
  await page.getByLabel('Message').getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The decision is taken back').waitFor();
  expect(await known()).toEqual([[PEOPLE, 0]]);

  // As many people as one decision can be about are in their list, too.
  await page.goto('/dashboard/projects/large/things/person');
  await page.getByText('The first 50, newest or largest first.').waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByText('The first 1,000, newest or largest first.').waitFor();
  await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
  await page.getByRole('button', { name: 'All bad' }).click();
  await page.getByText('1,000 people count as bad from now on').waitFor();
  expect(await known()).toEqual([[PEOPLE, 1_000]]);
  await page.getByLabel('Message').filter({ hasText: '1,000' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The decision is taken back').first().waitFor();
  await expect.poll(known).toEqual([[PEOPLE, 0]]);
  await close();
  await browser.close();
  await service.close();
});
