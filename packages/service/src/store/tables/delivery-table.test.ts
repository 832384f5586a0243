import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Statement } from '../database.ts';
import { sqliteMigrations } from '../schemas.ts';
import { openConnection } from '../sqlite/connection.ts';
import { migrateSqlite } from '../sqlite/migrate-sqlite.ts';
import { deliveryStore } from './delivery-table.ts';

it('finds and resends a delivery by its key, without a scan', async () => {
  const asked: Statement[] = [];
  const record = async (statement: Statement) => {
    asked.push(statement);
    return [];
  };
  const deliveries = deliveryStore({
    read: record,
    browse: record,
    write: async (statements) => Promise.all(statements.map(record)),
  });
  await deliveries.find('shop', 'delivery');
  asked.push(...deliveries.resend('shop', 'delivery'));
  await deliveries.page('shop', 'webhook', 50, null);
  expect(asked).toHaveLength(3);

  const folder = mkdtempSync(join(tmpdir(), 'postern-plan-'));
  const connection = openConnection(join(folder, 'plan.db'), 'write');
  migrateSqlite(connection, sqliteMigrations);
  for (const { sql, values } of asked) {
    const plan = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[];
    expect(plan.map(({ detail }) => detail).join(), sql).toMatch(
      /^SEARCH delivery USING [A-Z ]*(PRIMARY KEY|INDEX)/,
    );
  }
  connection.close();
  rmSync(folder, { recursive: true, force: true });
});
