import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { validationOf } from '../../../test/support/store-fixtures.ts';
import { judge } from '../../decision/judge.ts';
import { DEFAULT_POLICY } from '../../model/project.ts';
import { sqliteMigrations } from '../schemas.ts';
import type { Settlement, Submission } from '../submission.ts';
import { type Connection, explain, openConnection } from './connection.ts';
import { migrateSqlite } from './migrate-sqlite.ts';
import { settleBatch } from './settle-batch.ts';
import { syncCommits } from './worker.ts';
import { createWorkerHandler } from './worker-handler.ts';
import type { Call } from './worker-messages.ts';

const settling = (connection: Connection) => settleBatch(connection, judge);
const folder = mkdtempSync(join(tmpdir(), 'postern-answers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fill(connection: Connection): void {
  connection.exec(
    `INSERT INTO project (id, name, allowed_domains, plan, quota_limit, rate_client, rate_server, visitor_rate, server_reserve, policy, allow_list, block_list,
         retention_days, created_at, archived_at, version)
       VALUES ('p', 'P', '[]', 'free', NULL, 1, 1, 0, 0, '${JSON.stringify(DEFAULT_POLICY)}', '[]', '[]', 90, 1, NULL, 1)`,
  );
  connection.exec(
    `INSERT INTO api_key VALUES ('p', 'k', 'server', 'live', 'K', 'h', 'x', 1, NULL, NULL, NULL, 1, NULL)`,
  );
}

function openFilled(name: string): { file: string; connection: Connection } {
  const file = join(folder, name);
  const connection = openConnection(file, 'write');
  migrateSqlite(connection, sqliteMigrations);
  fill(connection);
  return { file, connection };
}

function submission(id: number): Submission {
  const log = { checksJson: JSON.stringify('x'.repeat(3_000)) };
  const visit = { now: 1_000_000, inbox: `inbox-${id}`, device: `device-${id}`, log };
  const caller = { projectId: 'p', keyId: 'k', projectVersion: 1, keyVersion: 1 };
  return { ...caller, ...limits, month: '2026-11', now: visit.now, validation: validationOf(visit) };
}

const limits = {
  keyType: 'server',
  mode: 'live',
  rateLimit: 1_000,
  visitors: [],
  countRate: true,
  quotaLimit: 1_000,
} as const;

/** Ten submissions in one message. */
function settleCall(id: number): Call {
  const submissions = Array.from({ length: 10 }, (_, index) => submission(id * 10 + index));
  return [id, 'settle', { count: submissions.length, batch: JSON.stringify(submissions) }];
}

it('refuses a whole batch when the disk is full, counts none of it, and continues when there is space', () => {
  const { file, connection } = openFilled('full.db');
  const [pages] = connection.prepare('PRAGMA page_count').raw(true).all() as [number][];
  connection.exec(`PRAGMA max_page_count = ${(pages?.[0] ?? 0) + 5}`);
  const answer = createWorkerHandler(connection, { access: 'write', settling, sync: () => {} });
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
  const settlements = admitted.flatMap(([, answer]) => answer as Settlement[]);
  expect(settlements.map(({ result }) => result)).toEqual(Array.from({ length: 20 }, () => 'admitted'));
  expect(connection.prepare('SELECT used FROM quota').raw(true).all()).toEqual([[20]]);
  connection.close();
});

const USED = { sql: 'SELECT used FROM quota', values: [] };
const toFailure = (error: unknown) => ({ unavailable: true, message: String(error) });

it('syncs what arrived together once, after it is committed, and nothing that only reads', () => {
  const { file, connection } = openFilled('synced.db');
  const other = openConnection(file, 'read');
  const seen: unknown[] = [];
  const answer = createWorkerHandler(connection, {
    ...{ access: 'write', settling },
    sync: () => void seen.push(other.prepare('SELECT used FROM quota').raw(true).all()),
  });
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
  const answer = createWorkerHandler(connection, {
    ...{ access: 'write', settling },
    sync() {
      if (isBroken) log.sync();
      syncs += 1;
    },
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
