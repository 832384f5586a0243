import type { SqlValue } from '../database.ts';
import type { Connection } from './connection.ts';

/** A statement is prepared for each of these numbers of rows, largest first. */
const ROWS_AT_ONCE = [64, 32, 16, 8, 4, 2, 1];

/** Writes rows of one project; their values come as one list, row by row. */
export type MultiRowInsert = (project: string, values: readonly SqlValue[]) => void;

/**
 * Writes rows by as few statements as can be, and hands the project over once a statement: the way of a value
 * through the driver costs more than what SQLite does with it.
 *
 * Rows that are there already have those columns overwritten that are named. Where none is named all rows are
 * new: that a failure then takes back the whole transaction, which it would come to anyhow, saves SQLite a copy
 * of each page that the statement touches.
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

/** Lists of values by project, each begun when it is first asked for. */
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
