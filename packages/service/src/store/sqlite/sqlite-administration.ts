import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  type AdministeredStore,
  ARCHIVED,
  type DumpPart,
  type DumpRow,
  emptying,
  expectRoom,
  loadBatches,
  projectDeletion,
  rowsOfPart,
  type StoreFacts,
  tablesOf,
} from '../administered-store.ts';
import { ALL_TABLES, type DumpedTable, isOfProject } from '../all-tables.ts';
import { integer, text } from '../columns.ts';
import { type Database, type Row, statement } from '../database.ts';
import { PROJECT } from '../tables/project-table.ts';
import { damagedStore } from './connection.ts';
import type { WorkerThread } from './worker-thread.ts';

const ROWS_AT_ONCE = 500;
/** About the cost of ten requests. */
const DELETED_AT_ONCE = 200;
const MIB = 1024 * 1024;
const LOW_SPACE_BYTES = 512 * MIB;

type StartThread = (access: 'read' | 'write') => Promise<WorkerThread>;

/** The parts of the store that only the command line uses. Dump and load run in their own thread. */
export function sqliteAdministration(
  file: string,
  database: Database,
  start: StartThread,
): Pick<AdministeredStore, 'describe' | 'verify' | 'dump' | 'load' | 'deleteProject'> {
  return {
    describe: (what) => describe(file, database, what),
    async verify() {
      const [row] = await database.browse(statement('PRAGMA quick_check(1)'));
      if (row?.quick_check !== 'ok') throw damagedStore(file, row?.quick_check);
    },
    async *dump(part) {
      const thread = await start('read');
      try {
        await thread.call('run', statement('BEGIN'));
        for (const table of tablesOf(part)) yield* rowsOf(thread, table, part);
      } finally {
        await thread.close();
      }
    },
    async load(rows, project) {
      const thread = await start('write');
      try {
        // No other thread syncs this commit.
        await thread.call('run', statement('PRAGMA synchronous = FULL'));
        await thread.call('run', statement('BEGIN IMMEDIATE'));
        const found = 'SELECT 1 AS one FROM project WHERE ?1 IS NULL OR id = ?1 LIMIT 1';
        expectRoom((await thread.call('run', statement(found, project ?? null))).length > 0, project);
        const run = async (statements: readonly string[]) => {
          for (const sql of statements) await thread.call('run', statement(sql));
        };
        if (project === undefined) await run(emptying());
        const facts = await loadBatches(rows, (table, batch) => insert(thread, table, batch));
        await thread.call('run', statement('COMMIT'));
        return facts;
      } finally {
        // Without a commit, closing rolls everything back.
        await thread.close();
      }
    },
    async deleteProject(id, noted) {
      // Requests of all projects wait for the one write lock.
      for (const { name } of ALL_TABLES.filter((table) => isOfProject(table) && table !== PROJECT)) {
        const keys = await database.browse(
          statement('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk', name),
        );
        const key = keys.map((row) => text(row, 'name')).join(', ');
        const sql = `DELETE FROM ${name} WHERE (${key}) IN
          (SELECT ${key} FROM ${name} WHERE project_id = (${ARCHIVED}) LIMIT ${DELETED_AT_ONCE}) RETURNING 1 AS one`;
        for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE; )
          deleted = (await database.write([statement(sql, id)]))[0]?.length ?? 0;
      }
      const deleted = (await database.write(projectDeletion(id, noted))).at(-1);
      return deleted?.length === 1;
    },
  };
}

async function* rowsOf(
  thread: WorkerThread,
  table: DumpedTable,
  part: DumpPart | undefined,
): AsyncGenerator<DumpRow> {
  const sql = `SELECT ${table.list} FROM ${table.name}${rowsOfPart(table, part)}`;
  let rows = await thread.call('fetch', { sql, limit: ROWS_AT_ONCE });
  while (rows.length > 0) {
    for (const row of rows) yield { table: table.name, row };
    rows = await thread.call('fetch', { sql: null, limit: ROWS_AT_ONCE });
  }
}

async function insert(thread: WorkerThread, table: DumpedTable, rows: readonly Row[]): Promise<void> {
  const columns = [...table.columns.keys()];
  const values = columns.map((column) => `value ->> '${column}'`);
  const sql = `INSERT INTO ${table.name} (${columns.map((column) => `"${column}"`).join(', ')})
    SELECT ${values.join(', ')} FROM json_each(?)`;
  await thread.call('run', statement(sql, JSON.stringify(rows)));
}

async function describe(file: string, database: Database, what?: 'size'): Promise<StoreFacts> {
  const [facts] = await database.browse(
    statement(`SELECT sqlite_version() AS engine,
      (SELECT max(number) FROM schema_migration) AS schema,
      (SELECT count(*) FROM project) AS projects, (SELECT count(*) FROM api_key) AS keys,
      ${what === 'size' ? '0' : '(SELECT count(*) FROM validation_log)'} AS log_rows,
      (SELECT freelist_count FROM pragma_freelist_count) AS free_pages,
      (SELECT page_size FROM pragma_page_size) AS page_bytes`),
  );
  if (!facts) throw new Error('The database returned no facts about itself');
  const [main, wal, disk] = await Promise.all([
    stat(file),
    stat(`${file}-wal`).catch(() => undefined),
    statfs(dirname(file)).catch(() => undefined),
  ]);
  const freeBytes = disk ? disk.bavail * disk.bsize : null;
  const warnings: string[] = [];
  if (freeBytes !== null && freeBytes < LOW_SPACE_BYTES) {
    warnings.push('Less than 512 MiB are left on the disk; free some space, or let the log keep fewer rows.');
  }
  if ((main.mode & 0o077) !== 0) {
    warnings.push('Other users can read the database, and with it the signing keys; run chmod 600 on it.');
  }
  const unusedBytes = integer(facts, 'free_pages') * integer(facts, 'page_bytes');
  return {
    backEnd: 'sqlite',
    place: file,
    engineVersion: `SQLite ${text(facts, 'engine')}`,
    schemaVersion: integer(facts, 'schema'),
    sizeBytes: main.size + (wal?.size ?? 0),
    unusedBytes,
    freeBytes,
    projects: integer(facts, 'projects'),
    keys: integer(facts, 'keys'),
    logRows: integer(facts, 'log_rows'),
    warnings,
  };
}
