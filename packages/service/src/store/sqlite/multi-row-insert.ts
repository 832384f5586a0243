import type { SqlValue } from '../database.ts';
import type { Connection } from './connection.ts';

/** One statement is prepared for each of these row counts, largest first. */
const ROWS_AT_ONCE = [64, 32, 16, 8, 4, 2, 1];

/** Writes rows of one project. Their values come as one flat list, row by row. */
export type MultiRowInsert = (project: string, values: readonly SqlValue[]) => void;

/**
 * Writes rows with as few statements as possible and binds the project once a statement: passing a value through
 * the driver costs more than what SQLite does with it.
 *
 * For rows that exist already, the columns in `overwritten` are updated. When `overwritten` is empty, all rows must
 * be new. A failure then rolls the whole transaction back, as it would end anyway, which saves SQLite a copy of each
 * page that the statement touches.
 */
export function multiRowInsert(
  connection: Connection,
  table: string,
  columns: readonly string[],
  overwritten: readonly string[] = [],
): MultiRowInsert {
  const width = columns.length;
  const insertion = overwritten.length > 0 ? 'INSERT' : 'INSERT OR ROLLBACK';
  const ending =
    overwritten.length > 0
      ? `ON CONFLICT DO UPDATE SET ${overwritten.map((column) => `${column} = excluded.${column}`).join(', ')}`
      : '';
  const rowAt = (index: number) => {
    const places = columns.map((_, column) => `?${2 + index * width + column}`);
    return `(?1, ${places.join(', ')})`;
  };
  const statements = ROWS_AT_ONCE.map((rows) => {
    const values = Array.from({ length: rows }, (_, index) => rowAt(index)).join(', ');
    const sql = `${insertion} INTO ${table} (project_id, ${columns.join(', ')}) VALUES ${values} ${ending}`;
    return { length: rows * width, insert: connection.prepare(sql) };
  });
  return (project, values) => {
    let at = 0;
    for (const { length, insert } of statements) {
      for (; values.length - at >= length; at += length) {
        insert.run([project, ...values.slice(at, at + length)]);
      }
    }
  };
}

/** A list of values for each project, created on first use. */
export function valuesByProject() {
  const projects = new Map<string, SqlValue[]>();
  return {
    projects,
    of(project: string): SqlValue[] {
      let values = projects.get(project);
      if (!values) {
        values = [];
        projects.set(project, values);
      }
      return values;
    },
  };
}
