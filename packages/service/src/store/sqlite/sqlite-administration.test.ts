import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Row } from '../database.ts';
import { sqliteMigrations } from '../schemas.ts';
import { openConnection } from './connection.ts';
import { migrateSqlite } from './migrate-sqlite.ts';
import { sqliteAdministration } from './sqlite-administration.ts';

it('deletes an archived project in steps, none of which holds the write lock for long', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-deletion-'));
  const file = join(folder, 'postern.db');
  const connection = openConnection(file, 'write');
  migrateSqlite(connection, sqliteMigrations);
  for (const [project, archivedAt] of [
    ['gone', '1'],
    ['kept', 'NULL'],
  ]) {
    connection.exec(`INSERT INTO project (id, name, allowed_domains, plan, rate_client, rate_server, visitor_rate,
        server_reserve, policy, allow_list, block_list, retention_days, created_at, archived_at, version)
      VALUES ('${project}', 'P', '[]', 'free', 1, 1, 0, 0, '{}', '[]', '[]', 90, 1, ${archivedAt}, 1)`);
    connection.exec(`INSERT INTO person (project_id, inbox, seen_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT '${project}', 'i' || i, i FROM n`);
  }
  const run = ({ sql, values }: { sql: string; values: readonly unknown[] }) =>
    connection.prepare(sql).all(...values) as Row[];
  const transactions: number[] = [];
  const database = {
    read: async (query: Parameters<typeof run>[0]) => run(query),
    browse: async (query: Parameters<typeof run>[0]) => run(query),
    write: async (statements: readonly Parameters<typeof run>[0][]) => {
      const before = rowsLeft();
      const rows = statements.map(run);
      transactions.push(before - rowsLeft());
      return rows;
    },
  };
  const rowsLeft = () => Number(run({ sql: 'SELECT count(*) AS n FROM person', values: [] })[0]?.n);
  const { deleteProject } = sqliteAdministration(file, database, () =>
    Promise.reject(new Error('not needed')),
  );

  const noted = { at: 0, actor: 'cli', action: 'project.delete', projectId: 'gone', detail: {} };
  expect(await deleteProject('kept', noted)).toBe(false);
  expect(rowsLeft()).toBe(2_000);
  expect(await deleteProject('gone', noted)).toBe(true);
  expect(rowsLeft()).toBe(1_000);
  expect(Math.max(...transactions)).toBeLessThanOrEqual(200);
  connection.close();
  rmSync(folder, { recursive: true });
});
