import { MAX_TIMELINE } from '@postern/contract/dashboard';
import { describe, expect, it } from 'vitest';
import type { Stores } from './store-contract.ts';
import { DAY, makeCaller, START, unique } from './store-fixtures.ts';

export function viewsContract(stores: Stores): void {
  const viewOf = (projectId: string, memberId: string, name: string) => ({
    projectId,
    memberId,
    id: unique('view'),
    name,
    filters: { check: 'mx,!alias', from: 5 },
    shared: 0,
    alertAtLeast: 0,
    alertSpan: 'hour' as const,
    createdAt: START,
  });

  describe('saved views', () => {
    it('belong to one member and one project, and are sorted by name', async () => {
      const { store, other } = stores;
      const [mine, stranger] = await Promise.all([makeCaller(store), makeCaller(store)]);
      const projectId = mine.project.id;
      const [b, a] = [viewOf(projectId, 'm1', 'b'), viewOf(projectId, 'm1', 'a')];
      for (const view of [b, a, viewOf(projectId, 'm2', 'a'), viewOf(stranger.project.id, 'm1', 'a')])
        expect(await store.views.add(view, 10)).toBe('done');
      const list = await other.views.list(projectId, 'm1');
      expect(list.map(({ id }) => id)).toEqual([a.id, b.id]);
      expect(list[0]).toEqual({
        id: a.id,
        memberId: 'm1',
        name: 'a',
        filters: a.filters,
        shared: 0,
        alertAtLeast: 0,
        alertSpan: 'hour',
        createdAt: START,
      });
      const told = { projectId, memberId: 'm1', id: a.id, alert: { atLeast: 5, span: 'day' } } as const;
      expect(await store.views.change(told)).toBe('done');
      expect(await other.views.withAlert(projectId, 10)).toMatchObject([
        { id: a.id, alertAtLeast: 5, alertSpan: 'day' },
      ]);
      expect(await store.views.change({ ...told, alert: null })).toBe('done');
      expect(await other.views.withAlert(projectId, 10)).toEqual([]);
      const shared = { projectId, memberId: 'm1', id: b.id, shared: true };
      expect(await store.views.change(shared)).toBe('done');
      const seen = await other.views.list(projectId, 'm2');
      expect(seen.map(({ name, memberId }) => [name, memberId])).toEqual([
        ['a', 'm2'],
        ['b', 'm1'],
      ]);
      expect(await store.views.remove(projectId, 'm2', a.id)).toBe(false);
      expect(await store.views.remove(projectId, 'm1', a.id)).toBe(true);
      expect(await store.views.remove(projectId, 'm1', a.id)).toBe(false);
    });

    it('have different names, and are limited in number', async () => {
      const { store } = stores;
      const projectId = (await makeCaller(store)).project.id;
      const first = viewOf(projectId, 'm1', 'first');
      expect(await store.views.add(first, 2)).toBe('done');
      expect(await store.views.add(viewOf(projectId, 'm1', 'first'), 2)).toBe('name-taken');
      expect(await store.views.add(viewOf(projectId, 'm1', 'second'), 2)).toBe('done');
      expect(await store.views.add(viewOf(projectId, 'm1', 'third'), 2)).toBe('full');
      const change = (id: string, fields: object) =>
        store.views.change({ projectId, memberId: 'm1', id, ...fields });
      expect(await change(first.id, { name: 'second' })).toBe('name-taken');
      expect(await change(first.id, { name: 'first' })).toBe('done');
      expect(await change(first.id, { filters: { last: 'day' } })).toBe('done');
      expect(await change('no-such-view', { name: 'x' })).toBe('unknown');
      const [renamed] = await store.views.list(projectId, 'm1');
      expect(renamed).toMatchObject({ name: 'first', filters: { last: 'day' } });
    });
  });

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
      await store.timeline.add(
        projectId,
        Array.from({ length: MAX_TIMELINE + 30 }, (_, index) =>
          entry('shop.test', `${index}`, START + index),
        ),
      );
      expect(await bodies('shop.test')).toEqual(
        Array.from({ length: MAX_TIMELINE }, (_, index) => `${MAX_TIMELINE + 29 - index}`),
      );
      const people = ['person:jane', 'person:john', 'device:laptop'];
      await store.timeline.add(
        projectId,
        people.map((subject) => entry(subject, subject)),
      );
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
