import type { Row } from './database.ts';

// What reads the columns of a row.

/** `T` can be a union, for a column with one of a few words. This code wrote the column, so the type is trusted. */
export function text<T extends string = string>(row: Row, column: string): T {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`Column ${column} does not hold text`);
  return value as T;
}

export function textOrNull<T extends string = string>(row: Row, column: string): T | null {
  return row[column] === null ? null : text<T>(row, column);
}

export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new TypeError(`Column ${column} does not hold a number`);
  return value;
}

/** A condition, as SQL counts it: 1 or 0. */
export function flag(row: Row, column: string): boolean {
  return integer(row, column) === 1;
}

export function integerOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : integer(row, column);
}

/** A JSON column. This code wrote its content, so the type is trusted. */
export function json<T>(row: Row, column: string): T {
  return JSON.parse(text(row, column)) as T;
}

export function jsonOrNull<T>(row: Row, column: string): T | null {
  return row[column] === null ? null : json<T>(row, column);
}
