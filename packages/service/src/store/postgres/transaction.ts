import type { Writable } from 'node:stream';
import type pg from 'pg';
import { type Row, storableText } from '../database.ts';

export interface PostgresStatement {
  readonly sql: string;
  /** A statement with a name is planned once for each connection. */
  readonly name?: string;
  readonly values: readonly unknown[];
}

/** Longest time that an open transaction may be silent, for example when the network broke in the middle of it. */
const IDLE_MS = 10_000;

/**
 * How a transaction begins. The isolation level is pinned, because counting relies on READ COMMITTED and the server’s
 * default can be another one. The time limits are set here and not when connecting: poolers refuse connections with
 * such parameters.
 */
export function beginWithin(statementTimeoutMs: number): string {
  return (
    'BEGIN ISOLATION LEVEL READ COMMITTED; ' +
    `SET LOCAL statement_timeout = ${statementTimeoutMs}; ` +
    `SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS}`
  );
}

/**
 * Runs the statements in one transaction and returns the rows of each. All messages are sent at once, so that the
 * transaction costs one round trip. After a failed statement the server turns the COMMIT into a ROLLBACK.
 */
export async function runTransaction(
  client: pg.ClientBase,
  begin: string,
  statements: readonly PostgresStatement[],
): Promise<Row[][]> {
  const results = await sendTogether(client, [{ sql: begin }, ...statements, { sql: 'COMMIT' }]);
  return results.slice(1, -1);
}

/**
 * A transaction in two round trips: loads rows, lets `decide` look at them, and saves what it returns. Nothing is saved
 * if it throws.
 */
export async function runTwoTrips<T>(
  client: pg.ClientBase,
  begin: string,
  load: readonly PostgresStatement[],
  decide: (rows: Row[][]) => { readonly save: readonly PostgresStatement[]; readonly result: T },
): Promise<T> {
  try {
    const rows = await sendTogether(client, [{ sql: begin }, ...load]);
    const { save, result } = decide(rows.slice(1));
    await sendTogether(client, [...save, { sql: 'COMMIT' }]);
    return result;
  } catch (error) {
    // If the connection is broken, the server rolls back by itself.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Sends all statements before the first answer comes. A statement without values can hold several commands. */
async function sendTogether(
  client: pg.ClientBase,
  statements: readonly (Omit<PostgresStatement, 'values'> & Partial<Pick<PostgresStatement, 'values'>>)[],
): Promise<Row[][]> {
  const stream = streamOf(client);
  stream?.cork();
  const sent = statements.map(({ name, sql, values }) => {
    if (values === undefined) return client.query(sql);
    const stored = values.map(storable);
    return client.query(
      name === undefined ? { text: sql, values: stored } : { name, text: sql, values: stored },
    );
  });
  stream?.uncork();
  const results = await Promise.allSettled(sent);
  // The first failure is the reason. The statements after it were only skipped.
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.map((result) => (result.status === 'fulfilled' ? (result.value.rows as Row[]) : []));
}

/** The driver writes each message on its own. Held back until the last, they leave in one packet. */
function streamOf(client: pg.ClientBase): Writable | undefined {
  return (client as { readonly connection?: { readonly stream?: Writable } }).connection?.stream;
}

function storable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? storableText(value) : value;
}
