import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REQUEST_WORDS } from '../../src/store/statistics/counts.ts';
import type { Store } from '../../src/store/store.ts';
import type { LogFilter } from '../../src/store/tables/log-filter.ts';
import type { Stores } from './store-contract.ts';
import {
  DAY,
  HOUR,
  makeCaller,
  SECOND,
  START,
  submissionOf,
  type TestDatabase,
  updateProject,
  type Visit,
} from './store-fixtures.ts';

export function logContract(stores: Stores): void {
  const logged = async (
    visits: readonly Visit[],
    store: Store = stores.store,
    traits: Parameters<typeof makeCaller>[1] = {},
  ) => {
    const caller = await makeCaller(store, traits);
    for (const visit of visits) await store.settle(submissionOf(caller, visit));
    const ids = async (filter: LogFilter) => {
      const { rows } = await store.log.page(caller.project.id, filter, 100, null);
      return rows.map((row) => row.requestId);
    };
    return { caller, ids };
  };
  const named = (requestId: string, visit: Visit = {}): Visit => ({
    ...visit,
    log: { ...visit.log, requestId },
  });

  describe('the log', () => {
    it('returns everything that was stored, with the additions from history', async () => {
      const visit = { device: 'd', network: 'n' };
      const { caller } = await logged(
        [
          named('first', { ...visit, inbox: 'a' }),
          named('second', {
            ...visit,
            inbox: 'b',
            now: START + 7,
            signals: ['relay_email'],
            failed: ['roleEmail'],
            log: {
              shape: 'a.a99',
              sdkVersion: 'js/1',
              checksJson: '{"mx":["quotes \\" and ünïcode ’",0.2]}',
            },
          }),
        ],
        stores.store,
        { policy: { deviceThreshold: 1 } },
      );
      const { rows } = await stores.store.log.page(caller.project.id, {}, 10, null);
      const [row] = rows;
      expect(row).toMatchObject({
        projectId: caller.project.id,
        at: START + 7,
        requestId: 'second',
        keyId: caller.key.id,
        keyType: 'server',
        mode: 'live',
        maskedAddress: 'j***@example.com',
        domain: 'example.com',
        maskedIp: '192.0.2.0',
        shape: 'a.a99',
        sdkVersion: 'js/1',
        inboxHash: 'b',
        deviceHash: 'd',
        recommendation: 'flag',
        failed: ['roleEmail', 'device'],
        signals: ['relay_email', 'device_reuse'],
        checksJson: '{"mx":["quotes \\" and ünïcode ’",0.2]}',
        latencyMs: 1.25,
        history: {
          inboxReused: false,
          device: {
            previousSignups: 1,
            otherAddresses: 1,
            people: 1,
            blockedAttempts: 0,
            networks: 1,
            overThreshold: true,
            common: false,
            firstSeen: START,
            lastSeen: START,
          },
        },
      });
      expect(await stores.other.log.find(caller.project.id, row?.id ?? '')).toEqual(row);
      expect(await stores.store.log.find('another-project', row?.id ?? '')).toBeUndefined();
    });

    it('returns every row once, newest first, in pages', async () => {
      const visits = Array.from({ length: 25 }, (_, index) =>
        named(`r${index}`, { now: START + Math.floor(index / 5) * SECOND }),
      );
      const { caller } = await logged(visits);
      const seen: string[] = [];
      let cursor: string | null = null;
      let pages = 0;
      do {
        const page = await stores.store.log.page(caller.project.id, {}, 5, cursor);
        seen.push(...page.rows.map((row) => row.requestId));
        cursor = page.next;
        pages += 1;
      } while (cursor !== null);
      expect(pages).toBe(5);
      expect(seen).toEqual(visits.map((_, index) => `r${24 - index}`));
    });

    it('can be filtered by each field', async () => {
      const { ids } = await logged([
        named('plain', { inbox: 'a' }),
        named('domain', { inbox: 'b', now: START + 1, log: { domain: 'xxample_com' } }),
        named('disposable', {
          inbox: 'c',
          now: START + 2,
          answer: 'block',
          signals: ['disposable_email'],
        }),
        named('device', { inbox: 'd', device: 'Dev', now: START + 3 }),
        named('reuse', { inbox: 'e', device: 'Dev', now: START + 4 }),
        named('third', { inbox: 'f', device: 'Dev', now: START + 5 }),
        named('over', { inbox: 'g', device: 'Dev', now: START + 6 }),
        named('spelling', { inbox: 'a', spelling: 'other', now: START + HOUR }),
      ]);
      expect(await ids({ domain: 'xxample_com' })).toEqual(['domain']);
      expect(await ids({ domain: 'example_com' })).toEqual([]);
      expect(await ids({ recommendation: 'block' })).toEqual(['disposable']);
      expect(await ids({ check: 'disposable' })).toEqual(['disposable']);
      expect(await ids({ check: 'device' })).toEqual(['over']);
      expect(await ids({ check: 'alias' })).toEqual(['spelling']);
      expect(await ids({ signal: 'disposable_email' })).toEqual(['disposable']);
      expect(await ids({ signal: 'device_reuse' })).toEqual(['over', 'third', 'reuse']);
      expect(await ids({ signal: 'device_seen_2_times' })).toEqual(['third']);
      expect(await ids({ signal: 'device_seen_<N>_times' })).toEqual(['over', 'third']);
      expect(await ids({ signal: 'alias_reuse' })).toEqual(['spelling']);
      expect(await ids({ deviceHash: 'Dev', recommendation: 'flag' })).toEqual(['over']);
      expect(await ids({ deviceHash: 'dev' })).toEqual([]);
      expect(await ids({ inboxHash: 'a' })).toEqual(['spelling', 'plain']);
      expect(await ids({ from: START + 3, to: START + 5 })).toEqual(['reuse', 'device']);
      expect(await ids({ mode: 'test' })).toEqual([]);
    });

    it('is filtered by several and unwanted values', async () => {
      const from = (country: string, asn: number) => ({
        country,
        asn,
      });
      const { ids } = await logged([
        named('one', {
          log: { domain: 'mail.example', maskedIp: '192.0.2.0/24', ...from('NZ', 64500) },
        }),
        named('two', {
          now: START + 1,
          log: { domain: 'post.example', maskedIp: '198.51.100.0/24', ...from('DE', 6450) },
        }),
        named('three', {
          now: START + 2,
          signals: ['role_email'],
          log: { domain: 'mail.test', maskedIp: null },
        }),
      ]);
      const cases: [LogFilter, string[]][] = [
        [{ domainPart: 'mail' }, ['three', 'one']],
        [{ domainPart: ['post', '.test'] }, ['three', 'two']],
        [{ not: { domainPart: ['mail'] } }, ['two']],
        [{ domainPart: 'mail', not: { domainPart: 'test' } }, ['one']],
        [{ domainPart: '_' }, []],
        [{ domain: ['mail.test', 'post.example'] }, ['three', 'two']],
        [{ not: { domain: ['mail.test', 'post.example'] } }, ['one']],
        [{ network: ['192.0.2.0/24', '198.51.100.0/24'] }, ['two', 'one']],
        [{ not: { network: '192.0.2.0/24' } }, ['three', 'two']],
        [{ country: ['NZ', 'DE'] }, ['two', 'one']],
        [{ not: { country: ['NZ'] } }, ['three', 'two']],
        [{ asn: 6450 }, ['two']],
        [{ asn: [6450, 64500] }, ['two', 'one']],
        [{ not: { asn: [6450, 1] } }, ['three', 'one']],
        [{ signal: 'role_email', not: { signal: 'domain_typo' } }, ['three']],
        [{ recommendation: ['allow', 'block'], not: { recommendation: 'flag' } }, ['three', 'two', 'one']],
      ];
      for (const [filter, wanted] of cases) expect(await ids(filter), JSON.stringify(filter)).toEqual(wanted);
    });

    it('adds no device or alias failure if those checks did not run', async () => {
      const found = [{ check: 'syntax', finding: { result: 'passed' } }] as const;
      const record = { actions: { syntax: 'block' as const }, found };
      const { ids } = await logged(
        [
          named('one', { device: 'd', inbox: 'a', record }),
          named('two', { device: 'd', inbox: 'b', record }),
          named('three', { device: 'd', inbox: 'b', spelling: 'other', record }),
        ],
        stores.store,
        { policy: { deviceThreshold: 1 } },
      );
      expect(await ids({ check: 'device' })).toEqual([]);
      expect(await ids({ check: 'alias' })).toEqual([]);
      expect(await ids({ signal: 'device_reuse' })).toEqual([]);
    });

    it('has the rules and lists that matched under the request’s history, and counts them', async () => {
      const rule = (id: string, when: string, mode: 'live' | 'shadow' = 'live') =>
        ({ id, name: id, when, then: 'flag', mode }) as const;
      const rules = [
        rule('again', 'inbox.reused'),
        rule('both', 'email.domain == "shop.example"'),
        rule('try', 'email.domain == "shop.example" && !inbox.reused', 'shadow'),
      ];
      const log = { domain: 'shop.example' };
      const record = { listing: { action: 'block', kind: 'domain' } as const };
      const { caller, ids } = await logged(
        [
          named('first', { inbox: 'a', spelling: 'one', log, record }),
          named('second', { inbox: 'a', spelling: 'two', now: START + 1, log, record }),
          named('none', { inbox: 'b', now: START + 2 }),
        ],
        stores.store,
        { project: { rules } },
      );
      const { rows } = await stores.store.log.page(caller.project.id, {}, 10, null);
      const shown = rows.map(({ rules: live, shadowRules, lists }) => [live, shadowRules, lists]);
      expect(shown).toEqual([
        [[], [], []],
        [['again', 'both'], [], ['block:domain']],
        [['both'], ['try'], ['block:domain']],
      ]);
      for (const [filter, wanted] of [
        [{ rule: 'both' }, ['second', 'first']],
        [{ rule: ['again', 'try'] }, ['second', 'first']],
        [{ rule: 'try' }, ['first']],
        [{ not: { rule: 'again' } }, ['none', 'first']],
        [{ list: 'block:domain', not: { rule: 'try' } }, ['second']],
      ] as const)
        expect(await ids(filter), JSON.stringify(filter)).toEqual(wanted);
      const counts = new Map<string, number>();
      for await (const slots of stores.store.statistics.read(caller.project.id, START, START + HOUR))
        for (const slot of slots) for (const [word, count] of slot.counts) counts.set(word, count);
      expect([counts.get('rule:both'), counts.get('rule:again'), counts.get('shadow:try')]).toEqual([
        2, 1, 1,
      ]);
      expect(counts.get('list:block:domain')).toBe(2);
    });

    it('is counted by the half hour, with refusals and without test keys', async () => {
      const caller = await makeCaller(stores.store);
      const settle = (visit: Visit, traits = {}) => stores.store.settle(submissionOf(caller, visit, traits));
      await settle({ inbox: 'a', spelling: 'one' });
      await settle({ inbox: 'a', spelling: 'two', now: START + HOUR - 1 });
      await settle({ inbox: 'a', spelling: 'one', now: START + HOUR });
      await settle({ now: START + HOUR }, { quotaLimit: 0 });
      await settle({ now: START + HOUR }, { rateLimit: 0 });
      const counts: [number, string, number][] = [];
      for await (const slots of stores.store.statistics.read(caller.project.id, START, START + 2 * HOUR))
        for (const slot of slots)
          for (const [word, count] of slot.counts)
            if (REQUEST_WORDS.has(word)) counts.push([slot.at, word, count]);
      expect(counts.sort()).toEqual([
        [START, 'allow', 1],
        [START + HOUR / 2, 'flag', 1],
        [START + HOUR, 'flag', 1],
        [START + HOUR, 'quota-exceeded', 1],
        [START + HOUR, 'rate-limited', 1],
      ]);
    });
  });

  describe('the sweep', () => {
    const limits = {
      maxRows: 100,
      logRetentionMs: 30 * DAY,
      outcomeRetentionMs: 180 * 86_400_000,
      logMaxRows: 1_000_000,
    };
    let database: TestDatabase;
    let store: Store;
    beforeAll(async () => {
      database = await stores.fresh();
      store = await database.open();
    });
    afterAll(async () => {
      await store?.close();
      await database?.remove();
    });
    const sweepAll = async (now: number, changed = {}) => {
      let removed = 0;
      for (let round = 0; round < 1_000; round += 1) {
        const count = await store.sweep(now, { ...limits, ...changed });
        if (count === 0) return removed;
        removed += count;
      }
      throw new Error('The sweep does not end');
    };

    it('keeps the newest rows of the log, up to the operator’s limit, in small steps', async () => {
      const { caller } = await logged(
        Array.from({ length: 20 }, (_, index) => named(`r${index}`, { now: START + index })),
        store,
      );
      expect(await store.sweep(START, { ...limits, logMaxRows: 5, maxRows: 2 })).toBe(2);
      await sweepAll(START, { logMaxRows: 5 });
      const { rows } = await store.log.page(caller.project.id, {}, 100, null);
      expect(rows.map((row) => row.requestId)).toEqual(['r19', 'r18', 'r17', 'r16', 'r15']);
      expect(await store.sweep(START, { ...limits, logMaxRows: 5 })).toBe(0);
    });

    it('removes expired data and keeps the rest exact', async () => {
      const { caller, ids } = await logged(
        [
          named('old', { device: 'd', inbox: 'a', network: 'n1', now: START - 100 * DAY }),
          named('newer', { device: 'd', inbox: 'b', network: 'n2', now: START - 50 * DAY }),
          named('new', { device: 'd', inbox: 'c', network: 'n2', now: START - DAY }),
          named('gone', { device: 'e', inbox: 'a', network: 'n2', now: START - 99 * DAY }),
        ],
        store,
      );
      const { id } = caller.project;
      expect(await sweepAll(START)).toBeGreaterThan(0);
      expect(await ids({})).toEqual(['new']);
      const left = await store.memory.sightingsOfDevice(id, 'd', 10);
      expect(left.map((row) => row.inboxHash)).toEqual(['c', 'b']);
      expect(await store.memory.sightingsOfDevice(id, 'e', 10)).toEqual([]);
      const after = submissionOf(caller, { device: 'd', inbox: 'z', network: 'n9' });
      expect(await store.settle(after)).toMatchObject({
        validated: { history: { device: { previousSignups: 2, networks: 2, firstSeen: START - 50 * DAY } } },
        quota: { used: 2 },
      });
    });

    it('keeps a project’s log as long as the project says, and no longer than the installation allows', async () => {
      const days = [1, 6, 8, 29, 31];
      const visits = days.map((age) => named(`${age}`, { inbox: `i${age}`, now: START - age * DAY }));
      const retentions = [7, null, 400, 1];
      const projects = await Promise.all(
        retentions.map(async (logRetentionDays) => {
          const { caller, ids } = await logged(visits, store);
          await updateProject(store, caller.project.id, { logRetentionDays });
          return { id: caller.project.id, ids };
        }),
      );
      await sweepAll(START);
      const left = await Promise.all(projects.map(({ ids }) => ids({})));
      expect(left).toEqual([['1', '6'], ['1', '6', '8', '29'], ['1', '6', '8', '29'], ['1']]);
      // People of deleted rows can still get an outcome: that has its own retention, which is not the project’s.
      const { id } = projects[0] as { id: string };
      expect(await store.outcomes.pastPeople(id, ['i8'])).toHaveLength(1);
      await sweepAll(START + 173 * DAY);
      expect(await store.outcomes.pastPeople(id, ['i8'])).toEqual([]);
    });

    it('forgets the old sightings of a device that was seen again', async () => {
      const caller = await makeCaller(store);
      const visits = Array.from({ length: 40 }, (_, index) => ({
        device: 'd',
        inbox: `i${index}`,
        network: `n${index}`,
        now: START - 100 * DAY + (index * DAY) / 2,
      }));
      await Promise.all(visits.map((visit) => store.settle(submissionOf(caller, visit))));
      const { id } = caller.project;
      await sweepAll(START - 100 * DAY + 90 * DAY + 10 * DAY);
      expect(await store.memory.sightingsOfDevice(id, 'd', 100)).toHaveLength(20);
      const probe = { device: 'd', inbox: 'probe', now: START - 80 * DAY };
      expect(await store.settle(submissionOf(caller, probe))).toMatchObject({
        validated: { history: { device: { previousSignups: 20, networks: 20 } } },
      });
    });

    it('keeps the sliding hour exact', async () => {
      const caller = await makeCaller(store);
      const ask = (now: number) => store.settle(submissionOf(caller, { now }, { rateLimit: 3 }));
      await ask(START);
      await ask(START + HOUR / 2);
      await sweepAll(START + HOUR);
      expect(await ask(START + HOUR)).toMatchObject({ rate: { remaining: 1 } });
      await sweepAll(START + 3 * HOUR);
      expect(await ask(START + 3 * HOUR)).toMatchObject({ rate: { remaining: 2 } });
    });
  });
}
