import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Statement } from '../database.ts';
import { sqliteMigrations } from '../schemas.ts';
import { openConnection } from '../sqlite/connection.ts';
import { migrateSqlite } from '../sqlite/migrate-sqlite.ts';
import { logStore } from './log-table.ts';
import { outcomeStore } from './outcome-table.ts';

it('looks a request up by its ID, without reading the log', async () => {
  const asked: Statement[] = [];
  const record = async (statement: Statement) => {
    asked.push(statement);
    return [];
  };
  const database = {
    read: record,
    browse: record,
    write: async (statements: readonly Statement[]) => Promise.all(statements.map(record)),
  };
  await logStore(database, 'sqlite').findByRequest('shop', 'request');
  await outcomeStore(database, 'sqlite').inboxesOfRequests('shop', ['request', 'other']);
  expect(asked).toHaveLength(2);

  const folder = mkdtempSync(join(tmpdir(), 'postern-plan-'));
  const connection = openConnection(join(folder, 'plan.db'), 'write');
  migrateSqlite(connection, sqliteMigrations);
  for (const { sql, values } of asked) {
    const plan = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[];
    const ofLog = plan.map(({ detail }) => detail).filter((detail) => detail.includes('validation_log'));
    expect(ofLog, sql).toEqual([
      'SEARCH validation_log USING INDEX log_by_request (project_id=? AND request_id=?)',
    ]);
  }
  connection.close();
  rmSync(folder, { recursive: true, force: true });
});
