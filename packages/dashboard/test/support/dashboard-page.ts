import { setTimeout } from 'node:timers/promises';
import { DASHBOARD_AUTH } from '@postern/contract/dashboard';
import type { Browser, BrowserContext, Locator, Page } from 'playwright';
import type { TestService } from '../../../service/test/support/service.ts';

export const PASSWORD = 'correct horse battery';
export const OWNER = { name: 'Ada Lovelace', email: 'ada@example.com' };

export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Requests to other hosts than the service. */
  readonly outside: readonly string[];
  /** Errors in the console, unhandled rejections, and violations of the content security policy. */
  readonly complaints: readonly string[];
}

export interface VisitorOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly viewport?: { width: number; height: number };
  readonly timezoneId?: string;
  readonly hasTouch?: boolean;
}

/** Opens the dashboard in a new browser profile. */
export async function visit(
  browser: Browser,
  service: TestService,
  options: VisitorOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: service.url,
    locale: 'en-US',
    timezoneId: options.timezoneId ?? 'UTC',
    hasTouch: options.hasTouch ?? false,
    reducedMotion: 'reduce',
    colorScheme: options.colorScheme ?? 'light',
    viewport: options.viewport ?? { width: 1280, height: 860 },
  });
  context.setDefaultTimeout(120_000);
  await context.addInitScript(offerUndoLonger);
  await delayRequests(context);
  const page = await context.newPage();
  const outside: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const { host, protocol } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol) && host !== new URL(service.url).host) outside.push(request.url());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // The console also shows refused requests. Tests that expect one look at the page instead.
    if (message.type() === 'error' && !/status of 40[0-9]/.test(message.text()))
      complaints.push(message.text());
  });
  return { context, page, outside, complaints };
}

/** The dashboard offers “Undo” for ten seconds, which may be over before a busy machine presses it. */
function offerUndoLonger(): void {
  const start = globalThis.setTimeout;
  const longer = (run: TimerHandler, ms?: number, ...rest: unknown[]) =>
    (start as Window['setTimeout'])(run, ms === 10_000 ? 120_000 : ms, ...rest);
  Object.assign(globalThis, { setTimeout: longer });
}

/**
 * With `LATE_PAGES=800`, every file and every answer of the API comes up to 800 ms late, each by its own time. A test
 * that acts before the page is ready fails then, and not once in a hundred runs on a busy machine.
 */
async function delayRequests(context: BrowserContext): Promise<void> {
  const most = Number(process.env.LATE_PAGES ?? 0);
  if (most === 0) return;
  await context.route('**/*', async (route) => {
    await setTimeout(Math.random() * most);
    await route.fallback().catch(() => {});
  });
}

/** Signs in without a page, which takes a second of CPU. The next step is to open one. */
export async function signIn(page: Page, email: string): Promise<void> {
  const data = { email, password: PASSWORD };
  const answer = await page.request.post(`${DASHBOARD_AUTH}/sign-in/email`, { data });
  if (!answer.ok()) throw new Error(`Sign-in was answered ${answer.status()}: ${await answer.text()}`);
}

/** Signs in with the form. */
export async function signInByForm(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/dashboard/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
}

/** From now on, adds up the layout shifts of each page. `layoutShift` reads the sum. */
export async function watchLayout(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.assign(globalThis, { moved: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[]) {
        if (!entry.hadRecentInput) (globalThis as unknown as { moved: number }).moved += entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

export const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { moved: number }).moved);

/** Waits until the page has loaded its data and shows no skeleton. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => document.querySelector('[data-pending]') === null);
}

/** A signed-in owner on one page. */
export async function openPage(
  browser: Browser,
  service: TestService,
  path: string,
  options: VisitorOptions = {},
): Promise<{ page: Page; close: () => Promise<void> }> {
  const { page, context } = await visit(browser, service, options);
  await signIn(page, OWNER.email);
  await page.goto(path);
  await settled(page);
  return { page, close: () => context.close() };
}

/** Sends a dialog that puts something on a list: types the name first if many people would be concerned. */
export async function sendListed(dialog: Locator, button: string | RegExp): Promise<void> {
  await dialog.getByText(/ came from here[.:]/).waitFor();
  const confirm = dialog.getByLabel(/^That is .* to confirm$/);
  if ((await confirm.count()) > 0) {
    const [, name = ''] = /Type (.*) to confirm/.exec(await dialog.innerText()) ?? [];
    await confirm.fill(name);
  }
  await dialog.getByRole('button', { name: button }).click();
}
