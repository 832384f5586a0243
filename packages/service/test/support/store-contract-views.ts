import { describe, expect, it } from 'vitest';
import type { Stores } from './store-contract.ts';
import { makeCaller, START, unique } from './store-fixtures.ts';

export function viewsContract(stores: Stores): void {
  const viewOf = (projectId: string, memberId: string, name: string) => ({
    projectId,
    memberId,
    id: unique('view'),
    name,
    filters: { check: 'mx,!alias', from: 5 },
    shared: 0,
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
        createdAt: START,
      });
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
}
