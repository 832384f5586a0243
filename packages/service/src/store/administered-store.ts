import {
  ALL_TABLES,
  DUMPED,
  type DumpedTable,
  type DumpTable,
  dumpedTable,
  isOfProject,
  NOT_DUMPED,
} from './all-tables.ts';
import { type SqlValue, type Statement, statement } from './database.ts';
import { type Store, StoreConflict } from './store.ts';
import { AUDIT, type AuditRow } from './tables/audit-table.ts';
import { PROJECT } from './tables/project-table.ts';
import { timedIds } from './timed-id.ts';

/** Operations of both back ends that only the command line needs. */
export interface AdministeredStore extends Store {
  /** Facts for `postern doctor`. With `size`, rows are not counted, which takes seconds for a long log. */
  describe(what?: 'size'): Promise<StoreFacts>;
  /** Checks all data that the store itself is responsible for. Throws StoreUnavailable if it is damaged. */
  verify(): Promise<void>;
  /** A consistent dump of everything or of a part, in an order in which it can be loaded. */
  dump(part?: DumpPart): AsyncIterable<DumpRow>;
  /**
   * Loads a dump, all or nothing. Throws StoreConflict if there are already projects; for a dump of one project, if
   * that project is there.
   */
  load(rows: AsyncIterable<DumpRow>, project?: string): Promise<LoadFacts>;
  /**
   * Deletes everything that is stored of an archived project, except the audit log. `false`, and nothing is deleted, if
   * it is not archived. `noted` says so in the audit log, in the transaction that deletes the project itself. The embedded store deletes in steps, so that requests of other projects go on; after an
   * interruption, call it again.
   */
  deleteProject(id: string, noted: AuditRow): Promise<boolean>;
}

/** One project, or everything but the projects: secrets, signing keys and members. */
export type DumpPart = { readonly project: string } | 'instance';

export interface StoreFacts {
  readonly backEnd: 'sqlite' | 'postgres';
  /** The file, or the server and database without the password. */
  readonly place: string;
  readonly engineVersion: string;
  /** The number of the last migration. */
  readonly schemaVersion: number;
  readonly sizeBytes: number;
  /** Part of the size that holds nothing and is used before the file grows. `null` if the store cannot tell. */
  readonly unusedBytes: number | null;
  /** Free space on the disk. `null` if the store cannot see it. */
  readonly freeBytes: number | null;
  readonly projects: number;
  readonly keys: number;
  /** 0 if rows are not counted. */
  readonly logRows: number;
  /** Problems, one sentence each. Empty if there are none. */
  readonly warnings: readonly string[];
}

/** A row of a dumped table with its columns. Either back end can load a dump of the other. */
export interface DumpRow {
  readonly table: DumpTable;
  readonly row: Readonly<Record<string, SqlValue>>;
}

export interface LoadFacts {
  readonly rows: Readonly<Record<DumpTable, number>>;
}

/** A dump of everything or of a part. */
export function tablesOf(part: DumpPart | undefined): readonly DumpedTable[] {
  if (part === undefined) return DUMPED;
  if (part !== 'instance') return DUMPED.filter(isOfProject);
  return DUMPED.filter((table) => table.name !== 'audit' && !isOfProject(table));
}

/** The condition for the rows of a dump. */
export function rowsOfPart({ name }: DumpedTable, part: DumpPart | undefined): string {
  if (part === undefined || part === 'instance') return '';
  // Cursors take no parameters on either back end.
  return ` WHERE ${name === 'project' ? 'id' : 'project_id'} = '${part.project.replaceAll("'", "''")}'`;
}

/**
 * Empties a store without projects before everything is loaded: it has its own secrets, set-up link and members, and
 * nothing depends on them.
 */
export function emptying(): string[] {
  return [...DUMPED, ...NOT_DUMPED]
    .filter((table) => !isOfProject(table))
    .map(({ name }) => `DELETE FROM ${name}`);
}

export const ARCHIVED = 'SELECT id FROM project WHERE id = ? AND archived_at IS NOT NULL';

/** Statements that delete a project if it is archived. The project’s own row is last, and is returned. */
const newId = timedIds();

export function projectDeletion(id: string, noted: AuditRow): Statement[] {
  const tables = ALL_TABLES.filter((table) => isOfProject(table) && table !== PROJECT);
  return [
    ...tables.map(({ name }) => statement(`DELETE FROM ${name} WHERE project_id = (${ARCHIVED})`, id)),
    statement(`DELETE FROM access_token WHERE only_project = (${ARCHIVED})`, id),
    AUDIT.insert({ ...noted, id: newId(noted.at) }, { when: { sql: `EXISTS (${ARCHIVED})`, values: [id] } }),
    statement(`DELETE FROM project WHERE id = (${ARCHIVED}) RETURNING id`, id),
  ];
}

const ROWS_AT_ONCE = 500;

/** Throws if the dump cannot be loaded beside what the store has. */
export function expectRoom(found: boolean, project: string | undefined): void {
  if (!found) return;
  throw new StoreConflict(
    project === undefined
      ? 'There are projects in this store; import into an empty one'
      : `There is already a project ${project} in this store; nothing was imported`,
  );
}

/** Groups the rows into batches of one table and counts them. */
export async function loadBatches(
  rows: AsyncIterable<DumpRow>,
  insert: (table: DumpedTable, rows: readonly DumpRow['row'][]) => Promise<void>,
): Promise<LoadFacts> {
  const counts = Object.fromEntries(DUMPED.map(({ name }) => [name, 0])) as Record<DumpTable, number>;
  let batch: DumpRow['row'][] = [];
  let current: DumpTable | undefined;
  const flush = async () => {
    const table = current && dumpedTable(current);
    if (current === undefined || table === undefined || batch.length === 0) return;
    await insert(table, batch);
    counts[current] += batch.length;
    batch = [];
  };
  for await (const { table, row } of rows) {
    if (table !== current || batch.length >= ROWS_AT_ONCE) await flush();
    current = table;
    batch.push(row);
  }
  await flush();
  return { rows: counts };
}
