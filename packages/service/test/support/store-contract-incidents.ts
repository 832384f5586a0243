import { describe, expect, it } from 'vitest';
import type { Stores } from './store-contract.ts';
import { webhookOf } from './store-contract-events.ts';
import { HOUR, makeCaller, START } from './store-fixtures.ts';

export function incidentsContract(stores: Stores): void {
  describe('incidents', () => {
    it('go on while surges follow each other, and are one for all processes', async () => {
      const { store, other } = stores;
      const projectId = (await makeCaller(store)).project.id;
      const join = (at: number, from = store) => from.incidents.join(projectId, at, at - HOUR);
      const [first, same] = await Promise.all([join(START), join(START, other)]);
      expect(same).toEqual(first);
      expect(await join(START + HOUR, other)).toEqual({ ...first, lastAt: START + HOUR });
      const next = await join(START + 3 * HOUR);
      expect(next.id).not.toBe(first.id);
      await store.incidents.change({ ...next, acknowledgedAt: START });
      await other.incidents.change({ ...first, closedAt: START + HOUR + 5 });
      expect(await store.incidents.page(projectId, 10, null)).toEqual([
        { ...next, acknowledgedAt: START },
        { ...first, lastAt: START + HOUR, closedAt: START + HOUR + 5 },
      ]);
      expect(await store.incidents.page(projectId, 10, next.lastAt)).toHaveLength(1);
      expect(await store.incidents.find(projectId, 'none')).toBeUndefined();
    });

    it('have their events by type and time', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const projectId = caller.project.id;
      const webhook = webhookOf(caller, { events: ['surge.detected', 'dns.offline'] });
      await store.commit(store.events.webhooks.create(webhook), []);
      const add = (id: string, type: 'surge.detected' | 'dns.offline', at: number) =>
        store.events.add({ projectId, id, type, at, logId: null, data: {} });
      await add('a', 'surge.detected', START);
      await add('b', 'surge.detected', START + 1);
      await add('c', 'dns.offline', START + 1);
      await add('d', 'surge.detected', START + 3);
      const span = { from: START, to: START + 1 };
      const found = await store.events.between(projectId, 'surge.detected', span, 10);
      expect(found.map(({ id }) => id)).toEqual(['a', 'b']);
      const typed = await store.events.page(projectId, 10, null, ['dns.offline', 'test.ping']);
      expect(typed.map(({ id }) => id)).toEqual(['c']);
      const told = await store.events.deliveries.page(projectId, webhook.id, 10, null);
      expect(told.map(({ eventId }) => eventId).sort()).toEqual(['a', 'b', 'c', 'd']);
    });

    it('a webhook is changed and paused', async () => {
      const { store, other } = stores;
      const caller = await makeCaller(store);
      const webhook = webhookOf(caller, { failingSince: START });
      await store.commit(store.events.webhooks.create(webhook), []);
      const changed = {
        ...webhook,
        url: 'https://new.example/',
        events: '*',
        format: 'slack',
        filter: { signals: ['tor_exit'], surgeAtLeast: 5 },
      } as const;
      await store.commit(store.events.webhooks.update(changed), []);
      await store.commit(store.events.webhooks.pause(webhook, START + 5), []);
      expect(await other.events.webhooks.find(webhook.id)).toEqual({
        ...changed,
        disabledAt: START + 5,
        failingSince: null,
      });
    });
  });
}
