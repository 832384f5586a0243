import { createKeyedHash } from '../../model/keyed-hash.ts';
import type { AdministeredStore } from '../administered-store.ts';
import { type Batcher, createBatcher, MAX_BATCH } from '../batcher.ts';
import { clockStore } from '../clock.ts';
import { type Database, statement } from '../database.ts';
import { createDeadlineTimer, type DeadlineTimer, type Patience, withDeadline } from '../deadline.ts';
import { erasure } from '../erasure.ts';
import { postgresMigrations } from '../schemas.ts';
import type { SettleTools } from '../settle/settle.ts';
import type { Judge } from '../submission.ts';
import { sweeping } from '../sweep.ts';
import { tableStores } from '../table-stores.ts';
import { hashSecret } from '../tables/instance-table.ts';
import { hashHandle, type KeyWithProject, keysWithProjects, toKeyWithProject } from '../tables/key-table.ts';
import { mergeSometimes } from '../tables/statistics-table.ts';
import { takeQuota } from '../tables/take-quota.ts';
import { timedIds } from '../timed-id.ts';
import { type Connections, openConnections } from './connections.ts';
import { parseDatabaseUrl } from './database-target.ts';
import { type MigrationWatcher, migratePostgres } from './migrate-postgres.ts';
import { postgresAdministration } from './postgres-administration.ts';
import { createSettleProjects } from './settle-projects.ts';

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  readonly judge: Judge;
  /** Connections that requests share; the tables and the dashboard use six more. */
  readonly connections?: number;
  /** For commands, which wait for a busy or restarting server. */
  readonly patience?: Patience | undefined;
  readonly migration?: MigrationWatcher | undefined;
}

/** The store for more than one machine. Any number of processes can open the same database. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<AdministeredStore> {
  const { patience } = options;
  const target = parseDatabaseUrl(options.url);
  await migratePostgres(target, postgresMigrations, patience, options.migration);
  const connections = openConnections({ target, connections: options.connections ?? 8, patience });
  const { database } = connections;
  const swept = byIndex(database);
  const timedId = timedIds();
  const startTimer = createDeadlineTimer();
  const keyFinder = createKeyFinder(connections, startTimer);
  const tables = tableStores(database, 'postgres', startTimer, timedId);
  const { statistics, instance } = tables;
  const merges = mergeSometimes(statistics.merge);
  let tools: Promise<SettleTools> | undefined;
  const projects = createSettleProjects({
    connections,
    startTimer,
    batchSettled: merges.batchSettled,
    tools() {
      tools ??= hashSecret(instance).then((secret) => {
        const hash = createKeyedHash(secret);
        return { judge: options.judge, hashInbox: (name) => hash('inbox', name), newId: timedId };
      });
      tools.catch(() => {
        tools = undefined;
      });
      return tools;
    },
  });

  return {
    findKey: keyFinder.call,
    settle: projects.settle,
    ...tables,
    takeQuota: (request) =>
      // The lock that the settle function takes.
      takeQuota(
        database,
        request,
        statement('SELECT version FROM project WHERE id = ? FOR NO KEY UPDATE', request.projectId),
      ),
    erasure: erasure(database, statistics.forgetDomain),
    clock: clockStore(database, 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)'),
    connections: () => connections.counts(),
    async ping() {
      await withDeadline(startTimer, patience?.limitMs, connections.hot('SELECT 1', []));
    },
    compact: async () => 'done',
    sweep: sweeping(swept, statistics.merge),
    ...postgresAdministration(target.place, connections),
    async close() {
      await projects.idle();
      await merges.idle();
      await connections.close();
    },
  };
}

/**
 * The oldest rows come first in an index. With poor statistics, as for a new table, the planner reads and sorts all
 * rows of a project instead, and requests that wait for the same lock are delayed.
 */
const BY_INDEX = statement(
  `SELECT ${['enable_sort', 'enable_bitmapscan', 'enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']
    .map((setting) => `set_config('${setting}', 'off', true)`)
    .join(', ')}`,
);

export function byIndex(database: Database): Database {
  const write: Database['write'] = async (statements) =>
    (await database.write([BY_INDEX, ...statements])).slice(1);
  const read: Database['read'] = async (one) => (await write([one]))[0] ?? [];
  return { read, browse: read, write };
}

const FIND = keysWithProjects('= ANY ($1)');

/** Finds keys by their hashes. Look-ups of one turn of the event loop become one statement. */
export function createKeyFinder(
  { hot }: Connections,
  startTimer: DeadlineTimer,
): Batcher<string, KeyWithProject | undefined> {
  return createBatcher({
    startTimer,
    maxSize: MAX_BATCH,
    maxUnderWay: Number.POSITIVE_INFINITY,
    async send(hashes: readonly string[]) {
      const rows = await hot(FIND, [[...new Set(hashes)].map(hashHandle)]);
      const found = new Map(rows.map(toKeyWithProject).map((one) => [one.key.hash, one]));
      return hashes.map((hash) => found.get(hash));
    },
  });
}
