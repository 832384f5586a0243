import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../src/model/project.ts';
import type { Stores } from './store-contract.ts';
import { type Caller, DAY, historyOf, makeCaller, START, type Visit, withPolicy } from './store-fixtures.ts';

/** What a project remembers of the spellings of an inbox, and which of them count. */
export function inboxContract(stores: Stores): void {
  const history = (caller: Caller, visit: Visit) => historyOf(stores.store, caller, visit);
  const blocking = { actions: { ...DEFAULT_POLICY.actions, alias: 'block' as const } };

  describe('inboxes', () => {
    it('are reused if another spelling was seen before', async () => {
      const caller = await makeCaller(stores.store);
      const reused = async (spelling: string) =>
        (await history(caller, { inbox: 'a', spelling }))?.inboxReused;
      expect(await reused('one')).toBe(false);
      expect(await reused('one')).toBe(false);
      expect(await reused('two')).toBe(true);
      expect(await reused('one')).toBe(true);
      expect(await reused('three')).toBe(true);
    });

    it('are reused for a week, or in the same network, if only a client key claimed the other spelling', async () => {
      const caller = await makeCaller(stores.store);
      const reused = async (inbox: string, spelling: string, more: Visit = {}, by = caller) =>
        (await history(by, { inbox, spelling, ...more }))?.inboxReused;
      const claimed = { isClaim: true, network: 'stranger' };
      for (const inbox of ['a', 'b', 'c', 'd']) await reused(inbox, 'claimed', claimed);
      expect(await reused('a', 'own', { now: START + 7 * DAY })).toBe(true);
      expect(await reused('b', 'own', { now: START + 7 * DAY + 1 })).toBe(false);
      expect(await reused('c', 'own', { now: START + 7 * DAY + 1, network: 'stranger' })).toBe(true);
      const strict = await withPolicy(stores.store, caller, blocking);
      expect(await reused('d', 'own', {}, strict)).toBe(false);
      // A backend’s request confirms the spelling.
      await reused('d', 'claimed', {}, strict);
      expect(await reused('d', 'own', { now: START + 8 * DAY }, strict)).toBe(true);
    });

    it('keep the confirmed spelling, whatever is claimed after it', async () => {
      const caller = await makeCaller(stores.store);
      const see = async (spelling: string, more: Visit = {}, by = caller) =>
        (await history(by, { inbox: 'a', spelling, ...more }))?.inboxReused;
      await see('signed up');
      for (const spelling of ['x', 'y', 'z']) await see(spelling, { isClaim: true, network: 'n' });
      expect(await see('w', { isClaim: true, network: 'm', now: START + 30 * DAY })).toBe(true);
      const strict = await withPolicy(stores.store, caller, blocking);
      expect(await see('signed up', { isClaim: true, network: 'm', now: START + 30 * DAY }, strict)).toBe(
        false,
      );
    });

    it('are confirmed by an accepted sign-up, by its address or by its request', async () => {
      const caller = await makeCaller(stores.store, { policy: blocking });
      const see = async (inbox: string, spelling: string) =>
        (await history(caller, { inbox, spelling, isClaim: true }))?.inboxReused;
      const { id } = caller.project;
      for (const inbox of ['a', 'b', 'c']) await see(inbox, 'one');
      await stores.store.outcomes.confirm(id, [
        { inbox: 'a', spelling: 'one', seenBy: START, device: undefined },
        { inbox: 'b', spelling: 'two', seenBy: START, device: undefined },
        { inbox: 'c', spelling: undefined, seenBy: START - 1, device: undefined },
      ]);
      expect(await see('a', 'two')).toBe(true);
      expect(await see('b', 'two')).toBe(false);
      expect(await see('c', 'two')).toBe(false);
      await stores.store.outcomes.confirm(id, [
        { inbox: 'b', spelling: 'one', seenBy: START, device: undefined },
        { inbox: 'c', spelling: undefined, seenBy: START, device: undefined },
      ]);
      expect(await see('b', 'two')).toBe(true);
      expect(await see('c', 'three')).toBe(true);
    });

    it('see each other in order when their requests arrive together', async () => {
      const caller = await makeCaller(stores.store);
      const spellings = ['one', 'one', 'two', 'two', 'one', 'three'];
      const seen = await Promise.all(spellings.map((spelling) => history(caller, { inbox: 'a', spelling })));
      expect(seen.map((one) => one?.inboxReused)).toEqual([false, false, true, true, true, true]);
      expect((await history(caller, { inbox: 'a', spelling: 'three' }))?.inboxReused).toBe(true);
    });

    it('are reused only once for two spellings on two concurrent processes', async () => {
      const caller = await makeCaller(stores.store);
      const seen = await Promise.all(
        ['one', 'two'].map(async (spelling, index) => {
          const store = index ? stores.store : stores.other;
          return historyOf(store, caller, { inbox: 'a', spelling });
        }),
      );
      expect(seen.map((one) => one?.inboxReused).sort()).toEqual([false, true]);
    });

    it('forget a spelling after the retention time', async () => {
      const caller = await makeCaller(stores.store, { project: { retentionDays: 10 } });
      const retentionMs = 10 * DAY;
      const reused = async (spelling: string, now: number) =>
        (await history(caller, { inbox: 'a', spelling, now }))?.inboxReused;
      await reused('old', START);
      expect(await reused('new', START + retentionMs + 1)).toBe(false);
      expect(await reused('old', START + 2 * retentionMs + 1)).toBe(true);
    });

    it('remember the last other spelling however many came since', async () => {
      const caller = await makeCaller(stores.store, { project: { retentionDays: 10 } });
      const retentionMs = 10 * DAY;
      const reused = async (spelling: string, now: number) =>
        (await history(caller, { inbox: 'a', spelling, now }))?.inboxReused;
      for (let index = 0; index < 20; index += 1) await reused(`spelling-${index}`, START + index);
      for (let index = 0; index < 20; index += 1) {
        expect(await reused('steady', START + DAY + index)).toBe(true);
      }
      expect(await reused('steady', START + 19 + retentionMs)).toBe(true);
      expect(await reused('steady', START + 20 + retentionMs)).toBe(false);
    });
  });
}
