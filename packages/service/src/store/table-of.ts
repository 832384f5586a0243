import { integer, integerOrNull, json } from './columns.ts';
import {
  type Condition,
  type Database,
  mustHold,
  type Row,
  type SqlValue,
  type Statement,
  statement,
} from './database.ts';

/** Reads a column. Its type is the type of the column’s values. */
export interface Column<T = unknown> {
  (row: Row, column: string): T;
  /** How a value is stored. Without it, objects and lists are stored as JSON, and other values as they are. */
  readonly write?: (value: never) => SqlValue;
}

export type Columns = Readonly<Record<string, Column>>;
type ValuesOf<C> = {
  readonly [K in keyof C]: C[K] extends (row: Row, column: string) => infer T ? T : never;
};
type NullableIn<T> = { [K in keyof T]: null extends T[K] ? K : never }[keyof T];

/** A row to insert. Columns that can be `null` may be left out. */
type NewRow<T> = Omit<T, NullableIn<T>> & Partial<Pick<T, NullableIn<T>>>;

/** A row as it is read. */
export type RowOf<T> = T extends { fromRow(row: Row): infer R } ? R : never;

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
  /** Where the rows are. What follows, `rest`, begins with `AND` or `ORDER BY`. */
  select(match: Match<T>, rest?: string, ...values: SqlValue[]): Statement;
  find(read: Database['read'], match: Match<T>, rest?: string, ...values: SqlValue[]): Promise<T | undefined>;
  findAll(read: Database['read'], match: Match<T>, rest?: string, ...values: SqlValue[]): Promise<T[]>;
  update(match: Match<T>, change: Change<T>, rest?: string, ...values: SqlValue[]): Statement;
  remove(match: Match<T>, rest?: string, ...values: SqlValue[]): Statement;
  /** Ends the transaction, and nothing of it stays, unless there is such a row. */
  mustHave(match: Match<T>, rest?: string, ...values: SqlValue[]): Statement;
}

/** What columns of the wanted rows have: a value, or one of several. */
export type Match<T> = { readonly [K in keyof T]?: T[K] | readonly T[K][] };

/** New values of columns, those that are given. `also` adds assignments in SQL, such as `version = version + 1`. */
export type Change<T> = Partial<T> & { readonly also?: string };

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

/** Reads the rows of any statement with these columns. `projectId` is in the column `project_id`. */
export function rowOf<C extends Columns>(declared: C) {
  const fields = Object.entries(declared).map(([field, read]) => ({ field, column: snakeCase(field), read }));
  const fromRow = (row: Row) => readFields(fields, row) as ValuesOf<C>;
  const findAll = async (read: Database['read'], sql: string, ...values: SqlValue[]) =>
    (await read(statement(sql, ...values))).map(fromRow);
  return {
    fromRow,
    findAll,
    find: async (...query: Parameters<typeof findAll>) => (await findAll(...query))[0],
  };
}

function readFields(
  fields: readonly { readonly field: string; readonly column: string; readonly read: Column }[],
  row: Row,
  prefix = '',
): object {
  return Object.fromEntries(fields.map(({ field, column, read }) => [field, read(row, prefix + column)]));
}

/** Declares a table’s columns, in the order of a dump. `projectId` is stored in the column `project_id`. */
export function tableOf<C extends Columns, N extends string>(
  name: N,
  declared: C,
  nameOf: (field: string) => string = snakeCase,
): Table<ValuesOf<C>, N> {
  const fields = Object.entries(declared).map(([field, read]) => ({ field, column: nameOf(field), read }));
  const list = fields.map(({ column }) => quoted(column)).join(', ');
  const fromPrefixed = (row: Row, prefix: string) => readFields(fields, row, prefix) as ValuesOf<C>;
  const where = (match: object, rest = '', ...values: SqlValue[]): Condition => {
    const tests = Object.entries(match).map(([field, wanted]): Condition => {
      const { column, read } = fields.find((each) => each.field === field) ?? noField(name, field);
      const values = (Array.isArray(wanted) ? wanted : [wanted]).map((value) => stored(read, value));
      if (Array.isArray(wanted))
        return { sql: `${quoted(column)} IN (${values.map(() => '?').join(', ')})`, values };
      if (values[0] === null) return { sql: `${quoted(column)} IS NULL`, values: [] };
      return { sql: `${quoted(column)} = ?`, values };
    });
    const found = tests.map(({ sql }) => sql).join(' AND ');
    return {
      sql: found === '' ? rest.replace(/^AND /, 'WHERE ') : `WHERE ${found} ${rest}`,
      values: [...tests.flatMap((test) => test.values), ...values],
    };
  };
  const select = (...wanted: Parameters<typeof where>): Statement => {
    const { sql, values } = where(...wanted);
    return statement(`SELECT ${list} FROM ${name} ${sql}`, ...values);
  };
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
    select,
    find: async (read, ...wanted) => {
      const [row] = await read(select(...wanted));
      return row && fromPrefixed(row, '');
    },
    async findAll(read, match, ...rest) {
      if (Object.values(match).some((wanted) => Array.isArray(wanted) && wanted.length === 0)) return [];
      return (await read(select(match, ...rest))).map((row) => fromPrefixed(row, ''));
    },
    update(match, { also, ...change }, ...rest) {
      const given = change as Readonly<Record<string, unknown>>;
      const changed = fields.filter(({ field }) => given[field] !== undefined);
      const set = changed.map(({ column }) => `${quoted(column)} = ?`);
      if (also !== undefined) set.push(also);
      const { sql, values } = where(match, ...rest);
      const changes = changed.map(({ field, read }) => stored(read, given[field]));
      return statement(`UPDATE ${name} SET ${set.join(', ')} ${sql}`, ...changes, ...values);
    },
    remove(...wanted) {
      const { sql, values } = where(...wanted);
      return statement(`DELETE FROM ${name} ${sql}`, ...values);
    },
    mustHave(...wanted) {
      const { sql, values } = where(...wanted);
      return mustHold(`EXISTS (SELECT 1 FROM ${name} ${sql})`, ...values);
    },
  };
}

function noField(table: string, field: string): never {
  throw new Error(`The table ${table} has no column ${field}`);
}

function typeOf(read: Column): Field['type'] {
  if (isInteger(read)) return 'BIGINT';
  return read === json ? 'JSON' : 'TEXT';
}

const isInteger = (read: Column) => read === integer || read === integerOrNull;

function stored({ write }: Column, value: unknown): SqlValue {
  if (value === undefined) throw new TypeError('A column was given no value');
  if (value === null) return null;
  if (write !== undefined) return write(value as never);
  return typeof value === 'object' ? JSON.stringify(value) : (value as SqlValue);
}

function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const quoted = (column: string) => (/[A-Z]/.test(column) ? `"${column}"` : column);

/** A time of the sign-in library: ISO text in SQLite, a timestamp in PostgreSQL. */
export function libraryTime(row: Row, column: string): string | null {
  return row[column] as string | null;
}

/** `true` or `false` of the sign-in library: 0 or 1 in SQLite. */
export function libraryBoolean(row: Row, column: string): number | null {
  return row[column] as number | null;
}
