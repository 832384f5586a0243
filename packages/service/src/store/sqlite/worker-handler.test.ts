import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sqliteMigrations } from '../schemas.ts';
import type { SettlementMessage, SubmissionMessage } from '../submission-message.ts';
import { type Connection, explain, openConnection } from './connection.ts';
import { syncCommits } from './log-sync.ts';
import { migrateSqlite } from './migrate-sqlite.ts';
import { createWorkerHandler } from './worker-handler.ts';
import { type Call, packSubmissions } from './worker-messages.ts';

const folder = mkdtempSync(join(tmpdir(), 'postern-answers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fill(connection: Connection): void {
  connection.exec(
    `INSERT INTO project (id, name, allowed_domains, plan, quota_limit, rate_client, rate_server, visitor_rate, server_reserve, policy, allow_list, block_list,
         retention_days, created_at, archived_at, version)
       VALUES ('p', 'P', '[]', 'free', NULL, 1, 1, 0, 0, '{}', '[]', '[]', 90, 1, NULL, 1)`,
  );
  connection.exec(
    `INSERT INTO api_key VALUES ('p', 'k', 'server', 'live', 'K', 'h', 'x', 1, NULL, NULL, NULL, 1)`,
  );
}

function openFilled(name: string): { file: string; connection: Connection } {
  const file = join(folder, name);
  const connection = openConnection(file, 'write');
  migrateSqlite(connection, sqliteMigrations);
  fill(connection);
  return { file, connection };
}

function submissionOf(id: number): SubmissionMessage {
  return {
    project: 'p',
    key: 'k',
    projectVersion: 1,
    keyVersion: 1,
    lane: 'server',
    live: 1,
    now: 1_000_000,
    rateLimit: 1_000,
    visitors: [],
    claim: null,
    countRate: 1,
    quotaLimit: 1_000,
    month: '2026-11',
    validation: {
      inbox: `inbox-${id}`,
      spelling: `inbox-${id}`,
      isClaim: 0,
      claimNetwork: null,
      confirmedOnly: 0,
      mistyped: 0,
      device: `device-${id}`,
      network: null,
      threshold: 3,
      commonNetworks: 10,
      flagClaims: 0,
      retentionMs: 1_000,
      recommendations: '0'.repeat(32),
      effects: [],
      rules: [''],
      lists: [''],
      log: [`log-${id}`, 0, 'request', 'example.com', null, null, null, null],
      words: ' ',
      details: JSON.stringify('x'.repeat(3_000)),
    },
  };
}

/** Ten submissions in one message. */
function settleCall(id: number): Call {
  const submissions = Array.from({ length: 10 }, (_, index) => submissionOf(id * 10 + index));
  return [id, 'settle', packSubmissions(submissions, new Int32Array(submissions.length))];
}

it('refuses a whole batch when the disk is full, counts none of it, and continues when there is space', () => {
  const { file, connection } = openFilled('full.db');
  const [pages] = connection.prepare('PRAGMA page_count').raw(true).all() as [number][];
  connection.exec(`PRAGMA max_page_count = ${(pages?.[0] ?? 0) + 5}`);
  const answer = createWorkerHandler(connection, 'write', () => {});
  const withExplainedErrors = (error: unknown) => {
    const reason = explain(file, error);
    return { unavailable: true, message: String(reason) };
  };
  const batch = [settleCall(1), settleCall(2)];

  const refused = answer(batch, withExplainedErrors);
  expect(refused).toHaveLength(2);
  for (const [, , failure] of refused) expect(failure?.message).toContain('the disk is full');
  expect(connection.prepare('SELECT * FROM quota').all()).toEqual([]);

  connection.exec('PRAGMA max_page_count = 100000');
  const admitted = answer(batch, withExplainedErrors);
  const settlements = admitted.flatMap(([, answer]) => answer as SettlementMessage[]);
  expect(settlements.map((settlement) => settlement?.[0])).toEqual(
    Array.from({ length: 20 }, () => 'admitted'),
  );
  expect(connection.prepare('SELECT used FROM quota').raw(true).all()).toEqual([[20]]);
  connection.close();
});

const USED = { sql: 'SELECT used FROM quota', values: [] };
const toFailure = (error: unknown) => ({ unavailable: true, message: String(error) });

it('syncs what arrived together once, after it is committed, and nothing that only reads', () => {
  const { file, connection } = openFilled('synced.db');
  const other = openConnection(file, 'read');
  const seen: unknown[] = [];
  const answer = createWorkerHandler(connection, 'write', () =>
    seen.push(other.prepare('SELECT used FROM quota').raw(true).all()),
  );
  const write: Call = [3, 'write', [{ sql: 'UPDATE quota SET used = used + 1', values: [] }]];

  answer([settleCall(1)], toFailure);
  expect(seen).toEqual([[[10]]]);
  answer([[2, 'run', USED]], toFailure);
  expect(seen).toHaveLength(1);
  answer([write, settleCall(4), settleCall(5)], toFailure);
  expect(seen).toEqual([[[10]], [[31]]]);
  other.close();
  connection.close();
});

it('refuses everything that arrived with a commit that the disk did not take, and syncs it with the next call', () => {
  const { file, connection } = openFilled('broken.db');
  const log = syncCommits(connection, file);
  let isBroken = true;
  let syncs = 0;
  // A real failure: the log is not open any more.
  log.close();
  const answer = createWorkerHandler(connection, 'write', () => {
    if (isBroken) log.sync();
    syncs += 1;
  });
  const refused = answer([[1, 'run', USED], settleCall(2)], toFailure);
  expect(refused.map(([id, answer]) => [id, answer])).toEqual([
    [1, null],
    [2, null],
  ]);
  for (const [, , failure] of refused) expect(failure?.message).toContain('the disk reports errors');

  isBroken = false;
  expect(answer([[3, 'run', USED]], toFailure)).toEqual([[3, [{ used: 10 }]]]);
  expect(syncs).toBe(1);
  connection.close();
});
