import type { Connection } from './connection.ts';

/** One row that a batch needs: its project and its key within the project. */
export type RowKey = readonly [project: string, key: string];

export interface RowSource<Row, Entry> {
  readonly table: string;
  readonly key: string;
  /** SQL expressions, each of which yields JSON. */
  readonly columns: readonly string[];
  /** What a batch changes of a row; `undefined` when the table has no such row. */
  readonly toEntry: (project: string, key: string, row: Row | undefined) => Entry;
}

export interface BatchRows<Entry> {
  /** Drops the rows of the batch before and reads those of this one, with one statement a project. */
  load(wanted: readonly RowKey[]): void;
  /** A row that `load` was asked for, as the batch has changed it so far. */
  get(project: string, key: string): Entry;
}

/**
 * The rows of people that a batch reads and writes. They are not kept for the next batch: most people are new, and
 * thousands of rows that live for seconds make V8 stop the thread for tens of milliseconds to collect them.
 */
export function createBatchRows<Row, Entry>(
  connection: Connection,
  source: RowSource<Row, Entry>,
): BatchRows<Entry> {
  const read = rowReader<Row>(connection, source);
  let projects = new Map<string, Map<string, Entry>>();

  const readEntries = (project: string, keys: readonly string[]) => {
    const rows = read(project, keys);
    return new Map(keys.map((key) => [key, source.toEntry(project, key, rows.get(key))]));
  };

  return {
    load(wanted) {
      const keys = new Map<string, Set<string>>();
      for (const [project, key] of wanted) keys.set(project, (keys.get(project) ?? new Set()).add(key));
      projects = new Map();
      for (const [project, some] of keys) projects.set(project, readEntries(project, [...some]));
    },
    get(project, key) {
      const entry = projects.get(project)?.get(key);
      if (!entry) throw new Error(`A row of ${source.table} was not loaded`);
      return entry;
    },
  };
}

/**
 * Reads rows of one project with one statement. They come as one JSON text: passing the values through the driver
 * one by one takes longer than SQLite needs to find the rows.
 */
function rowReader<Row>(
  connection: Connection,
  { table, key, columns }: Pick<RowSource<Row, unknown>, 'table' | 'key' | 'columns'>,
) {
  const statement = connection
    .prepare(
      `SELECT '[' || group_concat(wanted.key || ',[' || ${columns.join(" || ',' || ")} || ']') || ']'
       FROM json_each(?2) AS wanted CROSS JOIN ${table} AS kept
       WHERE kept.project_id = ?1 AND kept.${key} = wanted.value`,
    )
    .raw(true);
  return (project: string, keys: readonly string[]): Map<string, Row> => {
    const [text] = statement.get([project, JSON.stringify(keys)]) as readonly [string | null];
    // Alternates between the position of a key and its row.
    const found = JSON.parse(text ?? '[]') as (number | Row)[];
    const rows = new Map<string, Row>();
    for (let at = 0; at < found.length; at += 2) {
      rows.set(keys[found[at] as number] ?? '', found[at + 1] as Row);
    }
    return rows;
  };
}
