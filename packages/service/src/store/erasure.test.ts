import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '@postern/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database, Row, Statement } from './database.ts';
import { sqliteMigrations } from './schemas.ts';
import { type Connection, openConnection } from './sqlite/connection.ts';
import { migrateSqlite } from './sqlite/migrate-sqlite.ts';
import { sqliteErasure } from './sqlite/sqlite-store.ts';
import { sweeping } from './sweep.ts';
import { timePrefix } from './timed-id.ts';

const NOW = 1_800_000_000_000;
const OLD = NOW - 40 * DAY_MS;
const LIMITS = {
  maxRows: 500,
  logRetentionMs: 30 * DAY_MS,
  outcomeRetentionMs: 180 * DAY_MS,
  logMaxRows: 1_000,
};

let folder: string;
let connection: Connection;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postern-erasure-'));
  connection = openConnection(join(folder, 'postern.db'), 'write');
  migrateSqlite(connection, sqliteMigrations);
  connection.exec(`INSERT INTO project (id, name, allowed_domains, plan, rate_client, rate_server, visitor_rate,
      server_reserve, policy, allow_list, block_list, retention_days, created_at, version)
    VALUES ('p', 'P', '[]', 'free', 1, 1, 0, 0, '{}', '[]', '[]', 90, 1, 1)`);
  for (const [number, inbox] of ['jane', 'john'].entries()) {
    connection.exec(`INSERT INTO validation_log (project_id, id, at, request_id, mode, key_id, recommendation, inbox, domain,
         rules, lists, words, history, checks, details)
      VALUES ('p', '${timePrefix(OLD)}${number}', ${OLD}, 'r', 'live', 'k', 'allow', '${inbox}', 'd', '', '', '', '{}', '{}',
        '{}')`);
    connection.exec(
      `INSERT INTO inbox VALUES ('p', '${inbox}', 's', ${OLD}, NULL, NULL, NULL, NULL, ${OLD}, '[]', NULL, '[]', ${Math.floor(OLD / DAY_MS)})`,
    );
  }
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Does something else before the first statement that looks like this. */
function interrupted(pattern: RegExp, other: () => Promise<unknown>): Database {
  let isDone = false;
  const run = ({ sql, values }: Statement) => connection.prepare(sql).all([...values]) as Row[];
  const all = async (statements: readonly Statement[]) => {
    if (!isDone && statements.some(({ sql }) => pattern.test(sql))) {
      isDone = true;
      await other();
    }
    return statements.map(run);
  };
  const one = async (statement: Statement) => (await all([statement]))[0] ?? [];
  return { read: one, browse: one, write: all };
}

const undisturbed = () => interrupted(/^never$/, async () => {});
const erase = (database: Database) =>
  sqliteErasure(database, async () => {}).erase('p', { inboxes: ['jane'], devices: [] }, false);
const sweepAll = async (database: Database) => {
  const sweep = sweeping(database, async () => 0);
  while ((await sweep(NOW, LIMITS)) > 0);
};
const namedIn = (table: string) => connection.prepare(`SELECT inbox FROM ${table} ORDER BY inbox`).all([]);

it.each([
  [
    'before the log is searched',
    () => erase(interrupted(/FROM validation_log/, () => sweepAll(undisturbed()))),
  ],
  [
    'between reading and dropping rows',
    () => sweepAll(interrupted(/DELETE FROM validation_log/, () => erase(undisturbed()))),
  ],
])('leaves nothing of a person if the sweep drops log rows meanwhile: %s', async (_when, run) => {
  await run();
  for (const table of ['inbox', 'person', 'person_request'])
    expect(namedIn(table), table).toEqual([{ inbox: 'john' }]);
  expect(namedIn('validation_log')).toEqual([]);
});

it('leaves nothing of a project that is deleted while the sweep drops its rows', async () => {
  const remove = async () => {
    for (const table of ['validation_log', 'inbox']) connection.exec(`DELETE FROM ${table}`);
    connection.exec('DELETE FROM project');
  };
  await sweepAll(interrupted(/DELETE FROM validation_log/, remove));
  for (const table of ['person', 'person_request'])
    expect(connection.prepare(`SELECT * FROM ${table}`).all([]), table).toEqual([]);
});
