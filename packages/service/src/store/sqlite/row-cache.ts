import type { Connection } from './connection.ts';

/** One row that a batch needs: its project and its key within the project. */
export type RowKey = readonly [project: string, key: string];

/** What was read from a table, kept by project and key until `clear`. */
export interface Cache<Value> {
  get(project: string, key: string): Value;
  values(): Iterable<Value>;
  clear(): void;
}

/** Reads each value once, when it is first asked for. Batches read the same few keys, quotas and windows all the time. */
export function createCache<Value>(read: (project: string, key: string) => Value): Cache<Value> {
  const cached = new Map<string, Value>();
  return {
    get(project, key) {
      const name = `${key} ${project}`;
      if (cached.has(name)) return cached.get(name) as Value;
      const value = read(project, key);
      cached.set(name, value);
      return value;
    },
    values: () => cached.values(),
    clear: () => cached.clear(),
  };
}

export interface RowSource<Row, Entry> {
  readonly table: string;
  readonly key: string;
  /** SQL expressions, each of which yields JSON. */
  readonly columns: readonly string[];
  /** The cache entry for a row; `undefined` when the table has no such row. */
  readonly toEntry: (project: string, key: string, row: Row | undefined) => Entry;
}

export interface RowCache<Entry> {
  /** Reads the rows of a batch that are not cached yet, with one statement a project. */
  load(wanted: readonly RowKey[]): void;
  /** A row that `load` was asked for. */
  get(project: string, key: string): Entry;
  /** Reads the row from the table, past the cache. */
  read(project: string, key: string): Entry;
  /** Needed after the table was changed by other means. */
  clear(): void;
}

/**
 * Rows that batches read and write. A person who submits a form again comes back within seconds, so rows are kept
 * from batch to batch; the caller says when they are out of date.
 */
export function createRowCache<Row, Entry>(
  connection: Connection,
  source: RowSource<Row, Entry>,
): RowCache<Entry> {
  const read = rowReader<Row>(connection, source);
  const projects = new Map<string, Map<string, Entry>>();

  const loadMissing = (project: string, keys: readonly string[]) => {
    const entries = projects.get(project) ?? new Map<string, Entry>();
    projects.set(project, entries);
    const rows = read(project, keys);
    for (const key of keys) entries.set(key, source.toEntry(project, key, rows.get(key)));
  };

  return {
    load(wanted) {
      const missing = new Map<string, Set<string>>();
      for (const [project, key] of wanted) {
        if (projects.get(project)?.has(key)) continue;
        missing.set(project, (missing.get(project) ?? new Set()).add(key));
      }
      for (const [project, keys] of missing) loadMissing(project, [...keys]);
    },
    get(project, key) {
      const entry = projects.get(project)?.get(key);
      if (!entry) throw new Error(`A row of ${source.table} was not loaded`);
      return entry;
    },
    read: (project, key) => source.toEntry(project, key, read(project, [key]).get(key)),
    clear: () => projects.clear(),
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
