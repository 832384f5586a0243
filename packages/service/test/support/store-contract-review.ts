import { describe, expect, it } from 'vitest';
import { type LogRow, type Store, StoreConflict } from '../../src/store/store.ts';
import type { Stores } from './store-contract.ts';
import { BLOCK, FLAG, webhookOf } from './store-contract-events.ts';
import { admitted, type Caller, makeCaller, START, submissionOf } from './store-fixtures.ts';

const readerOf = (projectId: string, memberId = 'm1', now = START) => ({ projectId, memberId, now });

export function reviewContract(stores: Stores): void {
  const validate = async (store: Store, caller: Caller, log: object, now = START, inbox = 'jane') =>
    admitted(await store.settle(submissionOf(caller, { now, inbox, log })));

  /** Whether the row still waited. */
  const decide = async (
    store: Store,
    projectId: string,
    { id, inboxHash, at: seenAt }: LogRow,
    decision: 'good' | 'bad',
    by: string,
  ): Promise<boolean> => {
    const at = START + 10;
    const said = { inbox: inboxHash, outcome: decision, reason: null, at, seenAt, logIds: [id] };
    const person = { ...said, eventAt: at, eventData: { decision }, note: { decision, by, at } };
    return store.commit(store.review.decision(projectId, [person]), []).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof StoreConflict)) throw error;
        return false;
      },
    );
  };

  describe('the review queue', () => {
    it('contains flagged validations, oldest first, until a member decides', async () => {
      const { store, other } = stores;
      const caller = await makeCaller(store);
      const projectId = caller.project.id;
      const webhook = webhookOf(caller, { events: ['review.decided'] });
      await store.commit(store.events.webhooks.create(webhook), []);
      await validate(store, caller, FLAG, START, 'ann');
      await validate(store, caller, FLAG, START + 1, 'bob');
      await validate(store, caller, BLOCK, START + 2, 'eve');
      const open = await store.review.open(readerOf(projectId), null, 10);
      expect(open.map(({ inboxHash }) => inboxHash)).toEqual(['ann', 'bob']);
      expect(await store.review.count(readerOf(projectId), 10)).toBe(2);
      expect(await store.review.count(readerOf(projectId), 1)).toBe(1);
      const [ann] = open;
      if (!ann) throw new Error('Nothing is flagged');
      const decided = await Promise.all([
        decide(store, projectId, ann, 'good', 'm1'),
        decide(other, projectId, ann, 'bad', 'm2'),
      ]);
      expect(decided.filter((yes) => yes)).toHaveLength(1);
      expect(
        (
          await store.review.waiting(
            projectId,
            open.map(({ id }) => id),
          )
        ).map(({ id }) => id),
      ).toEqual([open[1]?.id]);
      const judgement = decided[0] ? 'good' : 'bad';
      expect(await store.review.count(readerOf(projectId), 10)).toBe(1);
      expect(await store.outcomes.find(projectId, 'ann')).toMatchObject({ judgement });
      expect(await store.review.decisionOn(projectId, ann.id)).toMatchObject({ decision: judgement });
      const events = await store.events.page(projectId, 10, null);
      expect(events).toMatchObject([
        { type: 'review.decided', logId: ann.id, data: { decision: judgement } },
      ]);
      expect(await store.events.deliveries.page(projectId, webhook.id, 10, null)).toHaveLength(1);
    });
  });

  describe('a row of the review queue', () => {
    const openTo = async (store: Store, projectId: string, memberId: string, now = START) => {
      const reader = readerOf(projectId, memberId, now);
      const rows = await store.review.open(reader, null, 10);
      expect(await store.review.count(reader, 100)).toBe(rows.length);
      return rows.map(({ inboxHash }) => inboxHash);
    };

    it('leaves when a newer good or bad is reported about the person', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const projectId = caller.project.id;
      for (const inbox of ['ann', 'bob', 'eve']) await validate(store, caller, FLAG, START, inbox);
      const say = (inbox: string, outcome: 'accepted' | 'good' | 'bad', at: number) =>
        store.outcomes.record(projectId, [{ inbox, outcome, reason: null, at, seenAt: START }]);
      await say('ann', 'accepted', START + 5);
      await say('bob', 'bad', START - 1);
      expect(await openTo(store, projectId, 'm1')).toEqual(['ann', 'bob', 'eve']);
      await say('ann', 'good', START + 5);
      await say('eve', 'bad', START);
      expect(await openTo(store, projectId, 'm1')).toEqual(['bob']);
    });

    it('is found by the log’s filters', async () => {
      const { store, other } = stores;
      const caller = await makeCaller(store);
      const projectId = caller.project.id;
      for (const [at, inbox] of ['ann', 'bob', 'eve'].entries())
        await validate(store, caller, FLAG, START + at, inbox);
      const reader = { ...readerOf(projectId), now: START + 5 };
      const found = async (part: object) => {
        const rows = await other.review.open({ ...reader, ...part }, null, 10);
        expect(await other.review.count({ ...reader, ...part }, 10)).toBe(rows.length);
        return rows.map(({ inboxHash }) => inboxHash);
      };
      expect(await found({ filter: { from: START + 1, to: START + 2 } })).toEqual(['bob']);
      expect(await found({ filter: { not: { domain: 'x' }, inboxHash: 'eve' } })).toEqual(['eve']);
    });

    it('that one member passed on stays for the others, and comes back later', async () => {
      const { store, other } = stores;
      const caller = await makeCaller(store);
      const projectId = caller.project.id;
      await validate(store, caller, FLAG, START, 'ann');
      const [ann] = await store.review.open(readerOf(projectId), null, 10);
      if (!ann) throw new Error('Nothing is flagged');
      const pass = store.review.passing(projectId, ann.id, 'm1', START + 1_000);
      await store.commit([pass], []);
      expect(await openTo(other, projectId, 'm1')).toEqual([]);
      expect(await openTo(other, projectId, 'm2')).toEqual(['ann']);
      expect(await openTo(other, projectId, 'm1', START + 1_000)).toEqual(['ann']);
      expect(await store.review.decisionOn(projectId, ann.id)).toBeUndefined();
      expect(await store.events.page(projectId, 10, null)).toEqual([]);
      expect(await decide(store, projectId, ann, 'bad', 'm2')).toBe(true);
      await store.commit([pass], []);
      expect(await store.review.waiting(projectId, [ann.id])).toEqual([]);
    });
  });
}
