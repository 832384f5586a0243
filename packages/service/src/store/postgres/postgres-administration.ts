import {
  type AdministeredStore,
  emptying,
  expectRoom,
  loadBatches,
  projectDeletion,
  rowsOfPart,
  type StoreFacts,
  tablesOf,
} from '../administered-store.ts';
import type { DumpedTable } from '../all-tables.ts';
import { integer, text } from '../columns.ts';
import { type Row, statement } from '../database.ts';
import { libraryBoolean, libraryTime } from '../table-of.ts';
import { type Connections, numbered, type Session } from './connections.ts';

const ROWS_AT_ONCE = 500;

/** The parts of the store that only the command line uses. */
export function postgresAdministration(
  place: string,
  connections: Connections,
): Pick<AdministeredStore, 'describe' | 'verify' | 'dump' | 'load' | 'deleteProject'> {
  return {
    describe: (what) => describe(place, connections, what),
    // The server looks after its own files.
    verify: async () => {},
    async *dump(part) {
      const session = await connections.session('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      try {
        for (const table of tablesOf(part)) {
          const selection = `SELECT ${selected(table)} FROM ${table.name}${rowsOfPart(table, part)}`;
          await session.query(`DECLARE rows NO SCROLL CURSOR FOR ${selection}`);
          for (;;) {
            const rows = await session.query(`FETCH ${ROWS_AT_ONCE} FROM rows`);
            for (const row of rows) yield { table: table.name, row };
            if (rows.length < ROWS_AT_ONCE) break;
          }
          await session.query('CLOSE rows');
        }
      } finally {
        await session.end('ROLLBACK');
      }
    },
    async load(rows, project) {
      return committed(connections, async ({ query }) => {
        const found = 'SELECT 1 AS one FROM project WHERE $1::TEXT IS NULL OR id = $1 LIMIT 1';
        expectRoom((await query(found, [project ?? null])).length > 0, project);
        if (project === undefined) for (const sql of emptying()) await query(sql);
        return loadBatches(rows, async (table, batch) => {
          await query(insertionOf(table), [JSON.stringify(batch)]);
        });
      });
    },
    async deleteProject(id, noted) {
      return committed(connections, async ({ query }) => {
        // Deleting takes minutes for a large project. Until then it cannot be restored.
        await query('SELECT id FROM project WHERE id = $1 FOR UPDATE', [id]);
        let deleted: Row[] = [];
        for (const { sql, values } of projectDeletion(id, noted))
          deleted = await query(numbered(sql), values);
        return deleted.length === 1;
      });
    },
  };
}

async function committed<T>(connections: Connections, work: (session: Session) => Promise<T>): Promise<T> {
  const session = await connections.session('BEGIN ISOLATION LEVEL READ COMMITTED');
  try {
    const result = await work(session);
    await session.end('COMMIT');
    return result;
  } catch (error) {
    await session.end('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** The dashboard’s library needs PostgreSQL’s own times and booleans. A dump has texts and numbers. */
function selected(table: DumpedTable): string {
  const columns = [...table.columns].map(([column, read]) => {
    if (read === libraryBoolean) return `"${column}"::INT`;
    if (read !== libraryTime) return `"${column}"`;
    return `to_char("${column}" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "${column}"`;
  });
  return columns.join(', ');
}

function insertionOf({ name, list }: DumpedTable): string {
  return `INSERT INTO ${name} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${name}, $1::JSON)`;
}

async function describe(place: string, { database }: Connections, what?: 'size'): Promise<StoreFacts> {
  const [facts] = await database.browse(
    statement(`SELECT current_setting('server_version') AS engine,
      (SELECT max(number) FROM schema_migration) AS schema,
      pg_database_size(current_database()) AS size, current_setting('synchronous_commit') AS durable,
      pg_is_in_recovery()::INT AS replica, current_setting('fsync') AS fsync,
      (SELECT count(*) FROM project) AS projects, (SELECT count(*) FROM api_key) AS keys,
      ${what === 'size' ? '0' : '(SELECT count(*) FROM validation_log)'} AS log_rows`),
  );
  if (!facts) throw new Error('The database returned no facts about itself');
  const warnings: string[] = [];
  if (integer(facts, 'replica') === 1)
    warnings.push('This is a replica, which cannot be written to; use the primary.');
  if (text(facts, 'fsync') === 'off')
    warnings.push('fsync is off on the server; a crash can lose or damage everything.');
  return {
    backEnd: 'postgres',
    place,
    engineVersion: `PostgreSQL ${text(facts, 'engine')}`,
    schemaVersion: integer(facts, 'schema'),
    sizeBytes: integer(facts, 'size'),
    unusedBytes: null,
    freeBytes: null,
    projects: integer(facts, 'projects'),
    keys: integer(facts, 'keys'),
    logRows: integer(facts, 'log_rows'),
    warnings,
  };
}
