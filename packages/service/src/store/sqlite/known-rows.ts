import type { Connection } from './connection.ts';

/** What a batch asks for: a project and a key within it. */
export type Wanted = readonly [project: string, key: string];

/** What is known of each wanted row, for as long as the batch lasts. */
export interface KnownRows<Known> {
  rowOf(project: string, key: string): Known;
  readonly rows: readonly Known[];
}

export interface RowSource<Row, Known> {
  readonly table: string;
  readonly key: string;
  /** Each an expression that yields JSON. */
  readonly columns: readonly string[];
  /** What is known of a row, or of one that does not exist. */
  readonly known: (project: string, key: string, row: Row | undefined) => Known;
}

/**
 * Reads a batch’s rows, by one statement a project. They come as one JSON text: to hand over its values one by
 * one takes the driver longer than SQLite needs to find them.
 */
export function rowReader<Row, Known>(
  connection: Connection,
  { table, key, columns, known }: RowSource<Row, Known>,
): (wanted: readonly Wanted[]) => KnownRows<Known> {
  const read = connection
    .prepare(
      `SELECT '[' || group_concat(wanted.key || ',[' || ${columns.join(" || ',' || ")} || ']') || ']'
       FROM json_each(?2) AS wanted CROSS JOIN ${table} AS kept
       WHERE kept.project_id = ?1 AND kept.${key} = wanted.value`,
    )
    .raw(true);

  const readProject = (project: string, keys: readonly string[]): Map<string, Row> => {
    const [text] = read.get([project, JSON.stringify(keys)]) as readonly [string | null];
    // The number of a key and its row by turns.
    const found = JSON.parse(text ?? '[]') as (number | Row)[];
    const rows = new Map<string, Row>();
    for (let at = 0; at < found.length; at += 2) {
      rows.set(keys[found[at] as number] ?? '', found[at + 1] as Row);
    }
    return rows;
  };

  return (wanted) => {
    const projects = new Map<string, Map<string, Known>>();
    const rows: Known[] = [];
    for (const [project, keys] of keysByProject(wanted)) {
      const found = readProject(project, [...keys]);
      const knownKeys = new Map<string, Known>();
      for (const name of keys) {
        const row = known(project, name, found.get(name));
        knownKeys.set(name, row);
        rows.push(row);
      }
      projects.set(project, knownKeys);
    }
    const rowOf = (project: string, name: string): Known => {
      const row = projects.get(project)?.get(name);
      if (row === undefined) throw new Error(`A row of ${table} was not asked for`);
      return row;
    };
    return { rowOf, rows };
  };
}

function keysByProject(wanted: readonly Wanted[]): Map<string, Set<string>> {
  const projects = new Map<string, Set<string>>();
  for (const [project, key] of wanted) {
    const keys = projects.get(project);
    if (keys) keys.add(key);
    else projects.set(project, new Set([key]));
  }
  return projects;
}
