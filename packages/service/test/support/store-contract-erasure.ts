import { describe, expect, it } from 'vitest';
import type { AdministeredStore } from '../../src/store/administered-store.ts';
import type { Store } from '../../src/store/store.ts';
import type { Stores } from './store-contract.ts';
import {
  admitted,
  type Caller,
  DAY,
  makeCaller,
  makeKey,
  START,
  submissionOf,
  type Visit,
  validationOf,
} from './store-fixtures.ts';

const JANE = 'jane_x-%';

/** Jane was the first on a device that few share, the last on one that many do, and alone on a third. */
const VISITS: readonly Visit[] = [
  { inbox: JANE, device: 'few', network: 'n1', now: START },
  { inbox: 'a', device: 'few', network: 'n1', now: START + 1 },
  { inbox: 'b', device: 'few', network: 'n1', now: START + 2 },
  ...Array.from({ length: 30 }, (_, index) => ({
    inbox: `many-${index}`,
    device: 'many',
    network: 'n2',
    now: START + 3 + index,
  })),
  { inbox: JANE, spelling: 'another', device: 'many', network: 'n2', now: START + 50 },
  { inbox: JANE, device: 'own', network: 'n3', now: START + 51 },
  { inbox: JANE, device: null, now: START + 52 },
  { inbox: 'c', device: null, now: START + 53 },
];

export function erasureContract(stores: Stores): void {
  const visited = async (store: Store, visits: readonly Visit[]): Promise<Caller> => {
    const caller = await makeCaller(store);
    for (const visit of visits) admitted(await store.settle(submissionOf(caller, visit)));
    return caller;
  };
  const recalled = (store: Store, { project }: Caller, visit: Visit) =>
    store.memory.recall(project, validationOf({ ...visit, now: START + 100 }));
  const inboxesListing = async (store: AdministeredStore, { project }: Caller, device: string) => {
    let found = 0;
    for await (const { table, row } of store.dump({ project: project.id })) {
      if (table === 'inbox' && String(row.devices).includes(`"${device}"`)) found += 1;
    }
    return found;
  };
  const logged = async (store: Store, { project }: Caller) =>
    (await store.log.page(project.id, {}, 100, null)).rows.map(({ inboxHash }) => inboxHash);

  describe('erasing a person', () => {
    it('leaves the project as if the inbox had never existed', async () => {
      const { store, other } = stores;
      const caller = await visited(store, VISITS);
      const without = await visited(
        store,
        VISITS.filter(({ inbox }) => inbox !== JANE),
      );
      const bystander = await visited(store, VISITS);
      const testKey = await makeKey(store, caller.project, { mode: 'test' });
      await store.settle(submissionOf({ ...caller, key: testKey }, { inbox: JANE }));
      const whose = { inboxes: [JANE], devices: [] };
      await store.outcomes.record(caller.project.id, [
        { inbox: JANE, outcome: 'bad', reason: 'chargeback', at: START, seenAt: START },
      ]);
      const expected = { inboxes: 1, devices: 0, sightings: 3, logRows: 5, outcomes: 1, claims: 0 };

      expect(await other.erasure.erase(caller.project.id, whose, true)).toEqual(expected);
      expect(await logged(store, caller)).toHaveLength(VISITS.length + 1);
      expect(await other.erasure.erase(caller.project.id, whose, false)).toEqual(expected);
      expect(await other.erasure.erase(caller.project.id, whose, false)).toEqual({
        inboxes: 0,
        devices: 0,
        sightings: 0,
        logRows: 0,
        outcomes: 0,
        claims: 0,
      });

      for (const visit of [...VISITS, { inbox: 'new', device: 'few' }, { inbox: 'new', device: 'many' }]) {
        expect(await recalled(store, caller, visit)).toEqual(await recalled(store, without, visit));
      }
      expect(await logged(store, caller)).toEqual(await logged(store, without));
      expect(await store.memory.sightingsOfInbox(caller.project.id, JANE, 10)).toEqual([]);
      expect(await store.memory.sightingsOfDevice(caller.project.id, 'own', 10)).toEqual([]);
      expect(await logged(store, bystander)).toHaveLength(VISITS.length);
      expect(await store.memory.sightingsOfInbox(bystander.project.id, JANE, 10)).toHaveLength(3);
    });

    it('erases a device with all its data', async () => {
      const { store } = stores;
      const caller = await visited(store, VISITS);
      const whose = { inboxes: [JANE], devices: ['few', 'many'] };
      const expected = {
        inboxes: 1,
        devices: 2,
        sightings: 3 + 31 + 1,
        logRows: 35 + 1,
        outcomes: 0,
        claims: 0,
      };
      expect(await store.erasure.erase(caller.project.id, whose, true)).toEqual(expected);
      expect(await store.erasure.erase(caller.project.id, whose, false)).toEqual(expected);
      expect(await logged(store, caller)).toEqual(['c']);
      for (const device of ['few', 'many']) {
        expect(await store.memory.sightingsOfDevice(caller.project.id, device, 10)).toEqual([]);
        expect((await recalled(store, caller, { inbox: 'z', device })).device).toMatchObject({
          previousSignups: 0,
          networks: 0,
        });
      }
      expect(await store.memory.sightingsOfInbox(caller.project.id, 'a', 10)).toEqual([]);
    });

    it('finds every device of an inbox, however many there were', async () => {
      const { store } = stores;
      const devices = Array.from({ length: 70 }, (_, index) => `device-${index}`);
      const caller = await visited(
        store,
        devices.map((device, index) => ({ inbox: JANE, device, now: START + index })),
      );
      // A device that comes back is not listed twice, so it pushes out no other.
      admitted(
        await store.settle(submissionOf(caller, { inbox: JANE, device: 'device-40', now: START + 80 })),
      );
      const listed = await store.memory.sightingsOfInbox(caller.project.id, JANE, 100);
      expect(listed.map(({ deviceHash }) => deviceHash)).toEqual([
        'device-40',
        ...devices.slice(41).reverse(),
        ...devices.slice(0, 40).reverse(),
      ]);
      const erased = await store.erasure.erase(
        caller.project.id,
        { inboxes: [], devices: ['device-30'] },
        false,
      );
      expect(erased).toMatchObject({ devices: 1, sightings: 1 });
      expect(await inboxesListing(store, caller, 'device-30')).toBe(0);
      expect(await inboxesListing(store, caller, 'device-31')).toBe(1);
      const whose = { inboxes: [JANE], devices: ['device-50'] };
      expect(await store.erasure.erase(caller.project.id, whose, false)).toMatchObject({ sightings: 69 });
      for (const device of devices) {
        expect(await store.memory.sightingsOfDevice(caller.project.id, device, 10)).toEqual([]);
      }
    });

    it('leaves no device without an inbox, also when the others are forgotten before the networks', async () => {
      const database = await stores.fresh();
      const store = await database.open();
      try {
        const caller = await visited(store, [
          { inbox: 'a', device: 'shared', network: 'n1', now: START },
          { inbox: JANE, device: 'shared', network: 'n2', now: START + 50 * DAY },
        ]);
        await store.erasure.erase(caller.project.id, { inboxes: [JANE], devices: [] }, false);
        const limits = {
          maxRows: 1_000,
          logRetentionMs: 400 * DAY,
          outcomeRetentionMs: 400 * DAY,
          logMaxRows: 1_000,
        };
        while ((await store.sweep(START + 100 * DAY, limits)) > 0);
        const left: string[] = [];
        for await (const { table } of store.dump({ project: caller.project.id })) left.push(table);
        expect(left.filter((table) => table.startsWith('device'))).toEqual([]);
      } finally {
        await store.close();
        await database.remove();
      }
    });

    it('finds the devices of an inbox that the sweep has not finished with', async () => {
      const database = await stores.fresh();
      const store = await database.open();
      try {
        const visits = Array.from({ length: 120 }, (_, index) => ({
          inbox: `inbox-${index}`,
          device: `device-${index}`,
          now: START + index,
        }));
        const caller = await visited(store, visits);
        const limits = {
          maxRows: 1_000,
          logRetentionMs: 400 * DAY,
          outcomeRetentionMs: 400 * DAY,
          logMaxRows: 1_000,
        };
        // Not all of it fits into so few steps.
        for (let step = 0; step < 2; step += 1) await store.sweep(START + 91 * DAY, limits);
        const left: string[] = [];
        for (const { device, inbox } of visits) {
          const found = await store.memory.sightingsOfDevice(caller.project.id, device, 10);
          if (found.length > 0) left.push(inbox);
        }
        expect(left.length).toBeGreaterThan(0);
        const rows = await store.erasure.erase(caller.project.id, { inboxes: left, devices: [] }, false);
        expect(rows.sightings).toBe(left.length);
      } finally {
        await store.close();
        await database.remove();
      }
    });

    it('keeps the log’s count right', async () => {
      const database = await stores.fresh();
      const store = await database.open();
      try {
        const caller = await visited(store, VISITS);
        await store.erasure.erase(caller.project.id, { inboxes: [JANE], devices: [] }, false);
        const left = VISITS.length - 4;
        const limits = {
          maxRows: 1_000,
          logRetentionMs: 30 * DAY,
          outcomeRetentionMs: 180 * 86_400_000,
          logMaxRows: left - 1,
        };
        expect(await store.sweep(START + 100, { ...limits, logMaxRows: left })).toBe(0);
        expect(await store.sweep(START + 100, limits)).toBe(1);
        expect(await logged(store, caller)).toHaveLength(left - 1);
      } finally {
        await store.close();
        await database.remove();
      }
    });
  });
}
