import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { AuthDatabase } from '../../store/auth-database.ts';

/** Connects the library’s query builder to the store: no second connection, and no blocking of the event loop. */
export function storeDialect(database: AuthDatabase): Dialect {
  const driver = storeDriver(database);
  return database.dialect === 'postgres'
    ? {
        createDriver: () => driver,
        createAdapter: () => new PostgresAdapter(),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createIntrospector: (db) => new PostgresIntrospector(db),
      }
    : {
        createDriver: () => driver,
        createAdapter: () => new SqliteAdapter(),
        createQueryCompiler: () => new SqliteQueryCompiler(),
        createIntrospector: (db) => new SqliteIntrospector(db),
      };
}

function storeDriver(database: AuthDatabase): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const { rows, changed } = await database.query(sql, parameters as (string | number | null)[]);
      return { rows: rows as R[], numAffectedRows: BigInt(changed) };
    },
    // biome-ignore lint/correctness/useYield: the library reads few rows and streams none
    async *streamQuery() {
      throw new Error('The store does not stream');
    },
  };
  const noTransaction = () => Promise.reject(new Error('The store has no open transactions'));
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: noTransaction,
    commitTransaction: noTransaction,
    rollbackTransaction: noTransaction,
    destroy: async () => {},
  };
}
