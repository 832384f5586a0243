import type { Connection } from './connection.ts';

/** What a batch asks for: a project and a key within it. */
export type Wanted = readonly [project: string, key: string];

export interface RowSource<Row, Known> {
  readonly table: string;
  readonly key: string;
  /** Each an expression that yields JSON. */
  readonly columns: readonly string[];
  /** What is known of a row, or of one that does not exist. */
  readonly known: (project: string, key: string, row: Row | undefined) => Known;
}

export interface KnownRows<Known> {
  /** Makes the rows of a batch known. */
  load(wanted: readonly Wanted[]): void;
  /** A row that was loaded for this batch. */
  rowOf(project: string, key: string): Known;
  /** The row as it stands in the table now. */
  find(project: string, key: string): Known;
  /** For when the table was changed past these rows. */
  forget(): void;
}

/**
 * The rows that batches read and write. A person who tries a form again comes back within seconds, so they are
 * kept; the one who uses them says when they no longer hold.
 */
export function knownRows<Row, Known>(
  connection: Connection,
  source: RowSource<Row, Known>,
): KnownRows<Known> {
  const read = rowReader<Row>(connection, source);
  const projects = new Map<string, Map<string, Known>>();

  const loadMissing = (project: string, keys: readonly string[]) => {
    const rows = projects.get(project) ?? new Map<string, Known>();
    projects.set(project, rows);
    const found = read(project, keys);
    for (const key of keys) rows.set(key, source.known(project, key, found.get(key)));
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
    rowOf(project, key) {
      const known = projects.get(project)?.get(key);
      if (!known) throw new Error(`A row of ${source.table} was not loaded`);
      return known;
    },
    find: (project, key) => source.known(project, key, read(project, [key]).get(key)),
    forget: () => projects.clear(),
  };
}

/**
 * Reads rows of a project by one statement. They come as one JSON text: to hand over its values one by one takes
 * the driver longer than SQLite needs to find them.
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
    // The number of a key and its row by turns.
    const found = JSON.parse(text ?? '[]') as (number | Row)[];
    const rows = new Map<string, Row>();
    for (let at = 0; at < found.length; at += 2) {
      rows.set(keys[found[at] as number] ?? '', found[at + 1] as Row);
    }
    return rows;
  };
}
