import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPosternServerClient, type PosternServerClient } from '../../sdk-node/src/index.ts';
import { type Mailbox, startMailbox } from '../../service/test/support/mailbox.ts';
import { startService, type TestProject, type TestService } from '../../service/test/support/service.ts';
import { launchChromium } from './support/chromium.ts';
import { buildApp, FRAMEWORKS } from './support/framework-apps.ts';
import { type Site, startSite } from './support/site.ts';

let browser: Browser;
let service: TestService;
let mailbox: Mailbox;
let project: TestProject;
let backend: PosternServerClient;
beforeAll(async () => {
  mailbox = await startMailbox();
  [browser, service] = await Promise.all([launchChromium(), startService({ env: mailbox.env })]);
  // All these people come with one browser.
  const policy = { stepUp: 'code', actions: { device: 'allow' } } as const;
  project = await service.makeProject({ allowedDomains: ['localhost:*'], policy });
  backend = createPosternServerClient({
    baseUrl: service.url,
    projectId: project.id,
    apiKey: project.serverKey,
    timeoutMs: 60_000,
  });
  // Fetches the keys. A busy machine can take longer than a sign-up waits for them.
  while (!(await backend.ping()).ok);
});
afterAll(async () => {
  await browser.close();
  await service.close();
  await mailbox.close();
});

/** Each framework asks two of them. */
const ROLES = ['info', 'support', 'sales', 'admin', 'billing', 'contact', 'office', 'help', 'jobs', 'press'];

describe.each(FRAMEWORKS)('a form in %s', (framework) => {
  let site: Site;
  let page: Page;
  let files: Record<string, string>;
  const trouble: string[] = [];
  /** Every request that leaves the page’s own site, with its body. */
  const asked: [string, object][] = [];

  beforeAll(async () => {
    const chunks = await buildApp(framework);
    files = Object.fromEntries(chunks.map(({ fileName, code }) => [`/${fileName}`, code]));
  });
  beforeEach(async () => {
    const patient = { timeoutMs: 60_000, fingerprintTimeoutMs: 60_000 };
    const settings = {
      baseUrl: service.url,
      projectId: project.id,
      apiKey: project.clientKey,
      ...patient,
    };
    site = await startSite({
      '/': `<!doctype html><html lang="de"><title>Sign up</title><link rel="icon" href="data:,"><div id="root"></div>
        <script>globalThis.settings = ${JSON.stringify(settings)}; globalThis.signUps = [];</script>
        <script type="module" src="/app.js"></script>`,
      ...files,
    });
    page = await (await browser.newContext({ locale: 'en-US' })).newPage();
    trouble.length = 0;
    asked.length = 0;
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('console', (line) => line.type() === 'error' && trouble.push(line.text()));
    page.on('request', (request) => {
      if (request.method() === 'POST' && !request.url().startsWith(site.origin))
        asked.push([request.url(), request.postDataJSON() as object]);
    });
    await page.goto(site.origin);
    await page.getByLabel('Email').waitFor();
  });
  afterEach(async () => {
    await page.context().close();
    await site.close();
  });

  const submit = async (email: string) => {
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Sign up' }).click();
  };
  const decide = (email: string, verdict: string) => backend.evaluateSignUp({ email, verdict });

  it('offers the corrected address in the page’s language, and the verdict reaches the backend', async () => {
    await page.getByLabel('Email').fill('jane.doe@gmial.com');
    await page.getByLabel('Email').press('Tab');
    await page.getByRole('status').filter({ hasText: 'Meinten Sie jane.doe@gmail.com?' }).waitFor();
    await page.getByRole('button', { name: 'jane.doe@gmail.com' }).click();
    expect(await page.getByLabel('Email').inputValue()).toBe('jane.doe@gmail.com');
    expect(trouble).toEqual([]);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    const posted = Object.fromEntries(site.posted[0] ?? []);
    expect(Object.keys(posted).sort()).toEqual(['email', 'postern-verdict']);
    expect(posted.email).toBe('jane.doe@gmail.com');
    const signUp = await decide('jane.doe@gmail.com', posted['postern-verdict'] ?? '');
    expect(signUp).toMatchObject({ accepted: true, source: 'verdict' });
    // Nothing else leaves the page, and only what the service documents.
    expect(new Set(asked.map(([url]) => url))).toEqual(new Set([`${service.url}/validate`]));
    const known = ['email', 'fingerprintHash', 'locale', 'sdkVersion'];
    expect(asked.flatMap(([, body]) => Object.keys(body)).filter((name) => !known.includes(name))).toEqual(
      [],
    );
  });

  it('says that it asks, then refuses a throwaway address, and stays', async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/validate', async (route) => {
      await answered;
      await route.continue();
    });
    await submit('x@mailinator.com');
    const message = page.locator('form[method=post] [role=status]');
    await expect.poll(() => message.textContent()).toMatch(/geprüft|prüf/i);
    expect(await page.getByLabel('Email').getAttribute('aria-busy')).toBe('true');
    answer();
    await expect.poll(() => page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true');
    expect(await message.textContent()).toMatch(/dauerhafte/i);
    expect(await page.getByLabel('Email').getAttribute('aria-describedby')).toBe(
      await message.getAttribute('id'),
    );
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email');
    expect(site.posted).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it('asks a flagged person for the code that was mailed, and the second verdict reaches the backend', async () => {
    const [own = '', native = ''] = ROLES.slice(2 * FRAMEWORKS.indexOf(framework)).map(
      (role) => `${role}@mail-house.net`,
    );
    const typeCode = async (email: string) => {
      const field = page.getByLabel('Code', { exact: true });
      await field.waitFor();
      const [code = ''] = await mailbox.codesFor(email);
      await field.fill(code);
      await field.press('Enter');
    };
    const passed = { accepted: true, source: 'verdict', steppedUp: 'code' };
    // The app’s own handler runs once, after the code.
    await page.getByLabel('Own').fill(own);
    await page.getByRole('button', { name: 'Send' }).click();
    await typeCode(own);
    await page.waitForFunction('globalThis.signUps.length === 1');
    const [signUp] = (await page.evaluate('globalThis.signUps')) as Record<string, string>[];
    expect(await decide(own, signUp?.['postern-verdict'] ?? '')).toMatchObject(passed);
    await submit(native);
    await typeCode(native);
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    const verdict = site.posted[0]?.get('postern-verdict') ?? '';
    expect(await decide(native, verdict)).toMatchObject(passed);
    expect(trouble).toEqual([]);
  });

  it('gives the verdict to the app’s own handler, and tells it the field’s state', async () => {
    await page.getByLabel('Own').fill('john.doe@gmail.com');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.waitForFunction('globalThis.signUps.length === 1');
    const [signUp] = (await page.evaluate('globalThis.signUps')) as Record<string, string>[];
    expect(await decide(signUp?.email ?? '', signUp?.['postern-verdict'] ?? '')).toMatchObject({
      source: 'verdict',
    });
    await expect.poll(() => page.locator('output').textContent()).toBe('allowed');
    expect(trouble).toEqual([]);
  });
});
