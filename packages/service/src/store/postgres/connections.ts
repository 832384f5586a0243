import pg from 'pg';
import { BoundedMap } from '../../model/bounded-map.ts';
import type { Database, Row, Statement } from '../database.ts';
import { StoreUnavailable } from '../store.ts';

/** Together less than the two seconds in which a request must have an answer. */
const CONNECT_TIMEOUT_MS = 700;
/** Administration and pages for people can wait longer for a busy server. */
const LONG_CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 1_000;
/** A server that went silent does not even say that a statement took too long. */
const SILENCE_MS = 300;
/** Log pages and exports can take longer, because no request waits for them. */
const BROWSE_TIMEOUT_MS = 15_000;

export interface ConnectionOptions {
  readonly url: string;
  /** Connections for requests; the tables and the dashboard have a few of their own. */
  readonly connections: number;
}

export interface Connections {
  /** One statement in its own transaction, for requests. */
  hot(sql: string, values: readonly unknown[]): Promise<Row[]>;
  readonly database: Database;
  /** A dedicated connection with an open transaction, without a time limit. */
  session(begin: string): Promise<Session>;
  close(): Promise<void>;
}

export interface Session {
  query(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Commits or rolls back the transaction and returns the connection. */
  end(how: 'COMMIT' | 'ROLLBACK'): Promise<void>;
}

/** The statement was sent and no answer came, so it may have been executed. */
export class AnswerLost extends StoreUnavailable {}

export function openConnections({ url, connections }: ConnectionOptions): Connections {
  const hot = pool(url, connections, CONNECT_TIMEOUT_MS, STATEMENT_TIMEOUT_MS);
  const admin = pool(url, 3, LONG_CONNECT_TIMEOUT_MS, STATEMENT_TIMEOUT_MS);
  const browse = pool(url, 3, LONG_CONNECT_TIMEOUT_MS, BROWSE_TIMEOUT_MS);

  const transact = (statements: readonly Statement[]) =>
    borrow(admin, async (client) => {
      await client.query('BEGIN');
      try {
        const results: Row[][] = [];
        for (const { sql, values } of statements)
          results.push((await client.query(numbered(sql), values.map(storable))).rows);
        await client.query('COMMIT');
        return results;
      } catch (error) {
        if (isRefusal(error)) await client.query('ROLLBACK');
        throw error;
      }
    });

  return {
    hot: (sql, values) => single(hot, sql, values),
    database: {
      read: ({ sql, values }) => single(admin, numbered(sql), values),
      browse: ({ sql, values }) => single(browse, numbered(sql), values),
      write: transact,
    },
    session: (begin) => openSession(browse, begin),
    async close() {
      await Promise.all([hot.end(), admin.end(), browse.end()]);
    },
  };
}

function pool(url: string, max: number, connectTimeoutMs: number, statementTimeoutMs: number): pg.Pool {
  const made = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + SILENCE_MS,
    idle_in_transaction_session_timeout: 10_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'postern',
    types: { getTypeParser: numbersAsNumbers },
  });
  // A broken connection is replaced when it is needed. Its user gets the error from the statement. Without a listener
  // the error event would end the process.
  made.on('error', () => {});
  made.on('connect', (client) => client.on('error', () => {}));
  return made;
}

/** Counts and times are far below 2^53; PostgreSQL’s BIGINT (20) and NUMERIC (1700) come as text otherwise. */
const numbersAsNumbers: pg.CustomTypesConfig['getTypeParser'] = (oid: number, format?: 'text' | 'binary') =>
  oid === 20 || oid === 1700 ? Number : pg.types.getTypeParser(oid, format as 'text');

function single(from: pg.Pool, sql: string, values: readonly unknown[]): Promise<Row[]> {
  return borrow(from, async (client) => (await client.query(sql, values.map(storable))).rows);
}

async function borrow<T>(from: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  let client: pg.PoolClient;
  try {
    client = await from.connect();
  } catch (error) {
    throw new StoreUnavailable('The database cannot be reached', { cause: error });
  }
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    // A connection is reused only if it worked without an error. After a failover it could lead to the wrong server.
    client.release(!isOrdinary(error));
    throw explain(error);
  }
}

async function openSession(from: pg.Pool, begin: string): Promise<Session> {
  const client = await from.connect().catch((error: unknown) => {
    throw new StoreUnavailable('The database cannot be reached', { cause: error });
  });
  const query = async (sql: string, values: readonly unknown[] = []): Promise<Row[]> => {
    try {
      return (await client.query(sql, [...values])).rows;
    } catch (error) {
      throw explain(error);
    }
  };
  try {
    await query(begin);
    // The reader or writer at the other end of an export can be slow.
    await query('SET LOCAL idle_in_transaction_session_timeout = 0');
  } catch (error) {
    client.release(true);
    throw error;
  }
  return {
    query,
    async end(how) {
      try {
        await query(how);
        client.release();
      } catch (error) {
        client.release(true);
        throw error;
      }
    },
  };
}

function explain(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error;
  if (isOrdinary(error)) return error;
  if (isRefusal(error))
    return new StoreUnavailable(`The database refuses: ${error.message}`, { cause: error });
  return new AnswerLost('The database did not answer', { cause: error });
}

/** The server itself answered that it did not execute the statement. */
function isRefusal(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.severity !== 'FATAL' && error.severity !== 'PANIC';
}

/**
 * Errors that say something about the statement, not about the server’s state: data (22), constraints (23),
 * syntax and names (42), raised by a function (P0). https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
function isOrdinary(error: unknown): boolean {
  return isRefusal(error) && /^(22|23|42|P0)/.test(error.code ?? '');
}

/** PostgreSQL text cannot contain NUL. It becomes the replacement character, like a lone surrogate. */
function storable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}

const numberedStatements = new BoundedMap<string, string>(2_000);

/** `$1, $2 …` for the `?` of the shared statements, none of which has a `?` in a literal. */
function numbered(sql: string): string {
  let result = numberedStatements.get(sql);
  if (result === undefined) {
    let position = 0;
    result = sql.replaceAll('?', () => {
      position += 1;
      return `$${position}`;
    });
    numberedStatements.set(sql, result);
  }
  return result;
}
