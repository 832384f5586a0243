import type { Writable } from 'node:stream';
import type pg from 'pg';
import { type Row, storableText } from '../database.ts';

export interface PostgresStatement {
  readonly sql: string;
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
  const stream = streamOf(client);
  stream?.cork();
  const sent = [
    client.query(begin),
    ...statements.map(({ sql, values }) => client.query(sql, values.map(storable))),
    client.query('COMMIT'),
  ];
  stream?.uncork();
  const results = await Promise.allSettled(sent);
  // The first failure is the reason. The statements after it were only skipped.
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results
    .slice(1, -1)
    .map((result) => (result.status === 'fulfilled' ? (result.value.rows as Row[]) : []));
}

/** The driver writes each message on its own. Held back until the last, they leave in one packet. */
function streamOf(client: pg.ClientBase): Writable | undefined {
  return (client as { readonly connection?: { readonly stream?: Writable } }).connection?.stream;
}

function storable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? storableText(value) : value;
}
