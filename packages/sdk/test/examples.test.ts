import axe from 'axe-core';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startService, type TestProject, type TestService } from '../../service/test/support/service.ts';
import { ensureBuilt } from './support/built-sdks.ts';
import { launchChromium } from './support/chromium.ts';
import { type Example, startExample } from './support/example.ts';

let browser: Browser;
let service: TestService;

beforeAll(async () => {
  await ensureBuilt();
  [browser, service] = await Promise.all([launchChromium(), startService()]);
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

const GOOD = 'jane.doe@gmail.com';
const THROWAWAY = 'x@mailinator.com';
const PERMANENT = 'Please use a permanent email address.';

describe.each(['plain-form', 'express', 'fastify', 'react-form'])('the example %s', (name) => {
  let project: TestProject;
  let example: Example;
  let page: Page;

  beforeAll(async () => {
    project = await service.makeProject({ allowedDomains: ['localhost:*'] });
    example = await startExample(name, {
      POSTERN_URL: service.url,
      POSTERN_PROJECT_ID: project.id,
      POSTERN_CLIENT_KEY: project.clientKey,
      POSTERN_SERVER_KEY: project.serverKey,
    });
  });
  afterAll(() => example.close());
  beforeEach(async () => {
    const context = await browser.newContext({ locale: 'en-US' });
    page = await context.newPage();
    await page.goto(example.origin);
  });
  afterEach(() => page.context().close());

  const signUp = async (email: string) => {
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Sign up' }).click();
  };

  it('blocks a disposable address with a message that screen readers announce', async () => {
    await signUp(THROWAWAY);
    await page.getByRole('status').filter({ hasText: PERMANENT }).waitFor();
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const field = nodes.find((node) => node.role?.value === 'textbox');
    const region = nodes.find((node) => node.role?.value === 'status' && node.childIds?.length !== 0);
    const property = (node: typeof field, named: string) =>
      node?.properties?.find((one) => one.name === named)?.value.value;
    expect(property(region, 'live')).toBe('polite');
    expect(property(field, 'invalid')).toBe('true');
    expect(field?.description?.value).toBe(PERMANENT);
    expect(page.url()).toBe(`${example.origin}/`);
  });

  // Express and the Next-style server send the same page as the plain form.
  if (name === 'plain-form' || name === 'react-form') {
    it('passes an accessibility check, with message and suggestion shown', async () => {
      await page.getByLabel('Email').fill('jane.doe@gmial.com');
      await page.getByLabel('Email').press('Tab');
      await page.getByRole('button', { name: 'Use jane.doe@gmail.com' }).waitFor();
      await page.addScriptTag({ content: axe.source });
      const results = (await page.evaluate('axe.run()')) as { violations: { id: string }[] };
      expect(results.violations.map(({ id }) => id)).toEqual([]);
    });

    it('offers a correction for a typo', async () => {
      await page.getByLabel('Email').fill('jane.doe@gmial.com');
      await page.getByLabel('Email').press('Tab');
      await page.getByRole('button', { name: 'Use jane.doe@gmail.com' }).click();
      expect(await page.getByLabel('Email').inputValue()).toBe(GOOD);
    });
  }

  it('accepts a good address, and its backend verifies the verdict', async () => {
    const welcome = page.getByText(`Welcome, ${GOOD}! (allow, by `);
    // On a busy machine the answer may come too late. Then the form is sent without a verdict, and the backend asks.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await signUp(GOOD);
      await welcome.waitFor();
      if ((await welcome.textContent())?.includes('by verdict')) return;
      await page.goto(example.origin);
    }
    throw new Error('The backend never got a verdict');
  });

  it('refuses verdicts that a page changed or reused', async () => {
    const verdictFor = async (email: string, fields = {}) => {
      const page = { origin: 'http://localhost:3000' };
      const answer = await project.validateFromPage({ email, ...fields }, page);
      return String(answer.headers['x-postern-verdict']);
    };
    const post = (fields: Record<string, string>) =>
      page.evaluate(
        async ([isJson, sent]) => {
          const response = await fetch('/sign-up', {
            method: 'POST',
            ...(isJson && { headers: { 'Content-Type': 'application/json' } }),
            body: isJson ? JSON.stringify(sent) : new URLSearchParams(sent),
          });
          return { status: response.status, text: await response.text() };
        },
        [name === 'react-form', fields] as const,
      );

    // A verdict that was given to another address.
    const borrowed = await post({ email: THROWAWAY, 'postern-verdict': await verdictFor(GOOD) });
    expect(borrowed.status).toBe(422);
    // The real verdict, changed from block to allow.
    const [header, payload = '', signature] = (await verdictFor(THROWAWAY)).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(claims.recommendation).toBe('block');
    const turned = Buffer.from(JSON.stringify({ ...claims, recommendation: 'allow' })).toString('base64url');
    const forged = await post({ email: THROWAWAY, 'postern-verdict': `${header}.${turned}.${signature}` });
    expect(forged.status).toBe(422);
    // The real verdict, sent although it says block.
    const shameless = await post({ email: THROWAWAY, 'postern-verdict': await verdictFor(THROWAWAY) });
    expect(shameless).toMatchObject({ status: 422, text: expect.stringContaining(PERMANENT) });
    // A real `allow` for which the page left out the check that fails: the backend asks the service itself.
    const lenient = await verdictFor(THROWAWAY, { validations: { syntax: 'block' } });
    const weakened = await post({ email: THROWAWAY, 'postern-verdict': lenient });
    expect(weakened).toMatchObject({ status: 422, text: expect.stringContaining(PERMANENT) });
    // No verdict at all: the same.
    const silent = await post({ email: THROWAWAY });
    expect(silent).toMatchObject({ status: 422, text: expect.stringContaining(PERMANENT) });
    // One verdict for two sign-ups.
    const once = await verdictFor(GOOD);
    expect((await post({ email: GOOD, 'postern-verdict': once })).status).toBe(200);
    expect((await post({ email: GOOD, 'postern-verdict': once })).status).toBe(422);
  });
});
