import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DASHBOARD_API } from '@postern/contract/dashboard';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { startService, type TestProject, type TestService } from '../../service/test/support/service.ts';
import { patient } from '../../service/test/support/until-counted.ts';
import { seriousViolations } from './support/axe.ts';
import { OWNER, openPage, PASSWORD } from './support/dashboard-page.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let service: TestService;
let browser: Browser;
let project: TestProject;
let page: Page;
let receiver: Server;
const received: Received[] = [];
let answerWith = 200;
const pings = () => received.filter(({ body }) => String(body).includes('"test.ping"'));

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(answerWith).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  [service, browser] = await Promise.all([
    startService({ env: { POSTERN_WEBHOOK_ALLOW: '127.0.0.0/8' } }),
    launchChromium(),
  ]);
  const { createAccount } = await import('../../service/dist/operations/accounts.js');
  await service.admin((admin) => createAccount(admin, { ...OWNER, password: PASSWORD }, 'owner'));
  project = patient(await service.makeProject({ name: 'Shop' }));
  page = (await openPage(browser, service, `/dashboard/projects/${project.id}/webhooks`)).page;
});
afterAll(async () => {
  await browser?.close();
  receiver?.close();
  await service?.close();
});

describe('webhooks', () => {
  const card = () => page.getByRole('article', { name: 'Fraud desk' });
  const stored = async () =>
    (await (await page.request.get(`${DASHBOARD_API}/projects/${project.id}/webhooks`)).json())[0];
  const verified = ({ headers, body }: Received, secret: string) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
    return String(headers['webhook-signature']).split(' ').includes(signature);
  };
  const renamed = () => page.getByRole('article', { name: 'Night shift' });
  const secretShown = async () => {
    const dialog = page.getByRole('dialog', { name: 'The webhook’s secret' });
    const secret = await dialog.locator('code').innerText();
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await dialog.waitFor({ state: 'detached' });
    return secret;
  };

  it('are created with a secret that is shown once, and a test event arrives signed with it', async () => {
    const { port } = receiver.address() as AddressInfo;
    await page.getByText('No webhooks yet').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    await dialog.getByLabel('Name').fill(' Fraud desk ');
    await dialog.getByLabel('URL').fill('ftp://nowhere.example');
    await dialog.getByRole('button', { name: 'Create the webhook' }).click();
    await dialog.getByText('is not an http or https URL').waitFor();
    const warning = dialog.getByText('has only private or reserved addresses');
    await dialog.getByLabel('URL').fill('http://10.0.0.1/hook');
    await warning.waitFor();
    await dialog.getByText('POSTERN_WEBHOOK_ALLOW').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    const answered = page.waitForResponse((response) => response.url().endsWith('/webhook-target'));
    await dialog.getByLabel('URL').fill(`http://127.0.0.1:${port}/hook`);
    // The operator allows this one.
    expect(await (await answered).json()).toEqual({ refused: false });
    expect(await warning.count()).toBe(0);
    await dialog.getByLabel('validation.flagged').uncheck();
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create the webhook' }).click();
    const secret = await secretShown();
    expect(secret).toMatch(/^whsec_/);
    expect(await stored()).toMatchObject({ name: 'Fraud desk', lastDelivery: null });
    await card().getByText('No deliveries in the last 24 hours.').waitFor();
    expect(await card().getByText('validation.flagged').count()).toBe(0);
    await card().getByText('validation.blocked').waitFor();
    await card().getByRole('button', { name: 'Send a test' }).click();
    await expect.poll(() => pings().length).toBe(1);
    expect(pings().map((delivery) => verified(delivery, secret))).toEqual([true]);

    await card().getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create a new secret' }).click();
    const second = await secretShown();
    expect(second).not.toBe(secret);
    await card().getByText('Deliveries are signed with the old secret too until').waitFor();
  });

  it('show each delivery with its payload, and send one again', async () => {
    await card().getByRole('button', { name: 'Deliveries' }).click();
    const drawer = page.getByRole('dialog', { name: 'Deliveries: Fraud desk' });
    await drawer.getByRole('button', { name: /delivered test\.ping HTTP 200/ }).click();
    await drawer.getByText('"type": "test.ping"').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    answerWith = 500;
    await drawer.getByRole('button', { name: 'Send again' }).click();
    await drawer.getByRole('button', { name: /retrying test\.ping HTTP 500/ }).waitFor();
    answerWith = 200;
    await drawer.getByRole('button', { name: 'Send again' }).click();
    await drawer.getByRole('button', { name: /delivered test\.ping HTTP 200/ }).waitFor();
    expect(new Set(pings().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  });

  it('say how the deliveries of the last 24 hours went, and the last one', async () => {
    await page.reload();
    await card().getByText('1 of 1 delivery of the last 24 hours succeeded (100%).').waitFor();
    expect(await stored()).toMatchObject({ lastDay: { delivered: 1, failed: 0, pending: 0 } });
    answerWith = 500;
    await card().getByRole('button', { name: 'Send a test' }).click();
    await expect.poll(async () => (await stored()).lastDelivery.status).toBe(500);
    answerWith = 200;
    await page.reload();
    await card().getByText('1 of 2 deliveries of the last 24 hours succeeded (50%), 1 waiting.').waitFor();
    await card().getByText('retrying', { exact: true }).waitFor();
    await card()
      .getByText(/^HTTP 500/)
      .waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await expect.poll(async () => (await stored()).lastDelivery.state).toBe('delivered');
  });

  it('are edited, paused and resumed, and send what they say', async () => {
    await card().getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit the webhook' });
    await dialog.getByLabel('Name').fill('Night shift');
    expect(await dialog.getByLabel('validation.flagged').isChecked()).toBe(false);
    const checked = dialog.getByRole('checkbox', { checked: true });
    while ((await checked.count()) > 0) await checked.first().uncheck();
    await dialog.getByLabel('validation.blocked').check();
    await dialog.getByRole('button', { name: 'Save the webhook' }).click();
    await page.getByText('The webhook is saved. It applies to the next event.').first().waitFor();
    expect(await stored()).toMatchObject({
      ...{ name: 'Night shift', events: ['validation.blocked'], paused: false },
    });

    const blocked = () => received.filter(({ body }) => body.includes('"validation.blocked"')).length;
    const turnAway = async () =>
      expect((await project.validate({ email: 'someone@mailinator.com' })).json.recommendation).toBe('block');
    await turnAway();
    await expect.poll(blocked).toBe(1);
    await renamed().getByRole('button', { name: 'Pause' }).click();
    await page.getByText('What happens until you resume it is not sent, also not later.').first().waitFor();
    await renamed().getByText('paused', { exact: true }).waitFor();
    expect((await stored()).paused).toBe(true);
    await turnAway();
    await renamed().getByRole('button', { name: 'Resume' }).click();
    await renamed().getByText('on', { exact: true }).waitFor();
    expect((await stored()).paused).toBe(false);
    await turnAway();
    // Deliveries go out in order: the second one to arrive is of the third sign-up.
    await expect.poll(blocked).toBe(2);
    const { rows } = await (
      await page.request.get(`${DASHBOARD_API}/webhooks/${(await stored()).id}/deliveries`)
    ).json();
    const types = rows.map(({ type }: { type: string }) => type);
    expect(types.filter((type: string) => type === 'validation.blocked')).toHaveLength(2);
  });

  it('are switched off by 410, and what was not delivered is on hold, not retried', async () => {
    answerWith = 410;
    await renamed().getByRole('button', { name: 'Send a test' }).click();
    await expect
      .poll(async () => (await stored()).lastDelivery)
      .toMatchObject({ status: 410, nextAttemptAt: null });
    expect(await stored()).toMatchObject({ paused: false, disabledAt: expect.any(Number) });
    await page.reload();
    await renamed().getByText('on hold', { exact: true }).waitFor();
    expect(await renamed().getByText('retrying', { exact: true }).count()).toBe(0);
    answerWith = 200;
  });

  it('are deleted after a confirmation', async () => {
    await renamed().getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the webhook' }).click();
    await page.getByText('No webhooks yet').waitFor();
  });
});
