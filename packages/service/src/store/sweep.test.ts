import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS } from '@postern/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copyLog } from '../../test/support/copied-log.ts';
import type { Database, Row, Statement } from './database.ts';
import { sqliteMigrations } from './schemas.ts';
import { type Connection, openConnection } from './sqlite/connection.ts';
import { migrateSqlite } from './sqlite/migrate-sqlite.ts';
import { sweeping } from './sweep.ts';
import { timePrefix, timePrefixSql } from './timed-id.ts';

const NOW = 1_800_000_000_000;
const OLD = NOW - 500 * DAY_MS;
const ROWS = 30;
const LIMITS = {
  maxRows: 10,
  logRetentionMs: 30 * DAY_MS,
  outcomeRetentionMs: 180 * 86_400_000,
  logMaxRows: 1_000,
};

let folder: string;
let connection: Connection;
let statements: Statement[];
let database: Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postern-sweep-'));
  connection = openConnection(join(folder, 'postern.db'), 'write');
  migrateSqlite(connection, sqliteMigrations);
  statements = [];
  const run = (one: Statement) => {
    statements.push(one);
    return connection.prepare(one.sql).all([...one.values]) as Row[];
  };
  database = {
    read: async (one) => run(one),
    browse: async (one) => run(one),
    write: async (some) => some.map(run),
  };
});

afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Rows of every kind, all of them expired. Test rows differ by number only. */
function fill(): void {
  connection.exec('BEGIN');
  connection.exec(`INSERT INTO project (id, name, allowed_domains, plan, rate_client, rate_server, visitor_rate,
      server_reserve, policy, allow_list, block_list, retention_days, created_at, version)
    VALUES ('p', 'P', '[]', 'free', 1, 1, 0, 0, '{}', '[]', '[]', 90, 1, 1)`);
  for (let number = 0; number < ROWS; number += 1) {
    const id = `${timePrefix(OLD)}${number}`;
    for (const sql of [
      `INSERT INTO validation_log (project_id, id, at, request_id, mode, key_id, recommendation, inbox, domain, rules, lists,
         words, history, checks, details) VALUES ('p', '${id}', ${OLD}, 'r', 'live', 'k', 'allow', '${id}', 'd', '', '', '', '{}', '{}', '{}')`,
      `INSERT INTO inbox VALUES ('p', '${id}', 's', ${OLD}, NULL, NULL, NULL, NULL, ${OLD}, '[]', NULL, '[]', ${Math.floor(OLD / DAY_MS)})`,
      `INSERT INTO crowd VALUES ('p', 'd${id}', ${OLD}, 0, '[[${Math.floor(OLD / 60_000)},"i","","","",0,0,0]]', ${Math.floor(OLD / DAY_MS)})`,
      `INSERT INTO rate_bucket VALUES ('p', 'visitor:${id}', 1, 1, ${OLD}, 1)`,
      `INSERT INTO idempotent_answer VALUES ('p', '${id}', 'h', 'l', ${OLD}, NULL)`,
      `INSERT INTO statistics VALUES ('p', ${OLD + number}, '{}')`,
      `INSERT INTO outcome (project_id, inbox, seen_at) VALUES ('p', '${id}', ${OLD})`,
      `INSERT INTO event VALUES ('p', '${id}', '${id}', 'test.ping', ${OLD}, NULL, '{}')`,
      `INSERT INTO delivery (project_id, id, webhook_id, event_id, type, state, attempts, next_at)
         VALUES ('p', '${id}', 'w', 'e', 'test.ping', 'sent', 1, 0)`,
      `INSERT INTO review_pass VALUES ('p', '${id}', 'm', ${OLD})`,
    ])
      connection.exec(sql);
  }
  connection.exec('COMMIT');
}

const SWEPT = [
  'validation_log',
  'inbox',
  'rate_bucket',
  'idempotent_answer',
  'statistics',
  'outcome',
  'event',
  'delivery',
  'review_pass',
  'person',
  'person_request',
];
const countOf = (table: string) =>
  (connection.prepare(`SELECT count(*) AS rows FROM ${table}`).all() as { rows: number }[])[0]?.rows ?? 0;
const countAll = () => SWEPT.map(countOf);

it('deletes a bounded number of rows in each step, until nothing is left', async () => {
  fill();
  const sweep = sweeping(database, async () => 0);
  for (let before = countAll(); ; ) {
    const removed = await sweep(NOW, LIMITS);
    if (removed === 0) break;
    const after = countAll();
    for (const [index, count] of after.entries())
      expect((before[index] ?? 0) - count, SWEPT[index]).toBeLessThanOrEqual(LIMITS.maxRows);
    before = after;
  }
  expect(countAll()).toEqual(SWEPT.map(() => 0));
});

it('forgets nobody any more once the retention was made longer, and stops when the project is gone', async () => {
  fill();
  const sweep = sweeping(database, async () => 0);
  await sweep(NOW, LIMITS);
  const left = countOf('inbox');
  expect(left).toBeGreaterThan(0);
  connection.exec('UPDATE project SET retention_days = 600');
  while ((await sweep(NOW, LIMITS)) > 0);
  expect(countOf('inbox')).toBe(left);

  connection.exec('UPDATE project SET retention_days = 90');
  await sweep(NOW, LIMITS);
  connection.exec('DELETE FROM project');
  expect(await sweep(NOW, LIMITS)).toBe(0);
});

it('counts a log again only after it grew', async () => {
  fill();
  const limits = { ...LIMITS, logRetentionMs: 1_000 * DAY_MS, logMaxRows: ROWS };
  connection.exec('UPDATE project SET log_retention_days = 1000');
  const logged = (time: number, number: number) =>
    connection.exec(`INSERT INTO validation_log SELECT project_id, '${timePrefix(time)}x${number}', at, request_id, mode,
      key_id, recommendation, inbox, device, domain, shape, network, country, asn, rules, lists, words, history, checks, details, review, stepped_up
      FROM validation_log LIMIT 1`);
  const sweep = sweeping(database, async () => 0);
  const sweepAt = async (now: number) => {
    while ((await sweep(now, limits)) > 0);
  };
  await sweepAt(NOW);
  expect(countOf('validation_log')).toBe(ROWS);
  logged(OLD, 1);
  await sweepAt(NOW + HOUR_MS);
  expect(countOf('validation_log')).toBe(ROWS + 1);
  logged(NOW + HOUR_MS, 2);
  await sweepAt(NOW + 2 * HOUR_MS);
  expect(countOf('validation_log')).toBe(ROWS);
});

it('counts a bounded number of rows in each statement, whatever the limit', async () => {
  fill();
  connection.exec('UPDATE project SET retention_days = 1000, log_retention_days = 1000');
  connection.exec(copyLog('p', 40, 1));
  const limits = { ...LIMITS, logRetentionMs: 1_000 * DAY_MS, logMaxRows: 10_000_000 };
  const sweep = sweeping(database, async () => 0);
  while ((await sweep(NOW, limits)) > 0);
  const skipped = statements.flatMap(({ sql }) =>
    [...sql.matchAll(/OFFSET (\d+)/g)].map(([, rows]) => Number(rows)),
  );
  // The first statement is about all projects.
  expect(skipped[0]).toBeLessThanOrEqual(1_000);
  expect(skipped.length).toBeGreaterThan(1);
  expect(Math.max(...skipped)).toBeLessThan(20_000);
});

/** `p` and `kept` are the few projects that a query asks about, `moved` and constant rows are those that it inserts. */
const WHOLE_TABLE = /^SCAN (?!p$|kept$|moved$|\d+ CONSTANT ROWS$)/;
/**
 * No index has the times of what the sliding hours counted. Rows beyond the log’s limit are counted by its key alone.
 */
const WHOLE_PROJECT = /^SEARCH (?!rate_bucket |validation_log USING COVERING).*\(project_id=\?\)$/;

it('finds every expired row by an index', async () => {
  fill();
  const sweep = sweeping(database, async () => 0);
  while ((await sweep(NOW, LIMITS)) > 0);
  const scans = statements.flatMap(({ sql, values }) =>
    (connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all([...values]) as { detail: string }[])
      .filter(({ detail }) => WHOLE_TABLE.test(detail) || WHOLE_PROJECT.test(detail))
      .map(({ detail }) => `${detail}: ${sql}`),
  );
  expect(statements.length).toBeGreaterThan(20);
  expect(scans).toEqual([]);
});

it('SQL and JavaScript write the time of an ID in the same way', () => {
  for (const at of [0, 1, 35, 36, 36 ** 8 - 1, 36 ** 8, NOW, NOW + 12_345_678_901, 36 ** 9 - 1]) {
    const [row] = connection.prepare(`SELECT ${timePrefixSql(String(at))} AS prefix`).all([]) as Row[];
    expect(row?.prefix, String(at)).toBe(timePrefix(at));
  }
});
