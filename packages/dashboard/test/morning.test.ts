import { readFile } from 'node:fs/promises';
import type {
  CampaignPeople,
  CampaignsView,
  CampaignView,
  ProjectView,
  ReviewView,
} from '@postern/contract/dashboard';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { noticeCampaigns } from '../../service/test/support/campaign-people.ts';
import { ordinaryMail } from '../../service/test/support/dns-server.ts';
import { startService, type TestProject, type TestService } from '../../service/test/support/service.ts';
import { untilCounted } from '../../service/test/support/until-counted.ts';
import { OWNER, openPage, PASSWORD, sendListed, settled } from './support/dashboard-page.ts';

const CLOCK = new URL('../../service/test/support/movable-clock.mjs', import.meta.url);
const HOUR_MS = 3_600_000;
/** When people come: ordinary ones ten days ago, a farm for two days, an attack last night. Then it is morning. */
const ORDINARY_HOURS = [240, 232, 224, 216, 208, 200, 192, 184, 176, 168];
const FARM_HOURS = [64, 56, 48, 40, 32, 24];
const NIGHT_HOURS = 8;
const DESKTOP =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

let service: TestService;
let project: TestProject;
let browser: Browser;
let page: Page;
let close: () => Promise<void>;

let people = 0;
const letters = () => {
  people += 1;
  return [...people.toString(26)]
    .map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))
    .join('');
};
const line = () => `81.${Math.floor(people / 250) + 20}.${people % 250}.7`;
/** Somebody with a device and a network of their own. */
const somebodyAt = (domain: string) => ({
  email: `joan.m${letters()}ley@${domain}`,
  ip: line(),
  fingerprint: letters(),
});
/** With one of six browsers, through a network for each. */
const attacker = (index: number) => ({
  email: `joan.m${letters()}ley@speedy-offers.com`,
  ip: line(),
  fingerprint: `rented-${index % 6}`,
});
const answerTo = async (visitor: object): Promise<string> =>
  (await untilCounted(() => project.validate({ userAgent: DESKTOP, ...visitor }))).json.recommendation;

beforeAll(async () => {
  const hours = [...ORDINARY_HOURS, ...FARM_HOURS, NIGHT_HOURS, 0];
  service = await startService({
    zone: {
      ...ordinaryMail('gmail.com'),
      'speedy-offers.com': { MX: [[10, 'mx.speedy-offers.com']] },
      'mx.speedy-offers.com': { A: ['93.184.216.77'] },
      'crestomail.com': { MX: [[10, 'route1.mx.cloudflare.net']] },
      'marlowpost.com': { MX: [[10, 'route1.mx.cloudflare.net']] },
      'route1.mx.cloudflare.net': { A: ['93.184.216.41'] },
    },
    env: {
      NODE_OPTIONS: `--import=${CLOCK.href}`,
      CLOCK_SHIFTS: hours.map((ago) => -ago * HOUR_MS).join(','),
    },
  });
  const { createAccount } = await import('../../service/dist/operations/accounts.js');
  await service.admin((admin) => createAccount(admin, { ...OWNER, password: PASSWORD }, 'owner'));
  project = await service.makeProject({ id: 'shop', name: 'Shop' });
  for (const ago of hours) {
    service.process.kill('SIGWINCH');
    while (!service.output().includes(`the clock is off by ${-ago * HOUR_MS}\n`))
      await new Promise((resolve) => setTimeout(resolve, 5));
    const day = ORDINARY_HOURS.includes(ago) ? 'gmail.com' : ago > 40 ? 'crestomail.com' : 'marlowpost.com';
    const count = ORDINARY_HOURS.includes(ago) ? 6 : FARM_HOURS.includes(ago) ? 3 : 0;
    for (let index = 0; index < count; index += 1) await answerTo(somebodyAt(day));
    if (ago !== NIGHT_HOURS) continue;
    for (let index = 0; index < 48; index += 1) await answerTo(attacker(index));
    await noticeCampaigns(service, Date.now() - ago * HOUR_MS);
  }
  browser = await launchChromium();
  ({ page, close } = await openPage(browser, service, '/dashboard/projects/shop'));
});
afterAll(async () => {
  await close?.();
  await browser?.close();
  await service?.close();
});

const ask = async <T>(path: string): Promise<T> =>
  (await page.request.get(`/dashboard/api/v1/projects/shop${path}`)).json();
const campaignWith = async (thing: string): Promise<CampaignView> => {
  const { rows } = await ask<CampaignsView>(`/campaigns?of=${thing}`);
  return rows[0] ?? expect.fail(`No campaign with ${thing}`);
};

describe('the morning after', () => {
  it.each([
    { of: 'a night’s attack', thing: 'speedy-offers.com', size: 48 },
    { of: 'a slow farm', thing: 'crestomail.com', size: 18 },
  ])('of $of: from Today to nobody who is left, in four clicks', async ({ thing, size }) => {
    const { id, answers, ...seen } = await campaignWith(thing);
    expect([seen.people, seen.underWay, seen.bad]).toEqual([size, false, 0]);
    expect(answers.allow).toBeGreaterThan(0);
    const isOfIt = ({ note }: { note?: string | null }) => note === `Campaign ${id}`;
    const brief = page
      .getByRole('list', { name: 'Campaigns' })
      .getByRole('listitem')
      .filter({ hasText: thing });
    await brief.getByText(`${size} people from`).waitFor();

    /** Each click, and what the API said after it. */
    const path: [click: string, answer: unknown][] = [];
    const button = (name: string) => brief.getByRole('button', { name });
    const file = page
      .waitForEvent('download')
      .then(async (download) => readFile(await download.path(), 'utf8'));
    await brief.getByRole('link', { name: `Request IDs of the ${answers.allow} who got in` }).click();
    path.push(['the request IDs of those who got in', (await file).trim().split('\n').length - 1]);

    await button('Block all behind it…').click();
    const dialog = page.getByRole('dialog', { name: 'Block what is behind it' });
    await dialog.getByText(/^In 30 days \d+ people came from here: /).waitFor();
    path.push(['block all behind it', (await ask<ProjectView>('')).blockList.filter(isOfIt).length]);

    await dialog.getByRole('checkbox', { name: /^Mark/ }).check();
    path.push(['mark its people as bad', (await campaignWith(thing)).bad]);

    await sendListed(dialog, /^Block \d+ things?, mark \d+ people as bad$/);
    await dialog.waitFor({ state: 'detached' });
    const after = await campaignWith(thing);
    const entries = (await ask<ProjectView>('')).blockList.filter(isOfIt).map(({ value }) => value);
    path.push(['do both', [after.bad, after.acknowledgedByName, entries]]);
    expect(path).toEqual([
      ['the request IDs of those who got in', answers.allow],
      ['block all behind it', 0],
      ['mark its people as bad', 0],
      ['do both', [size, OWNER.name, after.decisions[0]?.entries]],
    ]);

    await brief.waitFor({ state: 'detached' });
    const { rows }: CampaignPeople = await ask(`/campaigns/${id}/people?limit=200`);
    expect(rows.map(({ outcome }) => outcome)).toEqual(Array(size).fill('bad'));
    expect(await answerTo(somebodyAt(thing))).toBe('block');
  });

  it('nothing waits any more, and an ordinary person still comes in', async () => {
    expect((await ask<CampaignsView>('/campaigns?state=open')).rows).toEqual([]);
    const { rows } = await ask<ReviewView>('/review?order=oldest&limit=100');
    expect(rows.filter(({ domain }) => domain !== 'gmail.com')).toEqual([]);
    await page.reload();
    await settled(page);
    expect(await page.getByRole('region', { name: 'Campaigns that wait for you' }).count()).toBe(0);
    expect(await answerTo(attacker(3))).toBe('block');
    expect(await answerTo({ ...somebodyAt('gmail.com'), ip: '81.2.69.142' })).toBe('allow');
  });
});
