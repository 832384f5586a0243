import type { SqlValue } from '../database.ts';
import type { Connection } from './connection.ts';

/** One statement is prepared for each of these row counts, largest first. */
const ROWS_AT_ONCE = [64, 32, 16, 8, 4, 2, 1];

/** Writes rows that have the same values in the `shared` columns. Their other values are one flat list, row by row. */
export type MultiRowInsert = (shared: readonly SqlValue[], values: readonly SqlValue[]) => void;

/**
 * Writes rows with as few statements as possible and binds what the rows share once a statement: passing a value through
 * the driver costs more than what SQLite does with it.
 *
 * For rows that exist already, the columns in `overwritten` are updated. When `overwritten` is empty, all rows must
 * be new, and a failure rolls the transaction back (`OR ROLLBACK`). It would be rolled back anyway, and SQLite then
 * keeps no copy of each page for undoing the statement alone.
 */
export function multiRowInsert(
  connection: Connection,
  table: string,
  columns: readonly string[],
  overwritten: readonly string[] = [],
  shared: readonly string[] = ['project_id'],
): MultiRowInsert {
  const width = columns.length;
  const sharedPlaces = shared.map((_, at) => `?${at + 1}`);
  const insertion = overwritten.length > 0 ? 'INSERT' : 'INSERT OR ROLLBACK';
  const ending =
    overwritten.length > 0
      ? `ON CONFLICT DO UPDATE SET ${overwritten.map((column) => `${column} = excluded.${column}`).join(', ')}`
      : '';
  const rowAt = (index: number) => {
    const places = columns.map((_, column) => `?${shared.length + 1 + index * width + column}`);
    return `(${[...sharedPlaces, ...places].join(', ')})`;
  };
  const statements = ROWS_AT_ONCE.map((rows) => {
    const values = Array.from({ length: rows }, (_, index) => rowAt(index)).join(', ');
    const sql = `${insertion} INTO ${table} (${[...shared, ...columns].join(', ')}) VALUES ${values} ${ending}`;
    return { length: rows * width, insert: connection.prepare(sql) };
  });
  return (sharedValues, values) => {
    let at = 0;
    for (const { length, insert } of statements) {
      for (; values.length - at >= length; at += length) {
        insert.run([...sharedValues, ...values.slice(at, at + length)]);
      }
    }
  };
}

/** A list of values for each combination of shared values, created on first use. */
export function valuesByShared() {
  const lists = new Map<string, readonly [shared: readonly string[], values: SqlValue[]]>();
  return {
    lists: () => lists.values(),
    of(...shared: readonly string[]): SqlValue[] {
      const name = shared.join('\n');
      let list = lists.get(name);
      if (!list) {
        list = [shared, []];
        lists.set(name, list);
      }
      return list[1];
    },
  };
}
