// npm run screenshots [-- NAME…]: takes docs/screenshots/*.png from a real service with a made-up history, in a real browser.
// Install a browser (CHROMIUM_PATH names it): the npm package’s has one font.
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import './typescript.mjs';
import { build } from './build-steps.mjs';
import { Refusal, ROOT, run, say } from './checkout.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

const TARGET = join(ROOT, 'docs', 'screenshots');
/** Fonts differ between machines, and so do the files. */
const MAX_BYTES = 240_000;
const PROJECT = '/dashboard/projects/acme-web';
const DESKTOP = { width: 1200, height: 780 };

/** The screenshots: path, height, and what to do first. */
const SHOTS = [
  { name: 'overview', path: `${PROJECT}?days=30`, height: 1000, also: ['dark'] },
  { name: 'validations', path: `${PROJECT}/validations`, also: ['dark'] },
  { name: 'validation', path: `${PROJECT}/validations?check=disposable`, open: openFirstRow, also: ['dark'] },
  {
    ...{ name: 'domain', path: `${PROJECT}/thing?domain=mailinator.com&days=30`, height: 1000 },
    ...{ open: waitForChecks, also: ['dark'] },
  },
  { name: 'network', path: `${PROJECT}/thing?network=81.2.69.0/24&days=30`, also: ['dark'] },
  { name: 'person', path: `${PROJECT}/validations?recommendation=flag`, open: openPerson, height: 560 },
  { name: 'file', path: `${PROJECT}/bulk`, open: checkFile, height: 640 },
  { name: 'review', path: `${PROJECT}/review`, height: 780 },
  { name: 'what-works', path: `${PROJECT}/what-works`, height: 1250 },
  { name: 'campaign', path: `${PROJECT}/campaigns`, open: openFirstCampaign, height: 900, also: ['dark'] },
  { name: 'keys', path: `${PROJECT}/keys`, height: 700 },
  { name: 'playground', path: `${PROJECT}/rules`, open: tryThrowaway, also: ['dark'] },
  { name: 'policy', path: `${PROJECT}/policy`, open: changePolicy, height: 1010 },
  { name: 'time-machine', path: `${PROJECT}/policy`, open: openTimeMachine, also: ['dark'] },
  {
    name: 'rule-editor',
    path: `${PROJECT}/new-rule?name=Throwaway+names&then=block&when=${encodeURIComponent('email.class == "disposable" && !email.relay')}`,
    open: waitForExamples,
    height: 1000,
    also: ['dark'],
  },
  { name: 'settings', path: `${PROJECT}/settings`, height: 1000 },
  { name: 'audit', path: `${PROJECT}/audit`, height: 620 },
  { name: 'members', path: '/dashboard/members', height: 620 },
  { name: 'health', path: '/dashboard/health', height: 680, also: ['dark'] },
];

async function waitForChecks(page) {
  await page.getByText('Listed as disposable').waitFor();
}

async function waitForExamples(page) {
  await page.getByRole('region', { name: 'Examples' }).waitFor();
}

async function openFirstRow(page) {
  await page.locator('tbody a').first().click();
  await page.getByRole('heading', { name: 'The request' }).waitFor();
}

async function openPerson(page) {
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Show this person' }).click();
  await page.getByRole('heading', { name: /\*\*\*@/, level: 1 }).waitFor();
  await page.waitForFunction(() => document.querySelector('[data-pending]') === null);
}

async function checkFile(page) {
  const addresses = 'jane.doe@gmail.com x1@mailinator.com info@acme.example sam@gmial.com nonsense'.split(
    ' ',
  );
  const buffer = Buffer.from(`email\n${addresses.join('\n')}\n`);
  await page
    .getByLabel(/Drop a CSV file/)
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: `Check ${addresses.length} rows` }).click();
  await page.getByText(`Checked ${addresses.length} of ${addresses.length} rows`).waitFor();
}

async function openFirstCampaign(page) {
  await page.locator('tbody a').first().click();
  await page.getByRole('heading', { name: /^Campaign: /, level: 1 }).waitFor();
}

async function tryThrowaway(page) {
  await page.getByRole('button', { name: 'Try an address' }).click();
  await page.getByRole('button', { name: 'A throwaway' }).click();
  await page.getByText('HTTP 200').waitFor();
}

async function changePolicy(page) {
  const choose = (check, action) =>
    page
      .getByRole('group', { name: `When ${check} fails` })
      .getByRole('radio', { name: action })
      .check();
  await choose('Role address', 'Block');
  await choose('Mail servers', 'Flag');
}

async function openTimeMachine(page) {
  await changePolicy(page);
  await page.getByRole('button', { name: 'See what would change' }).click();
  await page.getByText('replayed').waitFor();
}

/** One in how many turned out bad, by the check that failed. */
const ONE_IN = { disposable: 1, ip: 2, device: 2, alias: 5, roleEmail: 20 };
const ONE_IN_OTHERS = 60;

async function reportOutcomes(service, project) {
  const { rows } = await service.admin(({ store }) => store.log.page(project.id, {}, 1_000, null));
  const outcomes = rows
    .filter(({ recommendation, failed }) => recommendation !== 'block' || failed.includes('disposable'))
    .map(({ requestId, failed }, index) => {
      const oneIn = Math.min(ONE_IN_OTHERS, ...failed.map((name) => ONE_IN[name] ?? ONE_IN_OTHERS));
      return { requestId, outcome: index % oneIn === 0 ? 'bad' : 'good' };
    });
  const headers = { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id };
  for (let at = 0; at < outcomes.length; at += 100) {
    const body = JSON.stringify({ outcomes: outcomes.slice(at, at + 100) });
    const { status, text } = await service.ask({ method: 'POST', path: '/v1/outcomes', headers, body });
    if (status !== 200) throw new Refusal(`Outcomes were answered ${status}: ${text}`);
  }
}

async function take(page, shot, look, settled) {
  const file = join(TARGET, `${shot.name}${look === 'light' ? '' : `-${look}`}.png`);
  await page.setViewportSize({ ...DESKTOP, height: shot.height ?? DESKTOP.height });
  await page.goto(shot.path);
  await settled(page);
  await shot.open?.(page);
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.activeElement?.blur?.());
  await page.screenshot({ path: file, animations: 'disabled' });
  const { size: bytes } = await stat(file);
  if (bytes > MAX_BYTES) throw new Refusal(`${file} has ${bytes} bytes; at most ${MAX_BYTES} are committed.`);
}

/** All screenshots, or those that are named. */
async function takeAll(browser, service, support, names) {
  const { OWNER, settled, signIn, visit } = support;
  for (const look of ['light', 'dark']) {
    const { page, context } = await visit(browser, service, {
      colorScheme: look === 'dark' ? 'dark' : 'light',
    });
    page.on('dialog', (dialog) => dialog.accept());
    const wanted = SHOTS.filter(
      ({ name, also }) =>
        (names.length === 0 || names.includes(name)) && (look === 'light' || also?.includes(look)),
    );
    await signIn(page, OWNER.email);
    for (const shot of wanted) await take(page, shot, look, settled);
    await context.close();
    say(`${wanted.length} pages, ${look}`);
  }
}

await run(async () => {
  await ensureInstalled({ dev: true });
  await build();
  const at = (path) => import(new URL(`../packages/${path}`, import.meta.url).href);
  const { launchChromium } = await at('sdk/test/support/chromium.ts');
  const { startWorkspace } = await at('dashboard/test/support/workspace.ts');
  const support = await at('dashboard/test/support/dashboard-page.ts');
  await mkdir(TARGET, { recursive: true });
  const { service, lively } = await startWorkspace(40, 45);
  try {
    const { FARM_SIGN_UPS, signUp } = await at('service/test/support/farm-sign-ups.ts');
    await signUp(lively, FARM_SIGN_UPS);
    const { noticeCampaigns } = await at('service/test/support/campaign-people.ts');
    await noticeCampaigns(service);
    await reportOutcomes(service, lively);
    const browser = await launchChromium();
    await takeAll(browser, service, support, process.argv.slice(2)).finally(() => browser.close());
  } finally {
    await service.close();
  }
});
