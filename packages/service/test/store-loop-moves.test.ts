import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { AdministeredStore } from '../src/store/administered-store.ts';
import { exportStore, importStore } from '../src/store/export-store.ts';
import { backupSqlite, restoreSqlite } from '../src/store/sqlite/backup-sqlite.ts';
import type { Webhook } from '../src/store/tables/webhook-table.ts';
import { type PostgresServer, sharedPostgresServer } from './support/postgres.ts';
import { sqliteDatabase } from './support/sqlite-database.ts';
import { admitted, DAY, makeCaller, START, submissionOf } from './support/store-fixtures.ts';

const FLAG = { answer: 'flag' } as const;
const BLOCK = { answer: 'block' } as const;

let server: PostgresServer;
beforeAll(async () => {
  server = await sharedPostgresServer();
});
afterAll(() => server?.remove());

async function openStoreOf(kind: 'sqlite' | 'postgres'): Promise<AdministeredStore> {
  const database = kind === 'sqlite' ? await sqliteDatabase() : await server.database();
  const store = await database.open();
  onTestFinished(async () => {
    await store.close();
    await database.remove();
  });
  return store;
}

const webhookOf = (projectId: string, id: string, traits: Partial<Webhook> = {}): Webhook => ({
  projectId,
  id,
  name: null,
  url: `https://hooks.example/${id}`,
  events: ['validation.flagged', 'validation.blocked', 'review.decided', 'campaign.detected'],
  format: 'standard',
  secret: `whsec_${Buffer.from(id).toString('base64')}`,
  filter: {},
  previousSecret: null,
  previousUntil: null,
  createdAt: START,
  failingSince: null,
  disabledAt: null,
  ...traits,
});

/** Outcomes, an open and a decided review, an alert, and webhooks with sent, failed and waiting deliveries. */
async function fill(store: AdministeredStore): Promise<string> {
  const caller = await makeCaller(store);
  const projectId = caller.project.id;
  const { webhooks, deliveries } = store.events;
  await store.commit(webhooks.create(webhookOf(projectId, 'wh_on')), []);
  const rotation = webhooks.rotate({ projectId, id: 'wh_on' }, 'whsec_bmV3', START + DAY);
  await store.commit(rotation, []);
  await store.commit(webhooks.create(webhookOf(projectId, 'wh_off', { format: 'slack' })), []);
  for (const [index, [inbox, log]] of (
    [
      ['ann', FLAG],
      ['bob', FLAG],
      ['eve', BLOCK],
    ] as const
  ).entries())
    admitted(await store.settle(submissionOf(caller, { inbox, now: START + index, log })));
  await store.outcomes.record(projectId, [
    { inbox: 'eve', outcome: 'bad', reason: 'chargeback', at: START, seenAt: START },
    { inbox: 'bob', outcome: 'accepted', reason: null, at: START, seenAt: START },
  ]);
  const [ann] = await store.review.open({ projectId, memberId: 'm1', now: START }, null, 10);
  if (!ann) throw new Error('Nothing waits for a decision');
  const at = START + 50;
  const decision = {
    ...{ inbox: ann.inboxHash, reason: 'known', at, seenAt: ann.at, logIds: [ann.id] },
    outcome: 'good',
    ...{ eventAt: at, eventData: { decision: 'good' } },
    note: { decision: 'good', by: 'usr_1', at },
  } as const;
  await store.commit(store.review.decision(projectId, [decision]), []);
  await store.review.mark(projectId, [decision]);
  await store.events.add({
    projectId,
    id: 'campaign.detected-x',
    type: 'campaign.detected',
    at: START + 60,
    logId: null,
    data: { kind: 'block', domains: [{ name: 'ünï.example', count: 30 }] },
  });
  const claim = { lease: 'one', now: START + 100, leaseUntil: START + 200, limit: 2, perWebhook: 2 };
  const claimed = await deliveries.claim({ ...claim, underWay: new Map() });
  const result = { now: START + 110, nextAt: START + 9_000, durationMs: 12 };
  for (const [index, delivery] of claimed.entries())
    await deliveries.finish(
      delivery,
      'one',
      index === 0
        ? { ...result, state: 'delivered', status: 204, error: null }
        : { ...result, state: 'pending', status: 500, error: 'The receiver answered 500' },
    );
  await store.commit(webhooks.disable({ projectId, id: 'wh_off' }, START + 300), []);
  return projectId;
}

/** Everything that the dashboard and the command line show of it. */
async function shown(store: AdministeredStore, projectId: string) {
  const { events, review, outcomes, log } = store;
  const webhooks = await events.webhooks.list(projectId);
  const { rows } = await log.page(projectId, {}, 100, null);
  return {
    webhooks,
    deliveries: await Promise.all(webhooks.map(({ id }) => events.deliveries.page(projectId, id, 100, null))),
    events: await events.page(projectId, 100, null),
    outcomes: [...(await outcomes.findMany(projectId, ['ann', 'bob', 'eve']))].sort(),
    open: await review.open({ projectId, memberId: 'm1', now: START }, null, 100),
    decisions: await Promise.all(rows.map(({ id }) => review.decisionOn(projectId, id))),
  };
}

async function expectComplete(store: AdministeredStore, projectId: string, before: object): Promise<void> {
  const after = await shown(store, projectId);
  expect(after).toEqual(before);
  expect(after.webhooks.map(({ secret }) => secret)).toEqual([
    expect.stringMatching(/^whsec_/),
    expect.stringMatching(/^whsec_/),
  ]);
  expect([after.outcomes.length, after.open.length, after.events.length]).toEqual([3, 1, 2]);
  // What waited goes out from here, once; what the switched-off webhook has stays where it is.
  const claim = { lease: 'here', now: START + DAY, leaseUntil: START + 2 * DAY, limit: 100, perWebhook: 100 };
  const due = await store.events.deliveries.claim({ ...claim, underWay: new Map() });
  const waiting = after.deliveries.flat().filter(({ state }) => state === 'pending');
  expect(due.map(({ id }) => id).sort()).toEqual(
    waiting.flatMap(({ id, webhookId }) => (webhookId === 'wh_on' ? [id] : [])).sort(),
  );
  expect(due.length).toBeGreaterThan(0);
}

describe('outcomes, reviews, webhooks and alerts', () => {
  it.each([
    ['sqlite', 'postgres'],
    ['postgres', 'sqlite'],
    ['sqlite', 'sqlite'],
    ['postgres', 'postgres'],
  ] as const)('go from %s to %s with an export', async (from, to) => {
    const source = await openStoreOf(from);
    const projectId = await fill(source);
    const before = await shown(source, projectId);
    const target = await openStoreOf(to);
    await importStore(target, exportStore(source));
    await expectComplete(target, projectId, before);
  });

  it('come back with a backup of the embedded store', async () => {
    const database = await sqliteDatabase();
    onTestFinished(() => database.remove());
    const store = await database.open();
    const projectId = await fill(store);
    const before = await shown(store, projectId);
    const backup = join(database.file, '..', 'backup.db');
    await backupSqlite(database.file, backup);
    await store.commit(store.events.webhooks.remove({ projectId, id: 'wh_on' }), []);
    await store.erasure.erase(projectId, { inboxes: ['ann', 'bob', 'eve'], devices: [] }, false);
    await store.close();
    await restoreSqlite(backup, database.file);
    const restored = await database.open();
    onTestFinished(() => restored.close());
    await expectComplete(restored, projectId, before);
  });
});

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  it('erasing a person leaves nothing in any table that names them', async () => {
    const store = await openStoreOf(kind);
    const projectId = await fill(store);
    await store.erasure.erase(projectId, { inboxes: ['ann', 'eve'], devices: [] }, false);
    const { outcomes, open, deliveries, events } = await shown(store, projectId);
    expect(outcomes.map(([inbox]) => inbox)).toEqual(['bob']);
    expect(open.map(({ inboxHash }) => inboxHash)).toEqual(['bob']);
    const [logRow] = open;
    expect(deliveries.flat().filter(({ logId }) => logId !== null && logId !== logRow?.id)).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(['campaign.detected']);
    const tables = /^\["(outcome|event|delivery|validation_log)"/;
    for await (const line of exportStore(store))
      if (tables.test(line)) expect(line).not.toMatch(/\b(ann|eve)\b/);
  });

  it('the end of the log’s retention ends reviews and events, undelivered ones too, and not outcomes', async () => {
    const store = await openStoreOf(kind);
    const projectId = await fill(store);
    const now = START + 31 * DAY;
    const limits = {
      maxRows: 1_000,
      logRetentionMs: 30 * DAY,
      outcomeRetentionMs: 180 * 86_400_000,
      logMaxRows: 1_000_000,
    };
    while ((await store.sweep(now, limits)) > 0);
    expect(await shown(store, projectId)).toMatchObject({
      open: [],
      events: [],
      decisions: [],
    });
    expect((await shown(store, projectId)).outcomes).toHaveLength(3);
    const rest = (await shown(store, projectId)).deliveries.flat();
    // A retry that never ended is given up by the next attempt, which finds nothing to send.
    for (const delivery of rest)
      expect(await store.log.find(projectId, delivery.logId ?? '')).toBeUndefined();
  });
});
