import { describe, expect, it } from 'vitest';
import type { Stores } from './store-contract.ts';
import { DAY, historyOf, makeCaller, START, type Visit, validationOf } from './store-fixtures.ts';

export function insightContract(stores: Stores): void {
  describe('reading history without adding to it', () => {
    it('returns the same as settling, for few sightings and for many, within retention and beyond', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const settle = (visit: Visit) => historyOf(store, caller, visit);
      const recall = (visit: Visit) => store.memory.recall(caller.project, validationOf(visit));

      const visits: Visit[] = [
        { inbox: 'a', spelling: 'a1', device: 'few', network: 'n1' },
        { inbox: 'a', spelling: 'a2', device: 'few', network: 'n2', now: START + 1 },
        { inbox: 'a', spelling: 'a2', device: 'few', network: 'n2', now: START + 2 },
        { inbox: 'b', spelling: 'b1', device: 'few', network: null, now: START + 3 },
        { inbox: 'c', spelling: 'c1', device: null, now: START + 4 },
        { inbox: 'a', spelling: 'a3', device: 'few', network: 'n3', now: START + 91 * DAY },
        ...Array.from({ length: 30 }, (_, index) => ({
          inbox: `many-${index}`,
          device: 'many',
          network: `n-${index}`,
          now: START + index,
        })),
        { inbox: 'many-3', device: 'many', network: 'n-3', now: START + 40 },
        { inbox: 'new', device: 'many', network: 'new', now: START + 41 },
      ];
      for (const visit of visits) {
        const foretold = await recall(visit);
        expect(await recall(visit)).toEqual(foretold);
        expect(foretold).toEqual(await settle(visit));
      }
    });
  });

  it('counts refusals that were not settled, in their half hour', async () => {
    const { project } = await makeCaller(stores.store);
    await Promise.all(
      [stores.store, stores.other, stores.store].map((store) =>
        store.log.countRefusal(project.id, START + 5, 'quota-exceeded'),
      ),
    );
    const slots = [];
    for await (const portion of stores.store.statistics.read(project.id, START, START + DAY))
      slots.push(...portion);
    expect(slots).toEqual([{ at: START, counts: new Map([['quota-exceeded', 3]]) }]);
  });
}
