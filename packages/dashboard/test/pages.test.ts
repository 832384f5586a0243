import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../sdk-browser/test/support/chromium.ts';
import { seriousViolations } from './support/axe.ts';
import {
  layoutShift,
  OWNER,
  PASSWORD,
  settled,
  signIn,
  type Visitor,
  visit,
  watchLayout,
} from './support/dashboard-page.ts';
import { PAGES, PROJECT } from './support/pages.ts';
import { startWorkspace, type Workspace } from './support/workspace.ts';

/** The limit of “good” in the Cumulative Layout Shift metric. */
const MAX_LAYOUT_SHIFT = 0.1;

let workspace: Workspace;
let browser: Browser;

beforeAll(async () => {
  [workspace, browser] = await Promise.all([startWorkspace(20, 12), launchChromium()]);
  await addRules();
  await makeRing(workspace);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await workspace?.service.close();
});

/** Rules of both modes, one that asks a list, and somebody whom they match. */
async function addRules(): Promise<void> {
  const { createNamedList } = await import('../../service/dist/administration/named-lists.js');
  const { createRule } = await import('../../service/dist/administration/rules.js');
  const { service, lively } = workspace;
  await service.admin(async (admin) => {
    await createNamedList(admin, lively.id, 'partners');
    await createRule(admin, lively.id, {
      name: 'Partners',
      when: 'inList("partners", email.domain)',
      then: 'allow',
    });
    const free = { id: 'free', name: 'Free mail', when: 'email.class == "free"', then: 'flag' } as const;
    await createRule(admin, lively.id, { ...free, mode: 'shadow', expiresAt: Date.now() + 3_600_000 });
  });
  await lively.validate({ email: 'jane.doe@gmail.com' });
}

/** Six people with one device. */
async function makeRing({ lively }: Workspace): Promise<void> {
  for (const name of ['ann', 'ben', 'cleo', 'dan', 'eve', 'finn'])
    await lively.validate({ email: `${name}@northwind.dev`, ip: '198.51.100.7', fingerprintHash: 'a-ring' });
}

/** How many pixels the page is wider than its window. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

async function showAs(page: Page, { colorScheme, viewport }: (typeof LOOKS)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
}

/** What colours and width can change. */
const OF_THE_LOOK = ['color-contrast', 'scrollable-region-focusable', 'link-in-text-block'];

async function expectNoFault(page: Page, rules?: readonly string[]): Promise<void> {
  expect(await seriousViolations(page, rules)).toEqual([]);
  expect(await overflow(page)).toBe(0);
}

describe('in light and wide, and in dark at a phone’s width', () => {
  let visitor: Visitor;

  beforeAll(async () => {
    visitor = await visit(browser, workspace.service);
    const { page } = visitor;
    await page.goto('/dashboard/sign-in');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    for (const look of LOOKS) {
      await showAs(page, look);
      await expectNoFault(page);
    }
    await watchLayout(page);
    await signIn(page, OWNER.email);
    // Leaving a changed policy asks for confirmation. Confirm it.
    page.on('dialog', (dialog) => void dialog.accept());
  });
  afterAll(() => visitor?.context.close());

  // Every other page is loaded in dark at a phone’s width. TEST_SLOW looks at each page both ways.
  const pages = PAGES.map((page, at) => ({ ...page, looks: at % 2 === 0 ? LOOKS : LOOKS.toReversed() }));

  it.each(pages)(
    '$name has no serious fault for assistive technology, fits the width and does not jump',
    async ({ path, open, looks: [first, second] }) => {
      const { page } = visitor;
      if (first === undefined || second === undefined) throw new Error('There are two looks');
      await showAs(page, first);
      await page.goto(`/dashboard${path}`);
      await settled(page);
      expect(await layoutShift(page)).toBeLessThan(MAX_LAYOUT_SHIFT);
      await open?.(page);
      await expectNoFault(page);
      if (process.env.TEST_SLOW !== '1') return;
      await showAs(page, second);
      await expectNoFault(page, OF_THE_LOOK);
    },
  );

  it('sent no request to another host, and no page logged an error', () => {
    expect(visitor.outside).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });
});

describe('on a phone', () => {
  it('reaches every page by the menu', async () => {
    const { page, context } = await visit(browser, workspace.service, {
      viewport: { width: 390, height: 844 },
    });
    await signIn(page, OWNER.email);
    await page.goto(`/dashboard${PROJECT}`);
    await settled(page);
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Policy' }).waitFor({ state: 'hidden' });
    await context.close();
  });
});

describe('the API reference', () => {
  it.each([
    { width: 390, colorScheme: 'dark' },
    { width: 1280, colorScheme: 'light' },
  ] as const)('fits $width pixels and can be read, in $colorScheme', async ({ width, colorScheme }) => {
    const viewport = { width, height: 844 };
    const { page, context } = await visit(browser, workspace.service, { viewport, colorScheme });
    await page.goto('/docs');
    expect(await overflow(page)).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);
    await context.close();
  });
});

describe('very long names', () => {
  const name = 'WithoutAnyPlaceToBreak'.repeat(4);
  /** How many pixels of a table are hidden at its side. */
  const hidden = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll('table')].map(
        ({ parentElement: box }) => (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0),
      ),
    );

  it.each([390, 1280])('hide no button and no detail at %i pixels', async (width) => {
    const { service, quiet } = workspace;
    const { createAccount } = await import('../../service/dist/administration/accounts.js');
    const { createKey } = await import('../../service/dist/administration/keys.js');
    await service.admin(async (admin) => {
      const email = `${'somebody.with.a.long.address'.repeat(2)}.${width}@example.com`;
      await createAccount(admin, { name, email, password: PASSWORD }, 'viewer');
      await createKey(admin, { projectId: quiet.id, type: 'client', name });
    });
    const { page, context } = await visit(browser, service, { viewport: { width, height: 844 } });
    await signIn(page, OWNER.email);
    for (const path of [
      '/members',
      '/audit',
      '/account',
      `/projects/${quiet.id}/audit`,
      `/projects/${quiet.id}/keys`,
      `${PROJECT}/sharing`,
    ]) {
      await page.goto(`/dashboard${path}`);
      await settled(page);
      expect(Math.max(...(await hidden(page))), path).toBe(0);
    }
    await page.goto(`/dashboard${PROJECT}/sharing`);
    await settled(page);
    await page.locator('tbody a').first().click();
    await page.getByRole('heading', { name: 'Sightings' }).waitFor();
    expect(Math.max(...(await hidden(page))), 'a device').toBe(0);
    await context.close();
  });
});

describe('colours', () => {
  it('follow the system until the person chooses, and keep the choice', async () => {
    const { page, context } = await visit(browser, workspace.service, { colorScheme: 'dark' });
    await signIn(page, OWNER.email);
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const dark = await background();
    await page.getByRole('group', { name: 'Colours' }).getByRole('radio', { name: 'Light' }).check();
    const light = await background();
    expect(light).not.toBe(dark);
    await page.reload();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    expect(await background()).toBe(light);
    await context.close();
  });
});
