import {
  integer,
  integerOrNull,
  json,
  type Row,
  type SqlValue,
  type Statement,
  statement,
} from './database.ts';
import type { Condition } from './tables/condition.ts';

/** Reads a column. Its type is the type of the column’s values. */
export interface Column<T = unknown> {
  (row: Row, column: string): T;
  /** How a value is stored. Without it, objects and lists are stored as JSON, and other values as they are. */
  readonly write?: (value: never) => SqlValue;
}

type Columns = Readonly<Record<string, Column>>;
type ValuesOf<C> = {
  readonly [K in keyof C]: C[K] extends (row: Row, column: string) => infer T ? T : never;
};
type NullableIn<T> = { [K in keyof T]: null extends T[K] ? K : never }[keyof T];

/** A row to insert. Columns that can be `null` may be left out. */
type NewRow<T> = Omit<T, NullableIn<T>> & Partial<Pick<T, NullableIn<T>>>;

/** A row as it is read. */
export type RowOf<T> = T extends Table<infer R> ? R : never;

export interface Table<T, N extends string = string> {
  readonly name: N;
  /** The names in SQL, with what reads each. */
  readonly columns: ReadonlyMap<string, Column>;
  readonly fields: readonly Field[];
  /** All columns, for SELECT and RETURNING. */
  readonly list: string;
  /** All columns of the table in a join. The prefix keeps them apart from those of the others. */
  prefixed(alias: string, prefix: string): string;
  fromRow(row: Row): T;
  fromPrefixed(row: Row, prefix: string): T;
  insert(row: NewRow<T>, options?: InsertOptions): Statement;
  /** `column = ?` for each field that is given, and the values, for UPDATE. */
  assignments(change: Partial<T>): {
    readonly columns: readonly string[];
    readonly values: readonly SqlValue[];
  };
}

/** A column and the name of its value in a row that was read. */
export interface Field {
  readonly field: string;
  readonly column: string;
  readonly type: 'BIGINT' | 'TEXT' | 'JSON';
}

interface InsertOptions {
  /** Inserts only if this is true. */
  readonly when?: Condition;
  /** What follows the values, such as `ON CONFLICT … RETURNING …`. */
  readonly suffix?: string;
}

/** Declares a table’s columns, in the order of a dump. `projectId` is stored in the column `project_id`. */
export function tableOf<C extends Columns, N extends string>(
  name: N,
  declared: C,
  nameOf: (field: string) => string = snakeCase,
): Table<ValuesOf<C>, N> {
  const fields = Object.entries(declared).map(([field, read]) => ({ field, column: nameOf(field), read }));
  const list = fields.map(({ column }) => quoted(column)).join(', ');
  const fromPrefixed = (row: Row, prefix: string) =>
    Object.fromEntries(
      fields.map(({ field, column, read }) => [field, read(row, prefix + column)]),
    ) as ValuesOf<C>;
  return {
    name,
    fields: fields.map(({ field, column, read }) => ({ field, column, type: typeOf(read) })),
    columns: new Map(fields.map(({ column, read }) => [column, read])),
    list,
    prefixed: (alias, prefix) =>
      fields.map(({ column }) => `${alias}.${quoted(column)} AS ${quoted(prefix + column)}`).join(', '),
    fromRow: (row) => fromPrefixed(row, ''),
    fromPrefixed,
    insert(row, { when, suffix = '' } = {}) {
      const given = row as Readonly<Record<string, unknown>>;
      const values = fields.map(({ field, read }) => stored(read, given[field] ?? null));
      const into = `INSERT INTO ${name} (${list})`;
      if (when === undefined)
        return statement(`${into} VALUES (${fields.map(() => '?').join(', ')}) ${suffix}`, ...values);
      // PostgreSQL does not know the types of values that are selected.
      const typed = fields.map(({ read }) => `CAST(? AS ${isInteger(read) ? 'BIGINT' : 'TEXT'})`);
      return statement(
        `${into} SELECT ${typed.join(', ')} WHERE ${when.sql} ${suffix}`,
        ...values,
        ...when.values,
      );
    },
    assignments(change) {
      const given = change as Readonly<Record<string, unknown>>;
      const changed = fields.filter(({ field }) => given[field] !== undefined);
      return {
        columns: changed.map(({ column }) => `${quoted(column)} = ?`),
        values: changed.map(({ field, read }) => stored(read, given[field])),
      };
    },
  };
}

function typeOf(read: Column): Field['type'] {
  if (isInteger(read)) return 'BIGINT';
  return read === json ? 'JSON' : 'TEXT';
}

const isInteger = (read: Column) => read === integer || read === integerOrNull;

function stored({ write }: Column, value: unknown): SqlValue {
  if (value === null) return null;
  if (write !== undefined) return write(value as never);
  return typeof value === 'object' ? JSON.stringify(value) : (value as SqlValue);
}

function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const quoted = (column: string) => (/[A-Z]/.test(column) ? `"${column}"` : column);

/** The columns of the sign-in library have its own names. */
export const asNamed = (field: string): string => field;

/** A time of the sign-in library: ISO text in SQLite, a timestamp in PostgreSQL. */
export function libraryTime(row: Row, column: string): string | null {
  return row[column] as string | null;
}

/** `true` or `false` of the sign-in library: 0 or 1 in SQLite. */
export function libraryBoolean(row: Row, column: string): number | null {
  return row[column] as number | null;
}
