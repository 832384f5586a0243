import { describe, expect, it } from 'vitest';
import type { Stores } from './store-contract.ts';
import {
  admitted,
  DAY,
  makeCaller,
  makeKey,
  outcomesOf,
  START,
  submissionOf,
  type Visit,
  validationOf,
} from './store-fixtures.ts';

export function insightContract(stores: Stores): void {
  describe('reading history without adding to it', () => {
    it('returns the same as settling, for few sightings and for many, within retention and beyond', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const settle = async (visit: Visit) =>
        admitted(await store.settle(submissionOf(caller, visit))).history;
      const recall = (visit: Visit) =>
        store.memory.recall(caller.project.id, { ...validationOf(visit), now: visit.now ?? START });

      const visits: Visit[] = [
        { inbox: 'a', spelling: 'a1', device: 'few', network: 'n1' },
        { inbox: 'a', spelling: 'a2', device: 'few', network: 'n2', now: START + 1 },
        { inbox: 'a', spelling: 'a2', device: 'few', network: 'n2', now: START + 2 },
        { inbox: 'b', spelling: 'b1', device: 'few', network: null, now: START + 3, commonNetworks: 2 },
        { inbox: 'c', spelling: 'c1', device: null, now: START + 4 },
        { inbox: 'a', spelling: 'a3', device: 'few', network: 'n3', now: START + 91 * DAY },
        ...Array.from({ length: 30 }, (_, index) => ({
          inbox: `many-${index}`,
          device: 'many',
          network: `n-${index}`,
          now: START + index,
        })),
        { inbox: 'many-3', device: 'many', network: 'n-3', now: START + 40 },
        { inbox: 'new', device: 'many', network: 'new', now: START + 41, commonNetworks: 1_000 },
      ];
      for (const visit of visits) {
        const foretold = await recall(visit);
        expect(await recall(visit)).toEqual(foretold);
        expect(foretold).toEqual(await settle(visit));
      }
    });
  });

  it('counts refusals that were not settled, in their hour', async () => {
    const { project } = await makeCaller(stores.store);
    await Promise.all(
      [stores.store, stores.other, stores.store].map((store) =>
        store.log.countRefusal(project.id, START + 5, 'quota-exceeded'),
      ),
    );
    expect(await stores.store.log.usage(project.id, START, START + DAY)).toEqual([
      { hour: START, kind: 'quota-exceeded', count: 3 },
    ]);
  });

  describe('a digest of the log', () => {
    it('adds up checks, signals, domains and durations of live keys in the time span', async () => {
      const { store } = stores;
      const caller = await makeCaller(store);
      const test = { ...caller, key: await makeKey(store, caller.project, { mode: 'test' }) };
      const log = (domain: string, latencyMs: number, rest: object = {}) => ({ domain, latencyMs, ...rest });
      const bad = {
        failed: ['disposable'],
        signals: ['disposable_email'],
        outcomes: outcomesOf('block', 'block', 'block', 'block'),
      };
      const visits: Visit[] = [
        { inbox: '1', now: START - 1, log: log('early.example', 1) },
        { inbox: '2', log: log('a.example', 10) },
        { inbox: '3', now: START + 1, log: log('a.example', 20, bad) },
        { inbox: '4', now: START + 2, log: log('b.example', 30.5) },
        { inbox: '5', now: START + 3, log: log('late.example', 1) },
      ];
      for (const visit of visits) await store.settle(submissionOf(caller, visit));
      await store.settle(submissionOf(test, { inbox: '6', log: log('test.example', 1) }));
      expect(await store.log.digest(caller.project.id, START, START + 3, 1_000)).toEqual({
        rows: 3,
        partial: false,
        checks: [{ name: 'disposable', count: 1 }],
        signals: [{ name: 'disposable_email', count: 1 }],
        domains: [
          { domain: 'a.example', count: 2, blocked: 1 },
          { domain: 'b.example', count: 1, blocked: 0 },
        ],
        latencyMs: { p50: 20, p95: 30.5, p99: 30.5 },
      });
      const empty = await store.log.digest(caller.project.id, START + DAY, START + 2 * DAY, 1_000);
      expect(empty).toMatchObject({ rows: 0, latencyMs: null, domains: [] });
    });
  });
}
