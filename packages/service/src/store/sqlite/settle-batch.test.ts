import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqliteMigrations } from '../schemas.ts';
import type { SettlementMessage, SubmissionMessage } from '../submission-message.ts';
import { type Connection, inTransaction, openConnection } from './connection.ts';
import { deviceForgetting } from './device-table.ts';
import { migrateSqlite } from './migrate-sqlite.ts';
import { settleBatch } from './settle-batch.ts';

const START = Date.UTC(2026, 10, 15, 12);
const DAY = 86_400_000;
const TABLES = ['api_key', 'device', 'inbox', 'quota', 'rate_bucket', 'validation_log'];

const folder = mkdtempSync(join(tmpdir(), 'postern-batch-'));
let together: Connection;
let apart: Connection;

beforeAll(() => {
  together = makeDatabase('together.db');
  apart = makeDatabase('apart.db');
});
afterAll(() => {
  together.close();
  apart.close();
  rmSync(folder, { recursive: true, force: true });
});

function makeDatabase(name: string): Connection {
  const connection = openConnection(join(folder, name), 'write');
  connection.exec('PRAGMA synchronous = OFF');
  migrateSqlite(connection, sqliteMigrations);
  return connection;
}

function empty(connection: Connection): void {
  for (const table of [...TABLES, 'project']) connection.exec(`DELETE FROM ${table}`);
  for (const project of ['p', 'q']) {
    connection.exec(
      `INSERT INTO project (id, name, allowed_domains, plan, quota_limit, rate_client, rate_server, visitor_rate, server_reserve, policy, allow_list, block_list,
         retention_days, created_at, archived_at, version)
       VALUES ('${project}', 'P', '[]', 'free', NULL, 1, 1, 0, 0, '{}', '[]', '[]', 90, 1, NULL, 1)`,
    );
    connection.exec(
      `INSERT INTO api_key VALUES ('${project}', 'k', 'server', 'live', 'K', 'h', 'x', 1, NULL, NULL, NULL, 1)`,
    );
  }
}

function contents(connection: Connection): unknown {
  const rowsOf = (table: string) => connection.prepare(`SELECT * FROM ${table}`).all();
  return TABLES.map((table) => [
    table,
    rowsOf(table)
      .map((row) => JSON.stringify(row))
      .sort(),
  ]);
}

interface Visit {
  readonly project?: 'p' | 'q';
  readonly device?: number | null;
  readonly inbox?: number;
  readonly spelling?: number;
  readonly network?: number | null;
  readonly at?: number;
  readonly retentionMs?: number;
  readonly live?: boolean;
  readonly rateLimit?: number;
  readonly visitor?: number | undefined;
  readonly quotaLimit?: number;
}

let lastLogId = 0;
function submissionOf(visit: Visit): SubmissionMessage {
  const live = visit.live ?? true;
  lastLogId += 1;
  const now = START + (visit.at ?? 0);
  return {
    project: visit.project ?? 'p',
    key: 'k',
    projectVersion: 1,
    keyVersion: 1,
    lane: live ? 'server' : 'server-test',
    live: live ? 1 : 0,
    now,
    rateLimit: visit.rateLimit ?? 1_000,
    visitors:
      visit.visitor === undefined
        ? []
        : [
            [`visitor:${visit.visitor}`, 3],
            ['visitor:all', 6],
          ],
    claim: null,
    countRate: 1,
    quotaLimit: visit.quotaLimit ?? 1_000,
    month: '2026-11',
    validation: {
      inbox: `inbox-${visit.inbox ?? 0}`,
      spelling: `spelling-"${visit.spelling ?? 0}"`,
      isClaim: 0,
      claimNetwork: null,
      confirmedOnly: 0,
      mistyped: 0,
      device: visit.device === null ? null : `device-${visit.device ?? 0}`,
      network: visit.network === null ? null : `network-${visit.network ?? 0}`,
      threshold: 3,
      commonNetworks: 10,
      flagClaims: 0,
      retentionMs: visit.retentionMs ?? 10 * DAY,
      recommendations: '01010101121212120101010112121212',
      effects: ['check:alias ', 'signal:device_reuse ', '', 'check:device '],
      rules: [''],
      lists: [''],
      log: [String(lastLogId).padStart(9, '0'), now, 'request', 'example.com', null, null, null, null],
      words: ' ',
      details: '{}',
    },
  };
}

type Settler = ReturnType<typeof settleBatch>;
const settle = (connection: Connection, settler: Settler, batch: readonly SubmissionMessage[]) =>
  inTransaction(connection, () => settler.settleAll(batch, 1));

/** Settles the batches, and the same requests one by one without caches. Both must give the same result. */
function expectSame(batches: readonly (readonly Visit[])[], between = (_: Connection, __: Settler) => {}) {
  empty(together);
  empty(apart);
  const settler = settleBatch(together);
  const forgetful = settleBatch(apart);
  const answers: SettlementMessage[] = [];
  for (const batch of batches) {
    const submissions = batch.map(submissionOf);
    const found = settle(together, settler, submissions);
    const expected = submissions.flatMap((one) => {
      forgetful.clearCaches();
      return settle(apart, forgetful, [one]);
    });
    expect(found).toEqual(expected);
    answers.push(...found);
    between(together, settler);
    between(apart, settler);
  }
  expect(contents(together)).toEqual(contents(apart));
  return answers;
}

const times = (count: number, visit: (index: number) => Visit) =>
  Array.from({ length: count }, (_, index) => visit(index));
const signups = (answers: readonly SettlementMessage[]) => answers.map((answer) => answer?.[5]?.[1]);

describe('a batch gives the same result as its requests one by one', () => {
  it('when a device brings more inboxes than are remembered', () => {
    const answers = expectSame([
      times(150, (index) => ({ inbox: index, at: index })),
      times(55, (index) => ({ inbox: 150 + index, at: 150 + index })),
    ]);
    expect(signups(answers)).toEqual([...times(200, () => ({})).keys(), 200, 200, 200, 200, 200]);
  });

  it('when a device comes from more networks than are remembered', () => {
    expectSame([
      times(150, (index) => ({ network: index })),
      times(150, (index) => ({ network: 75 + index })),
    ]);
  });

  it('when a test key’s request is between two live ones of a device', () => {
    const answers = expectSame([
      [
        { inbox: 1 },
        { inbox: 2, spelling: 7, live: false },
        { inbox: 2 },
        { inbox: 1, spelling: 7, live: false },
      ],
    ]);
    expect(signups(answers)).toEqual([0, 1, 1, 2]);
  });

  it('when a test key looks past the retention time before a live one comes from within it', () => {
    const answers = expectSame([
      [{ inbox: 1 }, { inbox: 2, live: false, at: 20 * DAY }, { inbox: 3, at: 1 }],
    ]);
    expect(signups(answers)).toEqual([0, 0, 1]);
  });

  it.each([3, 30])('when the oldest of %i sightings expires within the batch', (inboxes) => {
    const visits = times(inboxes, (index) => ({ inbox: index, network: index, at: index * 60_000 }));
    const later = [10 * DAY, 10 * DAY + 1, 10 * DAY + 60_001, 30 * DAY];
    expectSame([visits, later.map((at) => ({ inbox: 99, network: null, at }))]);
    expectSame([[...visits, ...later.map((at) => ({ inbox: 99, network: null, at }))]]);
  });

  it('when it contains two projects with the same devices and inboxes', () => {
    const answers = expectSame([
      times(12, (index) => ({ project: index % 2 ? 'p' : 'q', inbox: index, device: index % 3 })),
    ]);
    expect(signups(answers)).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
  });

  it('when it is larger than any statement', () => {
    const visits = (at: number) => times(201, (index) => ({ device: index, inbox: index, at: at + index }));
    expectSame([visits(0), visits(1_000)]);
  });

  it('when limits are reached within the batch', () => {
    const answers = expectSame([times(9, (index) => ({ inbox: index, rateLimit: 7, quotaLimit: 5 }))]);
    expect(answers.map((answer) => answer?.[0])).toEqual([
      ...Array.from({ length: 5 }, () => 'admitted'),
      ...Array.from({ length: 2 }, () => 'quota-exceeded'),
      ...Array.from({ length: 2 }, () => 'rate-limited'),
    ]);
  });

  it('for any requests in any batches', () => {
    const visit = fc.record({
      project: fc.constantFrom('p' as const, 'q' as const),
      device: fc.option(fc.nat(3)),
      inbox: fc.oneof(fc.nat(3), fc.nat(40)),
      spelling: fc.nat(2),
      network: fc.option(fc.oneof(fc.nat(2), fc.nat(40))),
      at: fc.oneof(fc.nat(5_000), fc.nat(40 * DAY)),
      retentionMs: fc.constantFrom(DAY, 10 * DAY),
      live: fc.boolean(),
      rateLimit: fc.constantFrom(20, 1_000),
      visitor: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
      quotaLimit: fc.constantFrom(30, 1_000),
    });
    const batches = fc.array(fc.array(visit, { minLength: 1, maxLength: 60 }), { maxLength: 4 });
    fc.assert(
      fc.property(batches, (some) => {
        expectSame(some);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the cache between batches', () => {
  it('is dropped when this connection changes the tables in another way', () => {
    const visits = times(30, (index) => ({ inbox: index, network: index, at: index * 60_000 }));
    expectSame([visits, [{ inbox: 99, at: 10 * DAY }]], (connection, settler) => {
      deviceForgetting(connection)('p', 'device-0', START + 10 * 60_000);
      connection.exec("UPDATE quota SET used = used - 1 WHERE project_id = 'p'");
      settler.clearCaches();
    });
  });

  it('is dropped when another connection wrote', () => {
    empty(together);
    const settler = settleBatch(together);
    const at = (dataVersion: number) =>
      inTransaction(together, () => settler.settleAll([submissionOf({})], dataVersion));
    expect(at(1)[0]).toMatchObject({ 4: 1, 5: { 1: 0 } });
    together.exec('DELETE FROM device');
    together.exec('UPDATE quota SET used = 7');
    together.exec('UPDATE rate_bucket SET count = 5, counted = 5');
    expect(at(2)[0]).toMatchObject({ 1: 6, 4: 8, 5: { 1: 0 } });
    together.exec('UPDATE api_key SET version = 2');
    expect(at(3)).toEqual([null]);
  });

  it('contains nothing of a failed batch', () => {
    empty(together);
    const settler = settleBatch(together);
    const batch = times(3, (index) => ({ inbox: index })).map(submissionOf);
    const failing = () =>
      inTransaction(together, () => {
        settler.settleAll(batch, 1);
        throw new Error('the disk is full');
      });
    expect(failing).toThrow('the disk is full');
    settler.clearCaches();
    expect(signups(settle(together, settler, batch))).toEqual([0, 1, 2]);
    expect(together.prepare('SELECT used FROM quota').raw(true).all()).toEqual([[3]]);
  });
});
