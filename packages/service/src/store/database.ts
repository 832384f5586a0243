/** Values that both back ends can bind and return: no booleans, dates or binary data. */
export type SqlValue = string | number | null;

export type Row = Readonly<Record<string, SqlValue>>;

/** SQL that both back ends understand, with `?` for each value. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A condition on which a statement inside a transaction depends. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A condition that is true where all of them are. */
export function allOf(...conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => sql).join(' AND ') || 'TRUE',
    values: conditions.flatMap(({ values }) => values),
  };
}

export const ALWAYS: Condition = { sql: '1 = 1', values: [] };

/** The operations that tables outside the request path need from a back end, so that their SQL is written once. */
export interface Database {
  /** A short read of committed data. */
  read(statement: Statement): Promise<Row[]>;
  /** A read that may take long, on a connection that no request waits for. */
  browse(statement: Statement): Promise<Row[]>;
  /** Runs the statements in one transaction, in order, and returns the rows of each. */
  write(statements: readonly Statement[]): Promise<Row[][]>;
}

export function statement(sql: string, ...values: SqlValue[]): Statement {
  return { sql, values };
}

/**
 * PostgreSQL stores neither NUL nor half of a surrogate pair, in text or in JSON. Both become the replacement character.
 */
export function storableText(value: string): string {
  return Buffer.from(value).toString().replaceAll('\0', '\uFFFD');
}

/** Runs one statement, which must have RETURNING, and returns whether it changed any row. */
export async function hasChanged(database: Database, change: Statement): Promise<boolean> {
  const [rows] = await database.write([change]);
  return hasRows(rows);
}

export function hasRows(rows: readonly Row[] | undefined): boolean {
  return rows !== undefined && rows.length > 0;
}

/** Locks the project’s row. Requests of the project and everything that changes their data wait for this lock. */
export function lockProject(id: string): Statement {
  return statement('UPDATE project SET version = version WHERE id = ?', id);
}

/** Every transaction that changes members starts with this lock, so that they run one after the other. */
export function lockMembers(): Statement {
  return lockName('members');
}

/**
 * Concurrent transactions that lock the same name run one after the other. The lock is a row of the table `secret`,
 * because both back ends make a second writer of a row wait, and this table has a free name as its key.
 */
export function lockName(name: string): Statement {
  return statement(
    `INSERT INTO secret (name, value) VALUES (?, '') ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    `lock:${name}`,
  );
}

/**
 * Ends the transaction, and nothing of it stays, unless the condition is true. A column that must not be NULL does it:
 * both back ends know that.
 */
export function mustHold(condition: string, ...values: SqlValue[]): Statement {
  return statement(
    `INSERT INTO secret (name, value) SELECT 'unmet', CAST(NULL AS TEXT) WHERE NOT (${condition})`,
    ...values,
  );
}
