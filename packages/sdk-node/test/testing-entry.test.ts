import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundlePageScript } from '../../sdk/test/support/bundle.ts';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { startSite } from '../../sdk/test/support/site.ts';
import { createPosternServerClient, expressGuard, getSignUp, verifyWebhook } from '../src/index.ts';
import { createFakePostern, makeWebhook, posternFixture, WEBHOOK_TEST_SECRET } from '../src/testing.ts';

describe('the fake client, as a site’s own test uses it', () => {
  it('decides by a verdict, by what the test says, and by what a service would do in an outage', async () => {
    const postern = createFakePostern({ answers: { 'x@mailinator.com': 'block' } });
    const { client } = postern;
    const email = 'jane@example.com';
    const verdict = await postern.verdict(email, { recommendation: 'flag', signals: ['role_email'] });
    expect(await client.evaluateSignUp({ email, verdict })).toMatchObject({
      source: 'verdict',
      recommendation: 'flag',
      signals: ['role_email'],
    });
    expect(await client.evaluateSignUp({ email, verdict })).toMatchObject({ verdictRefusal: 'replayed' });
    expect(postern.requests).toEqual([]);
    expect(await client.evaluateSignUp({ email: 'X@mailinator.com' })).toMatchObject({
      accepted: false,
      failedCheck: 'disposable',
    });
    postern.answer(email, 'outage');
    expect(await client.evaluateSignUp({ email })).toMatchObject({ source: 'failOpen' });
    const closed = postern.clientWith({ whenUnavailable: 'closed' });
    expect(await closed.evaluateSignUp({ email })).toMatchObject({ accepted: false, status: 503 });
    expect(await client.ping()).toEqual({ ok: true, problems: [] });
    await client.reportOutcome({ email, outcome: 'bad' });
    expect(postern.outcomes).toEqual([{ email, outcome: 'bad' }]);
  });

  it('makes webhooks that the verifier accepts', async () => {
    const { headers, body } = await makeWebhook({ type: 'test.ping', data: { project: 'shop' } as never });
    expect(await verifyWebhook(headers, body, WEBHOOK_TEST_SECRET)).toMatchObject({
      ok: true,
      payload: { type: 'test.ping' },
    });
    expect(await verifyWebhook(headers, `${body} `, WEBHOOK_TEST_SECRET)).toMatchObject({ ok: false });
  });
});

describe('the Playwright fixture', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  it('answers the page and the backend under test', async () => {
    const page = await (await browser.newContext({ locale: 'en-US' })).newPage();
    await posternFixture.postern({ page }, async (postern) => {
      postern.answer('x@spam.example', 'block');
      const app = express();
      const client = createPosternServerClient({
        baseUrl: postern.url,
        projectId: 'demo',
        apiKey: 'key',
        timeoutMs: 60_000,
      });
      app.post('/sign-up', express.urlencoded(), expressGuard(client), (request, response) => {
        response.json(getSignUp(request));
      });
      const server = app.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const backend = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const site = await startSite({
        '/postern.js': await bundlePageScript(),
        '/': `<!doctype html><html lang="en"><form id="f" method="post" action="${backend}/sign-up">
          <label>Email <input type="email" name="email"></label><button>Go</button></form>
          <script async src="/postern.js" data-url="https://postern.invalid" data-project="demo" data-key="k" data-form="#f" data-timeout-ms="60000"></script>`,
      });
      try {
        await page.goto(site.origin);
        await page.waitForSelector('.postern-help');
        await page.getByLabel('Email').fill('x@spam.example');
        await page.getByRole('button', { name: 'Go' }).click();
        await page.getByText('Please use a permanent email address.').waitFor();
        await page.getByLabel('Email').fill('jane@example.com');
        await page.getByRole('button', { name: 'Go' }).click();
        await page.getByText('"source":"verdict"').waitFor();
      } finally {
        await site.close();
        server.close();
        server.closeAllConnections();
      }
    });
    await page.context().close();
  });
});
