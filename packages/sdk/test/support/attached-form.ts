import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { bundlePageScript } from './bundle.ts';
import { launchChromium } from './chromium.ts';
import { type Site, startSite } from './site.ts';
import {
  allowed,
  type StubAnswer,
  type StubRequest,
  type StubService,
  startStubService,
} from './stub-service.ts';

/** With the default limits, a page on a busy machine would send no fingerprint or get no answer in time. */
export const PATIENT = 'timeoutMs: 60_000, fingerprintTimeoutMs: 60_000,';

export interface AttachedForm {
  readonly browser: Browser;
  /** The SDK as one script. */
  readonly script: string;
  readonly service: StubService;
  /** What the service answers; allowed unless the test sets something else. */
  answer: (request: StubRequest) => StubAnswer | Promise<StubAnswer>;
  site: Site;
  page: Page;
  /** The HTML of a sign-up form that Postern is attached to. */
  form(options?: string, clientOptions?: string): string;
  /** Opens the HTML in a new page. */
  open(html: string): Promise<void>;
  /** Waits until the field has this status. */
  status(expected: string): Promise<unknown>;
}

/** A browser for all tests of a file, and a new stub service for each. */
export function attachedForm(): AttachedForm {
  const setup = {
    form: (options = '{}', clientOptions = '') => formHtml(setup.service.url, options, clientOptions),
    open: async (html: string) => {
      setup.site = await startSite({ '/': html, '/postern.js': setup.script });
      const context = await setup.browser.newContext({ locale: 'en-US' });
      setup.page = await context.newPage();
      await setup.page.goto(setup.site.origin);
    },
    status: (expected: string) =>
      setup.page.waitForFunction(
        (wanted) => document.querySelector('input')?.dataset.postern === wanted,
        expected,
      ),
  } as { -readonly [Key in keyof AttachedForm]: AttachedForm[Key] };
  beforeAll(async () => {
    [setup.browser, setup.script] = await Promise.all([launchChromium(), bundlePageScript()]);
  });
  afterAll(() => setup.browser.close());
  beforeEach(async () => {
    setup.answer = () => allowed();
    setup.service = await startStubService((request) => setup.answer(request));
  });
  afterEach(async () => {
    await setup.page.context().close();
    await setup.site.close();
    await setup.service.close();
  });
  return setup;
}

const formHtml = (
  url: string,
  options: string,
  clientOptions: string,
) => `<!doctype html><html lang="en"><title>Sign up</title>
  <form id="sign-up" method="post" action="/sign-up">
    <label for="email">Email</label><input id="email" name="email" type="email" required aria-describedby="hint">
    <span id="hint">We write once a month.</span>
    <button name="plan" value="free">Sign up</button> <button formnovalidate>Back</button>
    <input type="submit" formnovalidate value="Skip">
  </form>
  <script src="/postern.js"></script>
  <script>
    const postern = Postern.createPosternClient({ baseUrl: '${url}', projectId: 'demo', apiKey: 'key', ${PATIENT} ${clientOptions} });
    const attached = postern.attach('#sign-up', ${options});
    const states = [];
    document.addEventListener('postern:change', (event) => states.push(event.detail));
  </script>`;
