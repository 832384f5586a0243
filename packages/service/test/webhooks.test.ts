import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startService, type TestProject, type TestService } from './support/service.ts';
import {
  changeWebhook,
  createWebhook,
  listDeliveries,
  pingWebhook,
  rotateWebhook,
} from './support/webhooks.ts';

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let service: TestService;
const receivers: Server[] = [];

beforeAll(async () => {
  service = await startService({ env: { POSTERN_WEBHOOK_ALLOW: '127.0.0.1/32' } });
});
afterAll(() => service.close());
afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.close().closeAllConnections();
});

/** A receiver on loopback. `answer` decides about the n-th request. */
async function receive(answer: (response: ServerResponse, count: number) => void = ok) {
  const received: Received[] = [];
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    answer(response, received.length);
  });
  receivers.push(receiver);
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, received };
}

function ok(response: ServerResponse): void {
  response.writeHead(204).end();
}

const WAIT = { timeout: 100_000, interval: 50 };

function webhookFor({ id }: TestProject, url: string, more: object = {}) {
  return service.admin((admin) => createWebhook(admin, { projectId: id, url, ...more }));
}

function deliveriesOf(id: string) {
  return service.admin((admin) => listDeliveries(admin, id, 50));
}

describe('webhooks', () => {
  it('report a blocked validation, signed, without personal data', async () => {
    const project = await service.makeProject();
    const { url, received } = await receive();
    const webhook = await webhookFor(project, url);
    const answer = await project.validate({
      email: 'mallory@mailinator.com',
      ip: '198.51.100.7',
      fingerprintHash: 'fp-secret-device',
    });
    await vi.waitFor(() => expect(received).toHaveLength(1), WAIT);
    const [{ headers, body } = { headers: {}, body: '' }] = received;
    expect(JSON.parse(body)).toMatchObject({
      type: 'validation.blocked',
      data: {
        project: project.id,
        requestId: answer.headers['x-request-id'],
        recommendation: 'block',
        address: 'm***@mailinator.com',
      },
    });
    expect(JSON.parse(body).data.signals).toContain('disposable_email');
    for (const clear of ['mallory@', '198.51.100.7', 'fp-secret-device']) expect(body).not.toContain(clear);
    const key = Buffer.from(webhook.secret.slice('whsec_'.length), 'base64');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    await vi.waitFor(async () => expect((await deliveriesOf(webhook.id))[0]?.state).toBe('delivered'), WAIT);
  });

  it('send only what the filter wants, to where it was changed to, and nothing while they are paused', async () => {
    const project = await service.makeProject();
    const { url, received } = await receive();
    const { id } = await webhookFor(project, 'https://elsewhere.example/', {
      events: ['validation.flagged', 'validation.blocked'],
    });
    const change = (fields: object) => service.admin((admin) => changeWebhook(admin, id, fields));
    expect(await change({ url, filter: { signals: ['disposable_email'] } })).toMatchObject({
      url,
      events: ['validation.flagged', 'validation.blocked'],
      filter: { signals: ['disposable_email'] },
    });
    await project.validate({ email: 'admin@mail-house.net' });
    await project.validate({ email: 'mallory@mailinator.com' });
    await vi.waitFor(() => expect(received).toHaveLength(1), WAIT);
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ type: 'validation.blocked' });
    // What was left out is no delivery.
    await vi.waitFor(async () => expect(await deliveriesOf(id)).toHaveLength(1), WAIT);

    expect((await change({ paused: true })).disabledAt).not.toBeNull();
    await project.validate({ email: 'mallory@mailinator.com' });
    expect(await deliveriesOf(id)).toHaveLength(1);
    expect((await change({ paused: false, filter: {} })).disabledAt).toBeNull();
    await project.validate({ email: 'admin@mail-house.net' });
    await vi.waitFor(() => expect(received).toHaveLength(2), WAIT);
    for (const wrong of [
      { filter: { size: 1 } },
      { filter: { surgeAtLeast: 1 } },
      { url: 'x' },
      { paused: 1 },
    ])
      await expect(change(wrong), JSON.stringify(wrong)).rejects.toThrow();
  });

  it('are retried after a failure, with the same ID', async () => {
    const project = await service.makeProject();
    const { url, received } = await receive((response, count) =>
      response.writeHead(count === 1 ? 500 : 200).end('whatever'),
    );
    const webhook = await webhookFor(project, url);
    await project.validate({ email: 'a@mailinator.com' });
    await vi.waitFor(() => expect(received).toHaveLength(2), WAIT);
    expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id']);
    await vi.waitFor(
      async () =>
        expect(await deliveriesOf(webhook.id)).toMatchObject([
          { state: 'delivered', attempts: 2, status: 200 },
        ]),
      WAIT,
    );
  });

  it('are signed with the old secrets too after rotations, because the receiver may have any of them', async () => {
    const project = await service.makeProject();
    const { url, received } = await receive();
    const { id } = await webhookFor(project, url);
    await service.admin(async (admin) => {
      await rotateWebhook(admin, id);
      await rotateWebhook(admin, id);
      await pingWebhook(admin, id);
    });
    await vi.waitFor(() => expect(received).toHaveLength(1), WAIT);
    expect(String(received[0]?.headers['webhook-signature']).split(' ')).toHaveLength(3);
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ type: 'test.ping' });
  });

  it.each([
    ['slack', 'text'],
    ['discord', 'content'],
  ])('speak %s', async (format, field) => {
    const project = await service.makeProject();
    const { url, received } = await receive();
    await webhookFor(project, url, { format });
    await project.validate({ email: 'mallory@mailinator.com' });
    await vi.waitFor(() => expect(received).toHaveLength(1), WAIT);
    expect(JSON.parse(received[0]?.body ?? '')[field]).toMatch(
      /^Postern blocked m\*\*\*@mailinator\.com in project/,
    );
  });

  it('report 80% and 100% of the quota once each', async () => {
    const project = await service.makeProject({ quotaLimit: 5 });
    const { url, received } = await receive();
    await webhookFor(project, url, { events: ['quota.reached'] });
    for (let index = 0; index < 7; index += 1)
      await project.validate({ email: `jane.doe${index}@gmail.com` });
    await vi.waitFor(() => expect(received).toHaveLength(2), WAIT);
    const told = received.map(({ body }) => JSON.parse(body).data.percent);
    expect(told.sort()).toEqual([100, 80]);
  });

  it.each([
    ['a private address', 'http://10.0.0.1/x', /private address/],
    ['loopback outside of what the operator allows', 'http://127.0.0.2:1/x', /private address/],
    ['the metadata service', 'http://169.254.169.254/latest', /private address/],
  ])('are not sent to %s', async (_what, url, error) => {
    const project = await service.makeProject();
    const { id } = await webhookFor(project, url);
    await project.validate({ email: 'a@mailinator.com' });
    await vi.waitFor(async () => expect((await deliveriesOf(id))[0]?.error).toMatch(error), WAIT);
  });

  it('do not follow a redirect to an address that is not allowed', async () => {
    const project = await service.makeProject();
    const { url } = await receive((response) =>
      response.writeHead(307, { location: 'http://127.0.0.2:1/' }).end(),
    );
    const { id } = await webhookFor(project, url);
    await project.validate({ email: 'a@mailinator.com' });
    await vi.waitFor(async () => expect((await deliveriesOf(id))[0]?.error).toMatch(/private address/), WAIT);
  });

  it('do not read an endless answer', async () => {
    const project = await service.makeProject();
    const { url } = await receive((response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more);
      more();
    });
    const { id } = await webhookFor(project, url);
    await project.validate({ email: 'a@mailinator.com' });
    await vi.waitFor(async () => expect((await deliveriesOf(id))[0]?.state).toBe('delivered'), WAIT);
  });
});
