import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import workerThreads, { type WorkerOptions } from 'node:worker_threads';
import { sqliteMigrations } from '../../src/store/schemas.ts';
import { type Connection, openConnection } from '../../src/store/sqlite/connection.ts';
import { migrateSqlite } from '../../src/store/sqlite/migrate-sqlite.ts';
import { mayReadAll, SMALL_TABLES } from './whole-reads.ts';

export interface NotedStatements {
  /** All that the stores of this process have prepared. */
  statements(): string[];
  remove(): void;
}

/** Must be called before a store is opened. */
export function noteSqliteStatements(): NotedStatements {
  const folder = mkdtempSync(join(tmpdir(), 'postern-statements-'));
  const file = join(folder, 'statements.jsonl');
  writeFileSync(file, '');
  process.env.POSTERN_TEST_STATEMENTS = file;
  const { Worker } = workerThreads;
  const preload = new URL('note-sqlite-statements.mjs', import.meta.url).href;
  class NotingWorker extends Worker {
    constructor(url: URL, options: WorkerOptions) {
      super(url, { ...options, execArgv: ['--import', preload] });
    }
  }
  Object.assign(workerThreads, { Worker: NotingWorker });
  syncBuiltinESMExports();
  return {
    statements() {
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      return [...new Set(lines)].map((line) => JSON.parse(line) as string);
    },
    remove() {
      Object.assign(workerThreads, { Worker });
      syncBuiltinESMExports();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Tables of which a project has few rows. It may be read as a whole, but not the table. */
const FEW_OF_A_PROJECT: readonly string[] = ['api_key', 'key_directory', 'newcomers', 'project', 'quota'];

const EXPLAINED = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;

/** What the statements read that they should not, one line each. */
export function sqliteFaults(statements: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'postern-plans-'));
  const plain = openConnection(join(folder, 'plain.db'), 'write');
  migrateSqlite(plain, sqliteMigrations);
  const informed = withStatistics(join(folder, 'informed.db'));
  try {
    return statements
      .filter((sql) => EXPLAINED.test(sql))
      .flatMap((sql) => faultsOf(sql, plain, informed).map((fault) => `${fault}: ${sql}`));
  } finally {
    plain.close();
    informed.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Access {
  readonly table: string;
  readonly step: string;
  /** How many columns of the index have one value each. */
  readonly equal: number;
}

function faultsOf(sql: string, plain: Connection, informed: Connection): string[] {
  const accesses = accessesOf(plain, sql);
  const better = accessesOf(informed, sql);
  const faults = accesses
    .filter((access) => readsAll(access) && !mayReadAll(sql, access.table))
    .map(({ step }) => `reads all: ${step}`);
  for (const table of new Set(accesses.map((access) => access.table))) {
    const least = (some: readonly Access[]) =>
      Math.min(...some.filter((access) => access.table === table).map(({ equal }) => equal));
    if (least(accesses) < least(better)) {
      const steps = accesses.filter((access) => access.table === table).map(({ step }) => step);
      faults.push(`uses a worse index than there is: ${steps.join(', ')}`);
    }
  }
  return faults;
}

function readsAll({ table, step, equal }: Access): boolean {
  return equal === 0
    ? !/[<>]\?/.test(step)
    : /\(project_id=\?\)$/.test(step) && !FEW_OF_A_PROJECT.includes(table);
}

function accessesOf(connection: Connection, sql: string): Access[] {
  const views = connection.prepare("SELECT sql FROM sqlite_master WHERE type = 'view'").all() as {
    sql: string;
  }[];
  const names = namesIn([sql, ...views.map((view) => view.sql)].join('\n'));
  const plan = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
  return plan.flatMap(({ detail }) => {
    const table = names.get(/^(?:SCAN|SEARCH) (\w+)/.exec(detail)?.[1] ?? '');
    if (table === undefined || SMALL_TABLES.includes(table)) return [];
    return [{ table, step: detail, equal: detail.match(/=\?/g)?.length ?? 0 }];
  });
}

const TABLES = [
  ...sqliteMigrations
    .map(({ sql }) => sql)
    .join('\n')
    .matchAll(/CREATE TABLE (\w+)/g),
].map(([, name]) => name ?? '');

/** The tables by their names and by the other names that the SQL gives them. */
function namesIn(sql: string): ReadonlyMap<string, string> {
  const names = new Map(TABLES.map((table) => [table, table]));
  for (const table of TABLES)
    for (const [, name = ''] of sql.matchAll(new RegExp(`\\b${table}(?: AS)? (\\w+)`, 'g'))) {
      if (!names.has(name)) names.set(name, table);
    }
  return names;
}

/** A database whose planner believes that there are ten projects with many rows each. The stores’ own knows nothing. */
function withStatistics(file: string): Connection {
  const connection = openConnection(file, 'write');
  migrateSqlite(connection, sqliteMigrations);
  connection.exec('ANALYZE; DELETE FROM sqlite_stat1');
  const insert = connection.prepare('INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)');
  for (const table of TABLES) {
    const indexes = connection.prepare(`PRAGMA index_list(${table})`).all() as IndexFacts[];
    for (const { name, unique, partial } of indexes) {
      const columns = connection.prepare(`PRAGMA index_info(${name})`).all() as { name: string }[];
      const all = partial === 1 ? 10_000 : 1_000_000;
      const rows = columns.map((column, place) =>
        place === 0 && column.name === 'project_id' ? all / 10 : 5,
      );
      if (unique === 1) rows[rows.length - 1] = 1;
      insert.run(table, name, [all, ...rows].join(' '));
    }
  }
  connection.close();
  // They are read when the file is opened.
  return openConnection(file, 'write');
}

interface IndexFacts {
  readonly name: string;
  readonly unique: 0 | 1;
  readonly partial: 0 | 1;
}
