import { MAX_TIMELINE } from '@postern/contract/dashboard';
import { describe, expect, it } from 'vitest';
import type { Stores } from './store-contract.ts';
import { DAY, makeCaller, START } from './store-fixtures.ts';

export function timelinesContract(stores: Stores): void {
  describe('timelines', () => {
    it('keep the newest entries of a subject, people and devices only for a time, and are erased with them', async () => {
      const { store, other } = stores;
      const projectId = (await makeCaller(store)).project.id;
      const entry = (subject: string, body: string, at = START) => ({
        ...{ subject, body, at, actor: 'm1' },
        kind: 'note' as const,
      });
      const bodies = async (subject: string) =>
        (await other.timeline.of(projectId, subject)).map(({ body }) => body);
      const many = Array.from({ length: MAX_TIMELINE + 30 }, (_, index) =>
        entry('shop.test', `${index}`, START + index),
      );
      await store.commit(store.timeline.addition(projectId, many), []);
      expect(await bodies('shop.test')).toEqual(
        Array.from({ length: MAX_TIMELINE }, (_, index) => `${MAX_TIMELINE + 29 - index}`),
      );
      const people = ['person:jane', 'person:john', 'device:laptop'];
      const entries = people.map((subject) => entry(subject, subject));
      await store.commit(store.timeline.addition(projectId, entries), []);
      await store.erasure.erase(projectId, { inboxes: ['john'], devices: [] }, false);
      expect(await Promise.all(people.map(bodies))).toEqual([['person:jane'], [], ['device:laptop']]);
      const limits = {
        maxRows: 100,
        logRetentionMs: DAY,
        outcomeRetentionMs: 180 * DAY,
        logMaxRows: 1_000,
      };
      while ((await store.sweep(START + 179 * DAY, limits)) > 0);
      expect(await bodies('person:jane')).toHaveLength(1);
      while ((await store.sweep(START + 181 * DAY, limits)) > 0);
      expect(await Promise.all(people.map(bodies))).toEqual([[], [], []]);
      expect(await bodies('shop.test')).toHaveLength(MAX_TIMELINE);
    });
  });
}
