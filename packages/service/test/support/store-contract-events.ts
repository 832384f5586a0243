import { describe, expect, it } from 'vitest';
import { type Store, StoreConflict } from '../../src/store/store.ts';
import type { AttemptResult, DeliveryClaim } from '../../src/store/tables/delivery-table.ts';
import type { Webhook } from '../../src/store/tables/webhook-table.ts';
import type { Stores } from './store-contract.ts';
import { admitted, type Caller, makeCaller, START, submissionOf, unique } from './store-fixtures.ts';

export const FLAG = { answer: 'flag' } as const;
export const BLOCK = { answer: 'block' } as const;

export function webhookOf({ project }: Caller, traits: Partial<Webhook> = {}): Webhook {
  return {
    projectId: project.id,
    id: unique('wh'),
    name: null,
    url: 'https://example.com/hooks',
    events: ['validation.flagged', 'validation.blocked', 'review.decided'],
    format: 'standard',
    secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZg==',
    filter: {},
    previousSecret: null,
    previousUntil: null,
    createdAt: START,
    failingSince: null,
    disabledAt: null,
    ...traits,
  };
}

function claimOf(lease: string, traits: Partial<DeliveryClaim> = {}): DeliveryClaim {
  const now = traits.now ?? START;
  return {
    lease,
    now,
    leaseUntil: now + 60_000,
    limit: 100,
    perWebhook: 100,
    underWay: new Map(),
    ...traits,
  };
}

const DELIVERED: AttemptResult = {
  state: 'delivered',
  now: START,
  nextAt: 0,
  status: 200,
  error: null,
  durationMs: 12,
};

export function eventsContract(stores: Stores): void {
  const validate = async (store: Store, caller: Caller, log: object, now = START, inbox = 'jane') =>
    admitted(await store.settle(submissionOf(caller, { now, inbox, log })));
  const claimed = async (store: Store, caller: Caller, claim: DeliveryClaim) =>
    (await store.events.deliveries.claim(claim)).filter(({ projectId }) => projectId === caller.project.id);

  describe('the webhook outbox', () => {
    it('gets an event for each flagged and blocked validation and each subscribed webhook', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const all = webhookOf(caller);
      const blocks = webhookOf(caller, { events: ['validation.blocked'] });
      const everything = webhookOf(caller, { events: '*' });
      const off = webhookOf(caller, { events: '*' });
      for (const webhook of [all, blocks, everything, off])
        await store.commit(store.events.webhooks.create(webhook), []);
      await store.commit(store.events.webhooks.disable(off, START), []);
      await validate(store, caller, {});
      await validate(store, caller, FLAG, START + 1);
      await validate(store, caller, BLOCK, START + 2);
      const typesTo = async ({ id }: Webhook) =>
        (await store.events.deliveries.page(caller.project.id, id, 10, null)).map(({ type }) => type);
      expect(await typesTo(all)).toEqual(['validation.blocked', 'validation.flagged']);
      expect(await typesTo(blocks)).toEqual(['validation.blocked']);
      expect(await typesTo(everything)).toEqual(['validation.blocked', 'validation.flagged']);
      expect((await store.events.webhooks.find(everything.id))?.events).toBe('*');
      expect(await typesTo(off)).toEqual([]);
    });

    it('gets nothing for a test key’s validations', async () => {
      const { store } = stores;
      const caller = await makeCaller(store, { mode: 'test' });
      const webhook = webhookOf(caller);
      await store.commit(store.events.webhooks.create(webhook), []);
      await validate(store, caller, BLOCK);
      expect(await store.events.deliveries.page(caller.project.id, webhook.id, 10, null)).toEqual([]);
    });

    it('gives a delivery to one lease at a time, also with concurrent claims', async () => {
      const { store, other } = stores;
      const caller = await makeCaller(store);
      await store.commit(store.events.webhooks.create(webhookOf(caller)), []);
      for (let index = 0; index < 20; index += 1)
        await validate(store, caller, BLOCK, START + index, `p-${index}`);
      const now = START + 1_000;
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          claimed(index % 2 === 0 ? store : other, caller, claimOf(`lease-${index}`, { now, limit: 500 })),
        ),
      );
      const ids = claims.flat().map(({ id }) => id);
      expect(ids).toHaveLength(20);
      expect(new Set(ids).size).toBe(20);
      // Nothing is left until a lease expires.
      expect(await claimed(store, caller, claimOf('late', { now: now + 59_000, limit: 500 }))).toEqual([]);
      const again = await claimed(store, caller, claimOf('late', { now: now + 61_000, limit: 500 }));
      expect(again).toHaveLength(20);
      expect(again[0]?.attempts).toBe(2);
    });

    it('does not let a slow webhook delay others', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const [slow, quick] = [webhookOf(caller), webhookOf(caller)];
      await store.commit(store.events.webhooks.create(slow), []);
      for (let index = 0; index < 10; index += 1) await validate(store, caller, BLOCK, START + index);
      await store.commit(store.events.webhooks.create(quick), []);
      await validate(store, caller, BLOCK, START + 20);
      const claim = claimOf('fair', {
        now: START + 100,
        limit: 500,
        perWebhook: 4,
        underWay: new Map([[slow.id, 3]]),
      });
      const to = (await claimed(store, caller, claim)).map(({ webhookId }) => webhookId);
      expect(to.filter((id) => id === slow.id)).toHaveLength(1);
      expect(to.filter((id) => id === quick.id)).toHaveLength(1);
    });

    it('records the result of an attempt, unless the lease was lost', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const webhook = webhookOf(caller);
      await store.commit(store.events.webhooks.create(webhook), []);
      await validate(store, caller, BLOCK);
      const [first] = await claimed(store, caller, claimOf('one', { limit: 500 }));
      if (!first) throw new Error('Nothing was claimed');
      const { deliveries } = store.events;
      expect(await deliveries.finish(first, 'another', DELIVERED)).toBe(false);
      const retry: AttemptResult = {
        ...DELIVERED,
        state: 'pending',
        nextAt: START + 5_000,
        status: 500,
        error: 'no',
      };
      expect(await deliveries.finish(first, 'one', retry)).toBe(true);
      expect((await store.events.webhooks.find(webhook.id))?.failingSince).toBe(START);
      expect(await claimed(store, caller, claimOf('two', { now: START + 4_999, limit: 500 }))).toEqual([]);
      const [second] = await claimed(store, caller, claimOf('two', { now: START + 5_000, limit: 500 }));
      if (!second) throw new Error('It was not due again');
      expect(second).toMatchObject({ attempts: 2, status: 500, error: 'no', state: 'pending' });
      await deliveries.finish(second, 'two', DELIVERED);
      expect(await deliveries.find(caller.project.id, second.id)).toMatchObject({
        state: 'delivered',
        status: 200,
        doneAt: START,
      });
      expect((await store.events.webhooks.find(webhook.id))?.failingSince).toBeNull();
      await store.commit(deliveries.resend(caller.project.id, second.id), []);
      // The earlier attempts still count.
      expect(await claimed(store, caller, claimOf('three', { limit: 500 }))).toMatchObject([{ attempts: 3 }]);
    });

    it('is counted for each webhook by how its newest deliveries ended', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const [counted, idle] = [webhookOf(caller, { name: 'Shop' }), webhookOf(caller, { events: [] })];
      for (const webhook of [counted, idle]) await store.commit(store.events.webhooks.create(webhook), []);
      for (let index = 0; index < 4; index += 1)
        await validate(store, caller, BLOCK, START + index * 1_000, `p-${index}`);
      const { deliveries } = store.events;
      const [old, good, bad] = await claimed(
        store,
        caller,
        claimOf('one', { now: START + 9_000, limit: 500 }),
      );
      if (!old || !good || !bad) throw new Error('Nothing was claimed');
      for (const delivery of [old, good]) await deliveries.finish(delivery, 'one', DELIVERED);
      await deliveries.finish(bad, 'one', { ...DELIVERED, state: 'failed', status: 410 });
      const countOf = ({ id }: Webhook, since: number, limit = 100) =>
        deliveries.countStates(caller.project.id, id, since, limit);
      expect(await countOf(counted, START)).toEqual({ delivered: 2, failed: 1, pending: 1 });
      expect(await countOf(counted, START + 1)).toEqual({ delivered: 1, failed: 1, pending: 1 });
      expect(await countOf(counted, START, 2)).toEqual({ delivered: 0, failed: 1, pending: 1 });
      expect(await countOf(idle, START)).toEqual({ delivered: 0, failed: 0, pending: 0 });
      expect((await store.events.webhooks.find(counted.id))?.name).toBe('Shop');
    });

    it('waits while the webhook is switched off, and goes out when it is on again', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const webhook = webhookOf(caller);
      const { webhooks, deliveries } = store.events;
      await store.commit(webhooks.create(webhook), []);
      await validate(store, caller, BLOCK);
      const before = (await deliveries.backlog()).pending;
      await store.commit(webhooks.disable(webhook, START), []);
      await expect(store.commit(webhooks.disable(webhook, START), [])).rejects.toThrow(StoreConflict);
      expect(await claimed(store, caller, claimOf('one', { now: START + 1e9, limit: 500 }))).toEqual([]);
      expect((await deliveries.backlog()).pending).toBe(before - 1);
      await store.commit(webhooks.enable(webhook), []);
      const [delivery] = await claimed(store, caller, claimOf('two', { limit: 500 }));
      if (!delivery) throw new Error('It does not go out');
      // What is gone is not the receiver’s fault.
      await deliveries.finish(delivery, 'two', {
        ...DELIVERED,
        state: 'failed',
        status: null,
        notSent: true,
      });
      expect(await webhooks.find(webhook.id)).toMatchObject({ failingSince: null, disabledAt: null });
    });

    it('stores an event once, however many processes notice it', async () => {
      const { store, other } = stores;
      const caller = await makeCaller(store);
      const webhook = webhookOf(caller, { events: ['quota.reached'] });
      await store.commit(store.events.webhooks.create(webhook), []);
      const event = {
        projectId: caller.project.id,
        id: 'quota.reached-2026-11-80',
        type: 'quota.reached',
        at: START,
        logId: null,
        data: { percent: 80 },
      } as const;
      const added = await Promise.all([store, other, store, other].map(({ events }) => events.add(event)));
      expect(added.filter((yes) => yes)).toHaveLength(1);
      expect(await store.events.deliveries.page(caller.project.id, webhook.id, 10, null)).toHaveLength(1);
      expect(await store.events.page(caller.project.id, 10, null)).toMatchObject([{ data: { percent: 80 } }]);
    });
  });
}
