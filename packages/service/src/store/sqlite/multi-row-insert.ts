import type { SqlValue } from '../database.ts';
import type { Connection } from './connection.ts';

/** A statement is prepared for each of these numbers of rows, largest first. */
const ROWS_AT_ONCE = [64, 32, 16, 8, 4, 2, 1];

/**
 * Writes rows by as few statements as can be: the way through the driver costs more than what SQLite does with
 * a row. The rows come as one list of their values; `ending` is what follows them in the SQL.
 */
export function multiRowInsert(
  connection: Connection,
  table: string,
  columns: readonly string[],
  ending = '',
): (values: readonly SqlValue[]) => void {
  const row = `(${columns.map(() => '?').join(', ')})`;
  const statements = ROWS_AT_ONCE.map((rows) => ({
    length: rows * columns.length,
    insert: connection.prepare(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array.from({ length: rows }, () => row).join(', ')} ${ending}`,
    ),
  }));
  return (values) => {
    let at = 0;
    for (const { length, insert } of statements) {
      for (; values.length - at >= length; at += length) insert.run(values.slice(at, at + length));
    }
  };
}
