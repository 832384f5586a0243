import type { Recommendation } from '@postern/contract';
import { describe, expect, it } from 'vitest';
import type { BrowserClass } from '../../src/model/browser-class.ts';
import { DEFAULT_POLICY } from '../../src/model/project.ts';
import type { Stores } from './store-contract.ts';
import {
  admitted,
  type Caller,
  DAY,
  historyOf,
  makeCaller,
  makeKey,
  START,
  seeDevice,
  submissionOf,
  type Visit,
  validationOf,
  withPolicy,
} from './store-fixtures.ts';

export function memoryContract(stores: Stores): void {
  const history = (caller: Caller, visit: Visit) => historyOf(stores.store, caller, visit);
  const blocking = { ...DEFAULT_POLICY.actions, device: 'block' as const };

  describe('devices', () => {
    it('have no history at first, and then what was seen with them', async () => {
      const caller = await makeCaller(stores.store);
      const first = await seeDevice(stores.store, caller, { device: 'd', inbox: 'a', network: 'n1' });
      expect(first).toEqual({
        previousSignups: 0,
        otherAddresses: 0,
        people: 0,
        confirmedPeople: 0,
        blockedAttempts: 0,
        networks: 1,
        overThreshold: false,
        flagsOnly: false,
        common: false,
        firstSeen: null,
        lastSeen: null,
      });
      const again = await seeDevice(stores.other, caller, {
        device: 'd',
        inbox: 'a',
        network: 'n1',
        now: START + 5,
      });
      expect(again).toMatchObject({ previousSignups: 1, otherAddresses: 0, networks: 1, firstSeen: START });
      const third = await seeDevice(stores.store, caller, {
        device: 'd',
        inbox: 'b',
        network: 'n2',
        now: START + 9,
      });
      expect(third).toMatchObject({
        previousSignups: 1,
        otherAddresses: 1,
        blockedAttempts: 0,
        networks: 2,
        firstSeen: START,
        lastSeen: START + 5,
      });
    });

    it('count each other in order when their requests arrive together', async () => {
      const caller = await makeCaller(stores.store);
      const inboxes = ['a', 'b', 'a', 'c', 'd', 'b', 'e'];
      const seen = await Promise.all(
        inboxes.map((inbox) => seeDevice(stores.store, caller, { device: 'd', inbox, network: inbox })),
      );
      expect(seen.map((one) => one.previousSignups)).toEqual([0, 1, 2, 2, 3, 4, 4]);
      expect(seen.map((one) => one.otherAddresses)).toEqual([0, 1, 1, 2, 3, 3, 4]);
      expect(seen.map((one) => one.networks)).toEqual([1, 2, 2, 3, 4, 4, 5]);
      expect(seen.map((one) => one.overThreshold)).toEqual([false, false, false, false, true, true, true]);
    });

    it('lose no sighting with two concurrent processes', async () => {
      const caller = await makeCaller(stores.store);
      const seen = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          seeDevice(index % 2 ? stores.store : stores.other, caller, {
            device: 'd',
            inbox: `inbox-${index}`,
            network: `network-${index % 7}`,
          }),
        ),
      );
      const counts = seen.map((one) => one.previousSignups).sort((a, b) => a - b);
      expect(counts).toEqual(Array.from({ length: 60 }, (_, index) => index));
      const after = await seeDevice(stores.store, caller, {
        device: 'd',
        inbox: 'inbox-3',
        network: 'network-3',
      });
      expect(after).toMatchObject({ previousSignups: 60, otherAddresses: 59, networks: 7 });
    });

    it('are no evidence if several networks have them and such browsers hide their hardware', async () => {
      const seen = async (browser: BrowserClass, networks: number, more: Omit<Visit, 'device'> = {}) => {
        const caller = await makeCaller(stores.store);
        const see = (index: number) =>
          seeDevice(stores.store, caller, {
            ...{ device: 'd', inbox: `i${index}`, network: `n${index % networks}`, traits: { browser } },
            ...more,
          });
        for (let index = 0; index < 11; index += 1) await see(index);
        return see(11);
      };
      expect(await seen('ios', 12)).toMatchObject({ networks: 12, common: true, overThreshold: false });
      expect(await seen('ios', 1)).toMatchObject({ networks: 1, common: false, overThreshold: true });
      expect(await seen('linux', 12)).toMatchObject({ networks: 12, common: false, overThreshold: true });
      const colleagues = { browser: 'linux', domain: 'a-company', mail: 'hosted' } as const;
      expect(await seen('linux', 1, { traits: colleagues })).toMatchObject({
        people: 0,
        overThreshold: false,
      });
      // Those of another network count as one person.
      expect(await seen('linux', 2, { traits: colleagues })).toMatchObject({ people: 1 });
    });

    it('stay evidence whatever strangers claim about them later', async () => {
      const caller = await makeCaller(stores.store, { policy: { actions: blocking } });
      const record = { actions: blocking };
      for (const index of [1, 2, 3])
        await seeDevice(stores.store, caller, { device: 'd', inbox: `i${index}`, network: 'n1', record });
      for (let index = 0; index < 12; index += 1)
        await seeDevice(stores.store, caller, {
          ...{ device: 'd', inbox: `claimed-${index}`, network: `of ${index}`, isClaim: true },
          traits: { browser: 'ios' },
        });
      expect(
        await seeDevice(stores.store, caller, { device: 'd', inbox: 'i5', network: 'n1', record }),
      ).toMatchObject({ confirmedPeople: 3, overThreshold: true, flagsOnly: false });
    });

    it.each([1, 30])('count %i blocked inboxes separately from those that signed up', async (inboxes) => {
      const caller = await makeCaller(stores.store);
      const see = (inbox: string, answer: Recommendation, at: number) =>
        seeDevice(stores.store, caller, { device: 'd', inbox, now: START + at, answer });
      for (let index = 0; index < inboxes; index += 1) await see(`i${index}`, 'block', index);
      const blocked = { previousSignups: 0, otherAddresses: 0, overThreshold: false };
      // The first inbox returns and is allowed to sign up. A later block does not undo that.
      expect(await see('i0', 'flag', 100)).toMatchObject({ ...blocked, blockedAttempts: inboxes });
      expect(await see('i0', 'block', 101)).toMatchObject({
        previousSignups: 1,
        otherAddresses: 0,
        blockedAttempts: inboxes - 1,
      });
      const sighting = validationOf({ device: 'd', inbox: 'other', now: START + 102 });
      const strict = { ...caller.project, policy: { ...caller.project.policy, deviceThreshold: 1 } };
      const expected = {
        previousSignups: 1,
        otherAddresses: 1,
        blockedAttempts: inboxes - 1,
        overThreshold: true,
        firstSeen: START,
      };
      expect((await stores.other.memory.recall(strict, sighting)).device).toMatchObject(expected);
      expect(await see('other', 'allow', 102)).toMatchObject({ ...expected, overThreshold: false });
    });

    it('forget a blocked inbox after the retention time like any other', async () => {
      for (const inboxes of [2, 30]) {
        const caller = await makeCaller(stores.store, { project: { retentionDays: 10 } });
        const answer = 'block';
        for (let index = 0; index < inboxes; index += 1) {
          const visit = { device: 'd', inbox: `i${index}`, now: START + index * 60_000, answer } as const;
          await seeDevice(stores.store, caller, visit);
        }
        const look = { device: 'd', inbox: 'i1', now: START + 10 * DAY + 1 };
        expect(await seeDevice(stores.store, caller, look)).toMatchObject({
          previousSignups: 0,
          blockedAttempts: inboxes - 1,
        });
      }
    });

    it('count as blocked if history alone leads to a block', async () => {
      const caller = await makeCaller(stores.store, { policy: { deviceThreshold: 2, actions: blocking } });
      const inboxes = ['a', 'b', 'c', 'd', 'e'];
      const record = { actions: blocking };
      const seen = await Promise.all(
        inboxes.map((inbox) => seeDevice(stores.store, caller, { device: 'd', inbox, record })),
      );
      expect(seen.map((one) => one.previousSignups)).toEqual([0, 1, 2, 2, 2]);
      expect(seen.map((one) => one.blockedAttempts)).toEqual([0, 0, 0, 1, 2]);
    });

    it('are judged by networks where client keys claimed them, and by each inbox in the own network', async () => {
      const caller = await makeCaller(stores.store);
      const see = (inbox: string, network: string, more: Omit<Visit, 'device'> = {}) =>
        seeDevice(stores.store, caller, { device: 'd', inbox, network, isClaim: true, ...more });
      for (const inbox of ['a', 'b', 'c', 'd']) await see(inbox, 'n1');
      expect(await see('e', 'n2')).toMatchObject({ otherAddresses: 4, people: 1, overThreshold: false });
      expect(await see('f', 'n2')).toMatchObject({ otherAddresses: 5, people: 2, overThreshold: false });
      expect(await see('g', 'n1')).toMatchObject({ people: 5, overThreshold: true, flagsOnly: false });
      const late = { now: START + DAY + 1 };
      expect(await see('h', 'n3', late)).toMatchObject({ previousSignups: 7, people: 0 });
      expect(await see('h', 'n2', late)).toMatchObject({ people: 2 });
    });

    it('only flag where the policy blocks, until a backend confirmed as many inboxes as the threshold', async () => {
      const flagging = await makeCaller(stores.store, { policy: { deviceThreshold: 2 } });
      const { id } = flagging.project;
      let caller = await withPolicy(stores.store, flagging, { actions: blocking });
      const see = (inbox: string, more: Omit<Visit, 'device'> = {}) =>
        seeDevice(stores.store, caller, {
          ...{ device: 'd', inbox, isClaim: true, network: `of ${inbox}` },
          ...more,
        });
      const confirm = (inbox: string, device: string | undefined) =>
        stores.other.outcomes.confirm(id, [{ inbox, device, spelling: undefined, seenBy: START }]);
      for (const inbox of ['a', 'b', 'c']) await see(inbox);
      expect(await see('d')).toMatchObject({ people: 3, confirmedPeople: 0, flagsOnly: true });
      caller = await withPolicy(stores.store, caller, { actions: flagging.project.policy.actions });
      expect(await see('d')).toMatchObject({ overThreshold: true, flagsOnly: false });
      caller = await withPolicy(stores.store, caller, { actions: blocking });
      await confirm('a', 'd');
      await confirm('b', undefined);
      await confirm('b', 'another');
      expect(await see('d')).toMatchObject({ confirmedPeople: 1, flagsOnly: true });
      await confirm('c', 'd');
      // A claim does not take back what was confirmed, and it does not fade.
      await see('c');
      const asked = { confirmedPeople: 2, overThreshold: true, flagsOnly: false };
      expect(await see('d', { now: START + 30 * DAY })).toMatchObject({ ...asked, people: 2 });
      await see('e', { isClaim: false });
      expect(await see('d')).toMatchObject({ ...asked, confirmedPeople: 3 });
    });

    it('remember at most 200 inboxes, and forget blocked inboxes first', async () => {
      const caller = await makeCaller(stores.store);
      let at = 0;
      const see = (inbox: string, answer: Recommendation = 'allow') => {
        at += 1;
        return seeDevice(stores.store, caller, {
          device: 'd',
          inbox,
          network: `network of ${inbox}`,
          now: START + at,
          answer,
        });
      };
      await Promise.all(Array.from({ length: 5 }, (_, index) => see(`blocked ${index}`, 'block')));
      // Requests of one device are judged one after the other, so a batch of all of them could take too long.
      for (let from = 0; from < 195; from += 15)
        await Promise.all(Array.from({ length: 15 }, (_, index) => see(`signed up ${from + index}`)));
      expect(await see('signed up 0')).toMatchObject({
        previousSignups: 195,
        blockedAttempts: 5,
        networks: 195,
      });

      const more = await Promise.all(['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7'].map((inbox) => see(inbox)));
      expect(more.map((one) => one.previousSignups)).toEqual([195, 196, 197, 198, 199, 200, 200]);
      expect(more.map((one) => one.blockedAttempts)).toEqual([5, 4, 3, 2, 1, 0, 0]);
      expect(more.map((one) => one.networks)).toEqual([196, 197, 198, 199, 200, 201, 201]);
      // The last two replaced those that were seen longest ago: the first one came back meanwhile.
      const left = await stores.other.memory.sightingsOfDevice(caller.project.id, 'd', 500);
      const inboxes = new Set(left.map(({ inboxHash }) => inboxHash));
      expect(inboxes.size).toBe(200);
      expect(['signed up 0', 'signed up 3', 'm7'].filter((inbox) => !inboxes.has(inbox))).toEqual([]);
      expect(['blocked 4', 'signed up 1', 'signed up 2'].filter((inbox) => inboxes.has(inbox))).toEqual([]);

      const refused = await Promise.all(['b1', 'b2', 'b3', 'b4'].map((inbox) => see(inbox, 'block')));
      expect(refused.map((one) => one.previousSignups)).toEqual([200, 199, 199, 199]);
      expect(refused.map((one) => one.blockedAttempts)).toEqual([0, 1, 1, 1]);
      expect(refused.at(-1)).toMatchObject({ firstSeen: START + 6, lastSeen: START + at - 1 });
    });

    it('are counted without a network too', async () => {
      const caller = await makeCaller(stores.store);
      await seeDevice(stores.store, caller, { device: 'd', inbox: 'a', network: null });
      const second = await seeDevice(stores.store, caller, { device: 'd', inbox: 'b', network: null });
      expect(second).toMatchObject({ previousSignups: 1, networks: 0 });
    });

    it('are separate for each project', async () => {
      const [one, two] = [await makeCaller(stores.store), await makeCaller(stores.store)];
      await seeDevice(stores.store, one, { device: 'd', inbox: 'a' });
      expect(await seeDevice(stores.store, two, { device: 'd', inbox: 'b' })).toMatchObject({
        previousSignups: 0,
      });
    });

    it.each([3, 30])('forget each of %i inboxes after the retention time', async (inboxes) => {
      const caller = await makeCaller(stores.store, { project: { retentionDays: 10 } });
      const retentionMs = 10 * DAY;
      for (let index = 0; index < inboxes; index += 1) {
        const now = START + index * 60_000;
        await seeDevice(stores.store, caller, {
          device: 'd',
          inbox: `i${index}`,
          network: `n${index}`,
          now,
        });
      }
      const look = (now: number) => seeDevice(stores.store, caller, { device: 'd', inbox: 'looking', now });
      const before = await look(START + retentionMs);
      expect(before).toMatchObject({ previousSignups: inboxes, networks: inboxes, firstSeen: START });
      const after = await look(START + retentionMs + 1);
      expect(after).toMatchObject({
        previousSignups: inboxes,
        otherAddresses: inboxes - 1,
        networks: inboxes - 1,
        firstSeen: START + 60_000,
      });
      const late = await look(START + 3 * retentionMs);
      expect(late).toMatchObject({ previousSignups: 0, networks: 0, firstSeen: null, lastSeen: null });
    });

    it('can be listed by device and by inbox', async () => {
      const caller = await makeCaller(stores.store);
      const see = (device: string, inbox: string, now: number) =>
        seeDevice(stores.store, caller, { device, inbox, now });
      await see('d1', 'a', START);
      await see('d1', 'b', START + 1);
      await see('d2', 'a', START + 2);
      await see('d1', 'a', START + 3);
      const { id } = caller.project;
      expect(await stores.store.memory.sightingsOfDevice(id, 'd1', 10)).toEqual([
        { deviceHash: 'd1', inboxHash: 'a', firstSeen: START, lastSeen: START + 3, count: 2 },
        { deviceHash: 'd1', inboxHash: 'b', firstSeen: START + 1, lastSeen: START + 1, count: 1 },
      ]);
      expect(await stores.store.memory.sightingsOfDevice(id, 'd1', 1)).toHaveLength(1);
      const ofInbox = await stores.store.memory.sightingsOfInbox(id, 'a', 10);
      expect(ofInbox.map((row) => row.deviceHash)).toEqual(['d1', 'd2']);
      expect(await stores.store.memory.sightingsOfDevice(id, 'unknown', 10)).toEqual([]);
      expect(await stores.store.memory.sightingsOfInbox(id, 'unknown', 10)).toEqual([]);
    });

    it('with many inboxes can still be listed', async () => {
      const caller = await makeCaller(stores.store);
      for (let index = 0; index < 30; index += 1) {
        await seeDevice(stores.store, caller, { device: 'd', inbox: `i${index}`, now: START + index });
      }
      const { id } = caller.project;
      expect(await stores.store.memory.sightingsOfDevice(id, 'd', 100)).toHaveLength(30);
      expect(await stores.store.memory.sightingsOfInbox(id, 'i7', 100)).toEqual([
        { deviceHash: 'd', inboxHash: 'i7', firstSeen: START + 7, lastSeen: START + 7, count: 1 },
      ]);
    });
  });

  describe('test keys', () => {
    it('read history, store no sighting, use no quota and are logged', async () => {
      const caller = await makeCaller(stores.store);
      const tester = { ...caller, key: await makeKey(stores.store, caller.project, { mode: 'test' }) };
      await seeDevice(stores.store, caller, { device: 'd', inbox: 'a', spelling: 'one', network: 'n1' });
      const visit = { device: 'd', inbox: 'b', network: 'n2' };
      const seen = await Promise.all([
        seeDevice(stores.store, tester, visit),
        seeDevice(stores.store, tester, visit),
        seeDevice(stores.store, caller, { device: 'd', inbox: 'c', network: 'n3' }),
        seeDevice(stores.store, tester, visit),
      ]);
      expect(seen.map((one) => one.previousSignups)).toEqual([1, 1, 1, 2]);
      expect(seen.map((one) => one.networks)).toEqual([2, 2, 2, 3]);
      expect((await history(tester, { inbox: 'a', spelling: 'two' }))?.inboxReused).toBe(true);
      expect((await history(caller, { inbox: 'a', spelling: 'one' }))?.inboxReused).toBe(false);
      expect(await stores.store.projects.usage(caller.project.id, '2026-11')).toBe(3);
      const page = await stores.store.log.page(caller.project.id, { mode: 'test' }, 10, null);
      expect(page.rows).toHaveLength(4);
    });

    it('are admitted when the live quota is used up, and get its numbers', async () => {
      const caller = await makeCaller(stores.store);
      const tester = { ...caller, key: await makeKey(stores.store, caller.project, { mode: 'test' }) };
      await stores.store.settle(submissionOf(caller));
      const settlement = admitted(await stores.store.settle(submissionOf(tester, {}, { quotaLimit: 1 })));
      expect(settlement.quota).toEqual({ limit: 1, used: 1 });
    });
  });
}
