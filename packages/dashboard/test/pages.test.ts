import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { noticeCampaigns } from '../../service/test/support/campaign-people.ts';
import { untilCounted } from '../../service/test/support/until-counted.ts';
import { violations } from './support/axe.ts';
import {
  layoutShift,
  OWNER,
  PASSWORD,
  settled,
  signInByForm,
  type Visitor,
  visit,
  watchLayout,
} from './support/dashboard-page.ts';
import { type DashboardPage, PAGES, PROJECT } from './support/pages.ts';
import { startWorkspace, type Workspace } from './support/workspace.ts';

/** The limit of “good” in the Cumulative Layout Shift metric. */
const MAX_LAYOUT_SHIFT = 0.1;

let workspace: Workspace;
let browser: Browser;
/** One signed-in owner for all tests: most of the time goes into loading pages. */
let visitor: Visitor;
let page: Page;
/** What a page asked that the service found wrong. */
const refused: string[] = [];

beforeAll(async () => {
  [workspace, browser] = await Promise.all([startWorkspace(20, 12), launchChromium()]);
  await Promise.all([addRules(), makeFarm(workspace), addWebhook(), reportOutcomes()]);
  visitor = await visit(browser, workspace.service);
  page = visitor.page;
  page.on('response', (response) => {
    if (response.status() === 400) refused.push(response.url());
  });
});
afterAll(async () => {
  await browser?.close();
  await workspace?.service.close();
});

/** Rules of both modes, one that asks a list, and a person whom they match. */
async function addRules(): Promise<void> {
  const { storeRoutes } = await import('../../service/dist/dashboard-api/store-routes.js');
  const { operationsOf } = await import('../../service/dist/operations/run-operation.js');
  const { service, lively } = workspace;
  await service.admin(async (admin) => {
    const call = operationsOf(storeRoutes, admin);
    const { id } = lively;
    await call('POST /projects/:id/named-lists', { id }, { name: 'partners' });
    await call(
      'POST /projects/:id/rules',
      { id },
      {
        name: 'Partners',
        when: 'inList("partners", email.domain)',
        then: 'allow',
      },
    );
    const free = { id: 'free', name: 'Free mail', when: 'email.class == "free"', then: 'flag' } as const;
    await call(
      'POST /projects/:id/rules',
      { id },
      { ...free, mode: 'shadow', expiresAt: Date.now() + 3_600_000 },
    );
  });
  await lively.validate({ email: 'jane.doe@gmail.com' });
  // The log names no domain of it that a filter could have.
  await lively.validate({ email: 'jane.doe@[127.0.0.1]' });
}

async function addWebhook(): Promise<void> {
  const { createWebhook } = await import('../../service/test/support/webhooks.ts');
  const { service, lively } = workspace;
  const url = `https://hooks.example/${'long-name-'.repeat(12)}`;
  await service.admin((admin) => createWebhook(admin, { projectId: lively.id, url }));
}

async function reportOutcomes(): Promise<void> {
  const { service, lively } = workspace;
  const { rows } = await service.admin(({ store }) => store.log.page(lively.id, {}, 100, null));
  const outcomes = rows.map(({ requestId, recommendation }) => ({
    requestId,
    outcome: recommendation === 'allow' ? 'good' : 'bad',
  }));
  const headers = { authorization: `Bearer ${lively.serverKey}`, 'x-project-id': lively.id };
  const body = JSON.stringify({ outcomes });
  // A busy machine may answer 503 at first.
  const report = () => service.ask({ method: 'POST', path: '/v1/outcomes', headers, body });
  expect((await untilCounted(report)).status).toBe(200);
}

/** Eight people with one device. */
async function makeFarm({ lively, service }: Workspace): Promise<void> {
  for (const name of ['ann', 'ben', 'cleo', 'dan', 'eve', 'finn', 'gus', 'hal'])
    await lively.validate({
      email: `${name}.farmer@gmail.com`,
      ip: '198.51.100.7',
      fingerprintHash: 'a-farm',
    });
  await noticeCampaigns(service);
}

/** How many pixels the page is wider than its window. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

async function showAs({ colorScheme, viewport }: (typeof LOOKS)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
}

/** What colours and width can change. */
const OF_THE_LOOK = ['color-contrast', 'scrollable-region-focusable', 'link-in-text-block'];

async function expectNoFault(name: string, rules?: readonly string[]): Promise<void> {
  expect(await violations(page, rules), name).toEqual([]);
  expect(await overflow(page), name).toBe(0);
}

/** A page and what opens on it share one load. */
function loads(): DashboardPage[][] {
  const groups: DashboardPage[][] = [];
  for (const each of PAGES) {
    if (each.path === undefined) groups.at(-1)?.push(each);
    else groups.push([each]);
  }
  return groups;
}

async function closeDialogs(): Promise<void> {
  const open = page.locator('dialog[open], [role="dialog"], [role="menu"]').first();
  if ((await open.count()) === 0) return;
  await page.keyboard.press('Escape');
  await open.waitFor({ state: 'detached' });
}

describe('in light and wide, and in dark at a phone’s width', () => {
  beforeAll(async () => {
    await page.goto('/dashboard/sign-in');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    for (const look of LOOKS) {
      await showAs(look);
      await expectNoFault('sign-in');
    }
    await watchLayout(page);
    await signInByForm(page, OWNER.email);
    // Leaving a changed policy asks for confirmation. Confirm it.
    page.on('dialog', (dialog) => void dialog.accept());
  });

  // Every other page is loaded in dark at a phone’s width. TEST_SLOW looks at each page both ways.
  const groups = loads().map((shown, at) => ({
    names: shown.map(({ name }) => name).join(', '),
    shown,
    looks: at % 2 === 0 ? LOOKS : LOOKS.toReversed(),
  }));

  it.each(groups)(
    '$names: no fault for assistive technology, fits the width and does not jump',
    async ({ shown, looks: [first, second] }) => {
      if (first === undefined || second === undefined) throw new Error('There are two looks');
      await showAs(first);
      await page.goto(`/dashboard${shown[0]?.path}`);
      await settled(page);
      expect(await layoutShift(page)).toBeLessThan(MAX_LAYOUT_SHIFT);
      expect(refused.splice(0)).toEqual([]);
      for (const { name, open } of shown) {
        await closeDialogs();
        await open?.(page);
        await expectNoFault(name);
        if (process.env.TEST_SLOW !== '1') continue;
        await showAs(second);
        await expectNoFault(name, OF_THE_LOOK);
        await showAs(first);
      }
    },
  );

  it('every route of the dashboard is among them', async () => {
    const source = await readFile(new URL('../src/routes.tsx', import.meta.url), 'utf8');
    const [, signedIn = ''] = source.split('app.addChildren(');
    const routes = [...signedIn.matchAll(/(signedIn|page)\(\s*'([^']+)'/g)].map(([, kind, path = '']) =>
      (kind === 'page' ? `/projects/$projectId${path}` : path).replace(/(?<=.)\/$/, ''),
    );
    expect(routes.length).toBeGreaterThan(25);
    const isOf = (route: string) => new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/?]+')}(\\?|$)`);
    const paths = PAGES.map(({ path }) => path ?? '');
    const openedFromOthers = ['/projects/$projectId/campaigns/$campaignId'];
    expect(routes.filter((route) => !paths.some((path) => isOf(route).test(path)))).toEqual(
      expect.arrayContaining(openedFromOthers),
    );
    expect(routes.filter((route) => !paths.some((path) => isOf(route).test(path)))).toHaveLength(
      openedFromOthers.length,
    );
  });

  it('sent no request to another host, and no page logged an error', () => {
    expect(visitor.outside).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });
});

describe('on a laptop', () => {
  it('shows the whole navigation without scrolling', async () => {
    await showAs(LOOKS[0]);
    await page.goto(`/dashboard${PROJECT}`);
    await settled(page);
    const help = page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Workspace' });
    const hidden = () =>
      help.evaluate((link) => {
        const box = link.closest('nav')?.parentElement;
        return (box?.scrollHeight ?? 0) - (box?.clientHeight ?? 0);
      });
    expect(await hidden()).toBe(0);
  });
});

describe('on a phone', () => {
  it('reaches every page by the menu, and the bars of the log are wide enough for a finger', async () => {
    await showAs(LOOKS[1]);
    await page.goto(`/dashboard${PROJECT}`);
    await settled(page);
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('link', { name: 'Investigate' }).click();
    await page.getByRole('heading', { name: 'Sign-ups', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Connect' }).waitFor({ state: 'hidden' });
    const bars = page.getByRole('list', { name: 'Matches over time' }).getByRole('button');
    await bars.first().waitFor();
    const widths = await bars.evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().width));
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(24);
  });
});

describe('the API reference', () => {
  it('fits both widths and can be read in both looks', async () => {
    await page.goto('/docs');
    for (const look of LOOKS) {
      await showAs(look);
      await expectNoFault('API reference');
    }
  });
});

describe('very long names', () => {
  const name = 'WithoutAnyPlaceToBreak'.repeat(4);
  /** How many pixels of a table are hidden at its side. */
  const hidden = () =>
    page.evaluate(() =>
      Math.max(
        ...[...document.querySelectorAll('table')]
          .map(({ parentElement: box }) => box)
          // A chart’s table is only for screen readers.
          .filter((box) => box?.closest('.sr-only') === null)
          .map((box) => (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0)),
      ),
    );
  const expectAllShown = async (path: string) => {
    for (const look of LOOKS) {
      await showAs(look);
      expect(await hidden(), `${path} at ${look.viewport.width} pixels`).toBe(0);
    }
  };

  it('hide no button and no detail', async () => {
    const { service, quiet } = workspace;
    const { createAccount } = await import('../../service/dist/operations/accounts.js');
    const { createKey } = await import('../../service/test/support/keys.ts');
    await service.admin(async (admin) => {
      const email = `${'somebody.with.a.long.address'.repeat(2)}@example.com`;
      await createAccount(admin, { name, email, password: PASSWORD }, 'viewer');
      await createKey(admin, { projectId: quiet.id, type: 'client', name });
    });
    for (const path of [
      '/members',
      '/audit',
      '/account',
      `/projects/${quiet.id}/audit`,
      `/projects/${quiet.id}/keys`,
      `${PROJECT}/things/device`,
    ]) {
      await page.goto(`/dashboard${path}`);
      await settled(page);
      await expectAllShown(path);
    }
    await page.locator('tbody a').first().click();
    await page.getByRole('heading', { name: 'Linked with it' }).waitFor();
    await expectAllShown('a device');
  });
});

describe('colours', () => {
  it('follow the system until the person chooses, and keep the choice', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize(LOOKS[0].viewport);
    await page.goto('/dashboard/');
    await settled(page);
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const dark = await background();
    await page.getByRole('group', { name: 'Colours' }).getByRole('radio', { name: 'Light' }).check();
    const light = await background();
    expect(light).not.toBe(dark);
    await page.reload();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    expect(await background()).toBe(light);
  });
});
