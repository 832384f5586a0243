import type { Database, SqlValue } from './database.ts';

/** The tables that the sign-in library keeps with SQL of its own, in the back end’s dialect. */
export interface AuthDatabase {
  readonly dialect: 'sqlite' | 'postgres';
  query(
    sql: string,
    values: readonly SqlValue[],
  ): Promise<{ rows: Record<string, unknown>[]; changed: number }>;
}

const CHANGES = /^\s*(insert|update|delete)\s/i;
const RETURNING = /\sreturning\s/i;

/** The store’s own connections, for a library that brings its own SQL and needs the number of changed rows. */
export function authDatabase(database: Database, dialect: AuthDatabase['dialect']): AuthDatabase {
  return {
    dialect,
    async query(sql, values) {
      if (!CHANGES.test(sql)) return { rows: await database.read({ sql, values }), changed: 0 };
      if (RETURNING.test(sql)) {
        const [rows = []] = await database.write([{ sql, values }]);
        return { rows, changed: rows.length };
      }
      if (dialect === 'postgres') {
        const counted = `WITH changed AS (${sql} RETURNING 1) SELECT count(*) AS changed FROM changed`;
        const [rows = []] = await database.write([{ sql: counted, values }]);
        return { rows: [], changed: Number(rows[0]?.changed ?? 0) };
      }
      const [, rows = []] = await database.write([
        { sql, values },
        { sql: 'SELECT changes() AS changed', values: [] },
      ]);
      return { rows: [], changed: Number(rows[0]?.changed ?? 0) };
    },
  };
}
