import { describe, expect, it } from 'vitest';
import type { Stores } from './store-contract.ts';
import { webhookOf } from './store-contract-events.ts';
import { DAY, HOUR, makeCaller, START } from './store-fixtures.ts';

const THINGS = [{ kind: 'domain', name: 'farm.example', people: 3, others: 0 }] as const;

export function campaignsContract(stores: Stores): void {
  describe('campaigns', () => {
    it('grow, are merged, keep what members decided, and are swept with their people', async () => {
      const { store, other } = stores;
      const projectId = (await makeCaller(store)).project.id;
      const row = (id: string, seenAt: number) => ({
        ...{ projectId, id, since: START, lastSeen: START + HOUR, seenAt, things: THINGS, decisions: [] },
        spread: { domains: 1, mailHosts: 0, devices: 2, networks: 3 },
        ...{ acknowledgedAt: null, acknowledgedBy: null, badAt: null, mergedInto: null },
      });
      const member = (inbox: string, campaignId: string) => ({
        ...{ projectId, inbox, campaignId, at: START, lastSeen: START + HOUR },
        ...({ answer: 'allow', because: { kind: 'domain', domain: 'farm.example' } } as const),
      });
      const [old, young] = [row('old', START + 1), row('young', START + 2)];
      for (const each of [old, young, { ...old, since: 1 }])
        await store.campaigns.write([store.campaigns.creation(each)]);
      const joining = [member('a', 'old'), member('b', 'young'), member('c', 'young')];
      await store.campaigns.write(store.campaigns.joining(joining));
      await store.campaigns.write(store.campaigns.merging(projectId, 'young', 'old'));
      expect(await other.campaigns.find(projectId, 'young')).toEqual(old);
      expect(await other.campaigns.page(projectId, { open: true }, 10)).toEqual([old]);
      const third = { ...row('later', START), lastSeen: START + 2 * HOUR };
      await store.campaigns.write([store.campaigns.creation(third)]);
      expect(await other.campaigns.page(projectId, {}, 1)).toEqual([third]);
      expect(await other.campaigns.page(projectId, { after: third }, 10)).toEqual([old]);
      expect(await other.campaigns.page(projectId, { after: old }, 10)).toEqual([]);
      expect(await other.campaigns.counts(projectId, ['old'])).toEqual([
        { campaignId: 'old', answer: 'allow', judgement: null, early: true, people: 3 },
      ]);
      expect(await other.campaigns.idOf(projectId, 'c')).toBe('old');
      const grown = { ...old, since: START - 1, lastSeen: START + 2 * HOUR };
      await store.campaigns.write([store.campaigns.growth(grown)]);
      const decided = { ...grown, acknowledgedAt: START, acknowledgedBy: 'ada', badAt: START };
      await other.commit(other.campaigns.decision(old, decided), []);
      expect(await store.campaigns.find(projectId, 'old')).toEqual(decided);
      const stale = { ...old, decisions: [{ action: 'block' }] } as never;
      await expect(store.commit(store.campaigns.decision(stale, old), [])).resolves.toBeDefined();
      await expect(store.commit(store.campaigns.decision(old, stale), [])).resolves.toBeDefined();
      await expect(store.commit(store.campaigns.decision(old, { ...old, badAt: 1 }), [])).rejects.toThrow();
      const under = (since: number) => other.campaigns.isUnderWay(projectId, since);
      expect([await under(START + HOUR), await under(START + 3 * HOUR)]).toEqual([true, false]);
      const page = await store.campaigns.peoplePage(projectId, 'old', { at: START, inbox: 'a' }, 1);
      expect(page.map(({ inbox }) => inbox)).toEqual(['b']);

      const limits = {
        maxRows: 100,
        logRetentionMs: 30 * DAY,
        outcomeRetentionMs: 180 * DAY,
        logMaxRows: 1e6,
      };
      while ((await store.sweep(START + 40 * DAY, limits)) > 0);
      expect(await store.campaigns.find(projectId, 'old')).toBeUndefined();
      expect(await store.campaigns.idOf(projectId, 'a')).toBeUndefined();
    });

    it('are told to webhooks once', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const projectId = caller.project.id;
      const webhook = webhookOf(caller, { events: ['campaign.detected', 'dns.offline'] });
      await store.commit(store.events.webhooks.create(webhook), []);
      const add = (id: string, type: 'campaign.detected' | 'dns.offline', at: number) =>
        store.events.add({ projectId, id, type, at, logId: null, data: {} });
      await add('a', 'campaign.detected', START);
      await add('a', 'campaign.detected', START + 1);
      await add('c', 'dns.offline', START + 1);
      const typed = await store.events.page(projectId, 10, null, ['dns.offline', 'test.ping']);
      expect(typed.map(({ id }) => id)).toEqual(['c']);
      const told = await store.events.deliveries.page(projectId, webhook.id, 10, null);
      expect(told.map(({ eventId }) => eventId).sort()).toEqual(['a', 'c']);
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
        filter: { signals: ['tor_exit'] },
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
