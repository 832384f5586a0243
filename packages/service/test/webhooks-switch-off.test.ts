import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createMailSender } from '../dist/events/send-mail.js';
import { type Deliverer, startDeliverer } from '../src/events/deliver-webhooks.ts';
import { createSafeFetch } from '../src/events/safe-fetch/safe-fetch.ts';
import type { Log } from '../src/log.ts';
import { createCidrSet, parseCidr } from '../src/model/cidr.ts';
import type { Store } from '../src/store/store.ts';
import { type Mailbox, startMailbox } from './support/mailbox.ts';
import { sqliteDatabase } from './support/sqlite-database.ts';
import { makeCaller, START, type TestDatabase, unique } from './support/store-fixtures.ts';

const HOUR = 3_600_000;
const WAIT = { timeout: 100_000, interval: 20 };
const SILENT = { warn: () => {} } as unknown as Log;

describe('a receiver that fails for three days', () => {
  let database: TestDatabase;
  let store: Store;
  let mailbox: Mailbox;
  let receiver: Server;
  let deliverer: Deliverer;
  let answerWith = 500;
  let received = 0;
  let now = START;

  beforeAll(async () => {
    database = await sqliteDatabase();
    store = await database.open();
    mailbox = await startMailbox();
    receiver = createServer((request, response) => {
      received += 1;
      request.resume().on('end', () => response.writeHead(answerWith).end());
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    for (const [name, role] of [
      ['ada', 'owner'],
      ['bob', 'admin'],
      ['eve', 'viewer'],
    ] as const) {
      const account = { id: unique('user'), accountId: unique('account'), name, role };
      const rest = { email: `${name}@example.com`, verified: false, projects: {} };
      const member = { ...account, ...rest, account: { passwordHash: 'x' } };
      await store.commit(store.members.creation(member, START), []);
    }
    deliverer = startDeliverer({
      store,
      fetch: createSafeFetch({ allow: createCidrSet([parseCidr('127.0.0.1/32') ?? []].flat()) }),
      mail: createMailSender({
        url: mailbox.env.POSTERN_SMTP_URL ?? '',
        from: mailbox.env.POSTERN_SMTP_FROM ?? '',
      }),
      publicUrl: 'https://postern.example',
      log: SILENT,
      logFault: () => {},
      now: () => now,
      random: () => 0.5,
      version: 'test',
      onAttempt: () => {},
    });
  });
  afterAll(async () => {
    await deliverer?.close();
    receiver?.close().closeAllConnections();
    await mailbox?.close();
    await store?.close();
    await database?.remove();
  });

  async function makeWebhook(projectId: string) {
    const { port } = receiver.address() as AddressInfo;
    const id = unique('wh');
    await store.commit(
      store.events.webhooks.create({
        projectId,
        id,
        name: null,
        url: `http://127.0.0.1:${port}/secret-path`,
        events: ['feed.stale'],
        format: 'standard',
        secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZg==',
        filter: {},
        previousSecret: null,
        previousUntil: null,
        createdAt: START,
        failingSince: null,
        disabledAt: null,
      }),
      [],
    );
    return id;
  }
  const addEvent = (projectId: string, id: string) =>
    store.events.add({ projectId, id, type: 'feed.stale', at: now, logId: null, data: {} });

  it('is switched off after its first event’s last attempt, and owners and admins get a mail', async () => {
    const { project } = await makeCaller(store);
    const id = await makeWebhook(project.id);
    const oldest = async () => (await store.events.deliveries.page(project.id, id, 10, null)).at(-1);
    await addEvent(project.id, 'first');
    let late = false;
    for (let attempts = 1; ; attempts += 1) {
      const delivery = await vi.waitFor(async () => {
        const row = await oldest();
        expect(row?.attempts).toBe(attempts);
        expect(row?.status).toBe(500);
        expect(row?.state === 'failed' || (row?.nextAt ?? 0) > now).toBe(true);
        return row;
      }, WAIT);
      if (delivery?.state !== 'pending') break;
      expect((await store.events.webhooks.find(id))?.disabledAt).toBeNull();
      now = delivery.nextAt;
      if (!late && now > START + 60 * HOUR) {
        late = true;
        await addEvent(project.id, 'second');
      }
    }
    expect(now).toBe(START + 72 * HOUR);
    const webhook = await vi.waitFor(async () => {
      const found = await store.events.webhooks.find(id);
      expect(found?.disabledAt).toBe(now);
      return found;
    }, WAIT);
    expect(webhook?.failingSince).toBe(START);
    await vi.waitFor(() => expect(mailbox.received).toHaveLength(2), WAIT);
    expect(mailbox.received.flatMap(({ to }) => to).sort()).toEqual(['ada@example.com', 'bob@example.com']);
    const [{ text } = { text: '' }] = mailbox.received;
    expect(text).toContain(`npx postern api 'PATCH /webhooks/${id}' --body '{"paused": false}'`);
    expect(text).toContain(`https://postern.example/dashboard/projects/${project.id}/webhooks`);
    expect(text).not.toContain('secret-path');
    const audited = (await store.audit.page(project.id, 10, null)).find(
      (row) => row.action === 'webhook.disable',
    );
    expect(audited).toMatchObject({ detail: { reason: 'its receiver has failed for three days' } });

    // Nothing is sent meanwhile, however late it gets.
    const before = received;
    now += 10 * HOUR;
    expect(await addEvent(project.id, 'third')).toBe(true);
    const claim = { lease: 'x', now, leaseUntil: now, limit: 100, perWebhook: 100, underWay: new Map() };
    expect(await store.events.deliveries.claim(claim)).toEqual([]);
    expect(received).toBe(before);

    answerWith = 200;
    await store.commit(store.events.webhooks.enable({ projectId: project.id, id }), []);
    await vi.waitFor(async () => {
      const rows = await store.events.deliveries.page(project.id, id, 10, null);
      expect(rows.map(({ eventId, state }) => `${eventId} ${state}`)).toEqual([
        'second delivered',
        'first failed',
      ]);
    }, WAIT);
  });

  it('that answers 410 is switched off at once', async () => {
    answerWith = 410;
    const { project } = await makeCaller(store);
    const id = await makeWebhook(project.id);
    await addEvent(project.id, 'only');
    await vi.waitFor(async () => expect((await store.events.webhooks.find(id))?.disabledAt).toBe(now), WAIT);
  });
});
