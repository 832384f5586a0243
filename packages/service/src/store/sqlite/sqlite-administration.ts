import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  type AdministeredStore,
  type DumpPart,
  type DumpRow,
  emptying,
  projectDeletion,
  rowsOfPart,
  type StoreFacts,
  tablesOf,
} from '../administered-store.ts';
import type { DumpedTable } from '../all-tables.ts';
import { type Database, integer, type Row, statement, text } from '../database.ts';
import { expectRoom, loadBatches } from '../load-batches.ts';
import { damagedStore } from './connection.ts';
import type { WorkerThread } from './worker-thread.ts';

const ROWS_AT_ONCE = 500;
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
    describe: () => describe(file, database),
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
        await thread.call('run', statement('BEGIN IMMEDIATE'));
        const found = 'SELECT 1 AS one FROM project WHERE ?1 IS NULL OR id = ?1 LIMIT 1';
        expectRoom((await thread.call('run', statement(found, project ?? null))).length > 0, project);
        const run = async (statements: readonly string[]) => {
          for (const sql of statements) await thread.call('run', statement(sql));
        };
        if (project === undefined) await run(emptying());
        const facts = await loadBatches(rows, (table, batch) => insert(thread, table, batch));
        await run(foldingOf(project));
        await thread.call('run', statement('COMMIT'));
        return facts;
      } finally {
        // Without a commit, closing rolls everything back.
        await thread.close();
      }
    },
    async deleteProject(id) {
      const deleted = (await database.write(projectDeletion(id, 'sqlite'))).at(-1);
      return deleted?.length === 1;
    },
  };
}

async function* rowsOf(
  thread: WorkerThread,
  table: DumpedTable,
  part: DumpPart | undefined,
): AsyncGenerator<DumpRow> {
  const sql = `SELECT * FROM (${selectionOf(table)})${rowsOfPart(table, part)}`;
  let rows = await thread.call('fetch', { sql, limit: ROWS_AT_ONCE });
  while (rows.length > 0) {
    for (const row of rows) yield { table: table.name, row };
    rows = await thread.call('fetch', { sql: null, limit: ROWS_AT_ONCE });
  }
}

function selectionOf({ name, list }: DumpedTable): string {
  const apart = `SELECT ${list} FROM ${name}`;
  if (name === 'device_sighting') {
    return `${apart} UNION ALL SELECT d.project_id, d.device, e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value ->> 3,
        coalesce(e.value ->> 4, 0)
      FROM device d, json_each(d.inbox_list) e WHERE d.inbox_list IS NOT NULL`;
  }
  if (name === 'device_network') {
    return `${apart} UNION ALL SELECT d.project_id, d.device, e.value ->> 0, e.value ->> 1
      FROM device d, json_each(d.network_list) e WHERE d.network_list IS NOT NULL`;
  }
  return apart;
}

async function insert(thread: WorkerThread, table: DumpedTable, rows: readonly Row[]): Promise<void> {
  let columns = table.list;
  const values = [...table.columns.keys()].map((column) => `value ->> '${column}'`);
  if (table.name === 'inbox') {
    columns += ', devices';
    values.push("'[]'");
  }
  const sql = `INSERT INTO ${table.name} (${columns}) SELECT ${values.join(', ')} FROM json_each(?)`;
  await thread.call('run', statement(sql, JSON.stringify(rows)));
}

/** A dump has a row for each sighting. Short lists go back into the device’s own row. */
const OF_DEVICE = 'x.project_id = device.project_id AND x.device = device.device';

function foldingOf(project: string | undefined): readonly string[] {
  // The lists of other projects are folded already.
  const only = project === undefined ? 'TRUE' : `project_id = '${project.replaceAll("'", "''")}'`;
  return [
    'CREATE INDEX sighting_by_inbox ON device_sighting (project_id, inbox)',
    `UPDATE inbox SET devices = (SELECT json_group_array(device) FROM
       (SELECT device FROM device_sighting x WHERE x.project_id = inbox.project_id AND x.inbox = inbox.inbox
        ORDER BY x.last_seen DESC LIMIT 16))
     WHERE ${only}`,
    'DROP INDEX sighting_by_inbox',
    `UPDATE device SET
       inbox_list = (SELECT json_group_array(json(CASE WHEN blocked = 1
         THEN json_array(inbox, first_seen, last_seen, count, 1) ELSE json_array(inbox, first_seen, last_seen, count) END))
         FROM device_sighting x WHERE ${OF_DEVICE}),
       network_list = (SELECT json_group_array(json_array(network, last_seen)) FROM device_network x WHERE ${OF_DEVICE})
     WHERE inboxes <= 24 AND networks <= 24 AND ${only}`,
    ...['device_sighting', 'device_network'].map(
      (table) => `DELETE FROM ${table} WHERE ${only} AND EXISTS (SELECT 1 FROM device d
        WHERE d.project_id = ${table}.project_id AND d.device = ${table}.device AND d.inbox_list IS NOT NULL)`,
    ),
  ];
}

async function describe(file: string, database: Database): Promise<StoreFacts> {
  const [facts] = await database.browse(
    statement(`SELECT sqlite_version() AS engine,
      (SELECT max(number) FROM schema_migration) AS schema,
      (SELECT count(*) FROM project) AS projects, (SELECT count(*) FROM api_key) AS keys,
      (SELECT count(*) FROM validation_log) AS log_rows,
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
