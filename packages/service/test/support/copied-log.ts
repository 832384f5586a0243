import pg from 'pg';
import { openConnection } from '../../src/store/sqlite/connection.ts';
import { VALIDATION_LOG } from '../../src/store/tables/settle-tables.ts';
import { timePrefixSql } from '../../src/store/timed-id.ts';
import { sharedPostgresServer } from './postgres.ts';
import { sqliteDatabase } from './sqlite-database.ts';
import type { TestDatabase } from './store-fixtures.ts';

/** A database in which a test may also run SQL of its own. */
export interface OpenDatabase extends TestDatabase {
  exec(sql: string): Promise<void>;
}

export async function openDatabase(backEnd: 'sqlite' | 'postgres'): Promise<OpenDatabase> {
  if (backEnd === 'sqlite') {
    const database = await sqliteDatabase();
    return {
      ...database,
      async exec(sql) {
        const connection = openConnection(database.file, 'write');
        connection.exec(sql);
        connection.close();
      },
    };
  }
  const database = await (await sharedPostgresServer()).database();
  return {
    ...database,
    async exec(sql) {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      await client.query(sql).finally(() => client.end());
    },
  };
}

/** SQL that adds copies of a project’s rows to its log, `stepMs` after each other. Much faster than requests. */
export function copyLog(projectId: string, copies: number, stepMs: number): string {
  const at = `at + i * ${stepMs}`;
  const others = [...VALIDATION_LOG.columns.keys()].filter(
    (column) => !['id', 'at', 'review'].includes(column),
  );
  return `WITH RECURSIVE copy (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM copy WHERE i < ${copies})
    INSERT INTO validation_log (id, at, ${others.join(', ')})
    SELECT ${timePrefixSql(at)} || substr(id, 10), ${at}, ${others.join(', ')}
    FROM validation_log CROSS JOIN copy WHERE project_id = '${projectId}'`;
}
