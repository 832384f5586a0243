export type Dialect = 'sqlite' | 'postgres';

/** The default of a time that the sign-in library does not give. */
const NOW = "(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))";

/**
 * The tables are written once, in SQLite’s words. In PostgreSQL keys compare byte by byte, as in SQLite, and the sign-in
 * library needs real times.
 */
export function inDialect(dialect: Dialect, sql: string): string {
  if (dialect === 'sqlite') return sql;
  return sql
    .replaceAll(NOW, 'now()')
    .replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"')
    .replaceAll(/\bINTEGER\b/g, 'BIGINT')
    .replaceAll(/\bDATE\b/g, 'TIMESTAMPTZ')
    .replaceAll(' WITHOUT ROWID', '');
}
