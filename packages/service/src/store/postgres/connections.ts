import { DAY_MS } from '@postern/contract';
import pg from 'pg';
import { BoundedMap } from '../../model/bounded-map.ts';
import { getOrMake } from '../../model/get-or-make.ts';
import type { Database, Row, Statement } from '../database.ts';
import { type Patience, patiently } from '../deadline.ts';
import { type ConnectionCounts, StoreUnavailable } from '../store.ts';
import type { DatabaseHost, DatabaseTarget } from './database-target.ts';
import { explainStatement, isOrdinary } from './explain-failure.ts';
import { clientClassFor, createHosts, expectPrimary, type Hosts, tryHosts } from './hosts.ts';
import { beginWithin, type PostgresStatement, runTransaction, runTwoTrips } from './transaction.ts';

// For requests. They add up to two seconds. The caller already gets a 503 after `REQUEST_TIMEOUT_MS`.
const CONNECT_TIMEOUT_MS = 700;
const STATEMENT_TIMEOUT_MS = 1_000;
/** Extra time before we give up on a server that does not even report its own time-out. */
const SILENCE_MS = 300;
const IDLE_MS = 60_000;
/** Under a small connection limit these must not keep requests out after the start. */
const SHORT_IDLE_MS = 5_000;
/** Administration and pages for people can wait longer for a busy server. */
const LONG_CONNECT_TIMEOUT_MS = 5_000;
/** A transaction of the tables has several statements, each with its own time limit. */
const LONG_SILENCE_MS = 4_000;
/** Log pages and exports can take longer, because no request waits for them. */
const BROWSE_TIMEOUT_MS = 15_000;
/** Deleting or importing a large project takes minutes. The driver has no value for “no limit”. */
const SESSION_QUERY_TIMEOUT_MS = DAY_MS;

export interface ConnectionOptions {
  readonly target: DatabaseTarget;
  /** Connections for requests; the tables and the dashboard have a few of their own. */
  readonly connections: number;
  /** For commands, which wait for a busy or restarting server. */
  readonly patience?: Patience | undefined;
}

export interface Connections {
  /** One statement in its own transaction, for requests. */
  hot(sql: string, values: readonly unknown[]): Promise<Row[]>;
  /** One transaction in two round trips, for requests. It is not run again if the answer to COMMIT is lost. */
  twoTrips<T>(
    load: readonly PostgresStatement[],
    decide: (rows: Row[][]) => { readonly save: readonly PostgresStatement[]; readonly result: T },
  ): Promise<T>;
  readonly database: Database;
  /** A connection of its own with an open transaction, in which a statement can take hours. */
  session(begin: string): Promise<Session>;
  /** Connections for requests. */
  counts(): ConnectionCounts;
  close(): Promise<void>;
}

export interface Session {
  query(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Commits or rolls back the transaction and returns the connection. */
  end(how: 'COMMIT' | 'ROLLBACK'): Promise<void>;
}

interface PoolWithLimits {
  readonly pool: pg.Pool;
  readonly hosts: Hosts;
  readonly begin: string;
  /** Conflicts with other transactions are retried for this long. */
  readonly retryMs: number;
  readonly patience: Patience | undefined;
}

export function openConnections({ target, connections, patience }: ConnectionOptions): Connections {
  const hosts = createHosts(target);
  const poolOf = (
    max: number,
    connectMs: number,
    statementMs: number,
    silenceMs: number,
    idleMs: number,
  ): PoolWithLimits => {
    const connectTimeoutMs = Math.max(connectMs, patience?.limitMs ?? 0);
    const statementTimeoutMs = Math.max(statementMs, patience?.limitMs ?? 0);
    return {
      pool: createPool(target, hosts, max, connectTimeoutMs, statementTimeoutMs + silenceMs, idleMs),
      hosts,
      begin: beginWithin(statementTimeoutMs),
      retryMs: statementTimeoutMs,
      patience,
    };
  };
  const hot = poolOf(connections, CONNECT_TIMEOUT_MS, STATEMENT_TIMEOUT_MS, SILENCE_MS, IDLE_MS);
  const admin = poolOf(3, LONG_CONNECT_TIMEOUT_MS, STATEMENT_TIMEOUT_MS, LONG_SILENCE_MS, SHORT_IDLE_MS);
  const browse = poolOf(3, LONG_CONNECT_TIMEOUT_MS, BROWSE_TIMEOUT_MS, SILENCE_MS, SHORT_IDLE_MS);
  const single = async (from: PoolWithLimits, { sql, values }: Statement): Promise<Row[]> =>
    (await transact(from, [{ sql: numbered(sql), values }]))[0] ?? [];

  return {
    hot: async (sql, values) => (await transact(hot, [{ sql, values }]))[0] ?? [],
    twoTrips: (load, decide) =>
      transacting(hot, (client, begin) => runTwoTrips(client, begin + SETTLE_PLANS, load, decide)),
    database: {
      read: (statement) => single(admin, statement),
      browse: (statement) => single(browse, statement),
      write: (statements) =>
        transact(
          admin,
          statements.map(({ sql, values }) => ({ sql: numbered(sql), values })),
        ),
    },
    session: (begin) => openSession(browse, begin),
    counts: () => ({
      busy: hot.pool.totalCount - hot.pool.idleCount,
      idle: hot.pool.idleCount,
      waiting: hot.pool.waitingCount,
    }),
    async close() {
      await Promise.all([hot, admin, browse].map(({ pool }) => pool.end()));
    },
  };
}

function createPool(
  target: DatabaseTarget,
  hosts: Hosts,
  max: number,
  connectTimeoutMs: number,
  queryTimeoutMs: number,
  idleTimeoutMillis: number,
): pg.Pool {
  const options: pg.PoolConfig & { readonly pipeline: true } = {
    ...target.settings,
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
    idleTimeoutMillis,
    keepAlive: true,
    types: { getTypeParser: numbersAsNumbers },
    pipeline: true,
    Client: clientClassFor(target, hosts),
    ...(target.needsPrimary && { onConnect: expectPrimary }),
  };
  const pool = new pg.Pool(options);
  // A broken connection is replaced when it is needed. Its user gets the error from the statement. Without a listener
  // the error event would end the process.
  pool.on('error', () => {});
  return pool;
}

/** By default the driver returns BIGINT (20) and NUMERIC (1700) as text. Our counts and times are far below 2^53. */
const numbersAsNumbers: pg.CustomTypesConfig['getTypeParser'] = (oid: number, format?: 'text' | 'binary') =>
  oid === 20 || oid === 1700 ? Number : pg.types.getTypeParser(oid, format as 'text');

/**
 * A plan is made once for a connection and kept, perhaps while the tables are still empty. These settings make it the one
 * that stays right when they are full: every look-up by its key.
 */
export const SETTLE_PLANS = ['plan_cache_mode = force_generic_plan', 'jit = off', 'enable_seqscan = off']
  .concat(['enable_hashjoin = off', 'enable_mergejoin = off', 'enable_bitmapscan = off', 'enable_sort = off'])
  .map((setting) => `; SET LOCAL ${setting}`)
  .join('');

function transact(from: PoolWithLimits, statements: readonly PostgresStatement[]): Promise<Row[][]> {
  return transacting(from, (client, begin) => runTransaction(client, begin, statements));
}

type Transaction<T> = (client: pg.ClientBase, begin: string) => Promise<T>;

/** Runs one transaction. If it failed only because of others or of a failover, it is run again. */
async function transacting<T>(from: PoolWithLimits, run: Transaction<T>): Promise<T> {
  const since = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptTransaction(from, run);
    } catch (error) {
      if (!mayTryAgain(error, from) || performance.now() - since > from.retryMs) throw error;
      // A random delay, so that the same transactions do not collide again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(50, 2 ** attempt)));
    }
  }
}

/** The server answered that nothing was done: a conflict, or a host that is no longer the primary. */
function mayTryAgain(error: unknown, { hosts }: PoolWithLimits): boolean {
  return (
    isConflict(error) || (hosts.count > 1 && error instanceof StoreUnavailable && error.code === '25006')
  );
}

/** A serialization failure or a deadlock: the transaction was rolled back because of others. */
function isConflict(error: unknown): boolean {
  return error instanceof StoreUnavailable && (error.code === '40001' || error.code === '40P01');
}

/**
 * The server cancelled the statement after its time limit, so it is overloaded. A new connection in place of this one
 * would have to plan its statements again and make that worse.
 */
function isCancelled(error: unknown): boolean {
  return error instanceof StoreUnavailable && error.code === '57014';
}

async function attemptTransaction<T>(
  { pool, hosts, begin, patience }: PoolWithLimits,
  run: Transaction<T>,
): Promise<T> {
  const client = await connect(pool, hosts, patience);
  try {
    const result = await run(client, begin);
    client.release();
    return result;
  } catch (error) {
    const reason = explainStatement(error);
    // After any other error the connection is not used again: it could lead to a server that is no longer the primary.
    client.release(!isOrdinary(error) && !isConflict(reason) && !isCancelled(reason));
    if (reason instanceof StoreUnavailable && reason.code === '25006') hosts.failed(hostOf(client, hosts));
    throw reason;
  }
}

function connect(pool: pg.Pool, hosts: Hosts, patience: Patience | undefined): Promise<pg.PoolClient> {
  return patiently(patience, () => tryHosts(hosts, () => pool.connect()));
}

function hostOf(client: pg.PoolClient, hosts: Hosts): DatabaseHost {
  return (client as { readonly databaseHost?: DatabaseHost }).databaseHost ?? hosts.current();
}

async function openSession({ pool, hosts, patience }: PoolWithLimits, begin: string): Promise<Session> {
  const client = await connect(pool, hosts, patience);
  const query = async (sql: string, values: readonly unknown[] = []): Promise<Row[]> => {
    try {
      const config = { text: sql, values: [...values], query_timeout: SESSION_QUERY_TIMEOUT_MS };
      return (await client.query(config)).rows;
    } catch (error) {
      throw explainStatement(error);
    }
  };
  try {
    await query(begin);
    await query('SET LOCAL statement_timeout = 0');
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

const numberedStatements = new BoundedMap<string, string>(2_000);

/** `$1, $2 …` for the `?` of the shared statements, none of which has a `?` in a literal. */
export function numbered(sql: string): string {
  return getOrMake(numberedStatements, sql, () => {
    let position = 0;
    return sql.replaceAll('?', () => {
      position += 1;
      return `$${position}`;
    });
  });
}
