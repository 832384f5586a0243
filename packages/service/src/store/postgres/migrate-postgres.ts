import pg from 'pg';
import { type Patience, patiently } from '../deadline.ts';
import {
  type AppliedMigration,
  checksum,
  type Migration,
  pendingMigrations,
  SchemaMismatch,
} from '../migration.ts';
import type { DatabaseHost, DatabaseTarget } from './database-target.ts';
import { explainStatement } from './explain-failure.ts';
import { createHosts, expectPrimary, tryHosts } from './hosts.ts';

const LEDGER = `CREATE TABLE IF NOT EXISTS schema_migration (
  number BIGINT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  compatible_from BIGINT
)`;

/** Its row is locked by the process that migrates. The numbers of steps begin with 1. */
const LOCK = `INSERT INTO schema_migration (number, name, checksum) VALUES (0, 'lock', '')
  ON CONFLICT (number) DO UPDATE SET name = excluded.name`;

/**
 * A change of a table waits until it is not read, a backup for instance, and all requests wait behind it. So it gives up
 * soon, lets them go on, and tries again.
 */
const LOCK_TIMEOUT_MS = 1_000;
const BLOCKERS_ASKED_AFTER_MS = 400;
const PAUSE_MS = 2_000;
const GIVE_UP_AFTER_MS = 15 * 60_000;

/** SQLSTATE: a lock was not available in time. */
const LOCK_NOT_AVAILABLE = '55P03';
/** SQLSTATEs of creating what another process creates at the same time: the row in the catalogue, the table, its type. */
const CREATED_MEANWHILE = ['23505', '42P07', '42710'];

export interface MigrationWatcher {
  /** Called once if there is anything to do. */
  readonly onBegin: () => void;
  /** Called when a lock was waited for in vain, with who has it. */
  readonly onBlocked: (holder: string) => void;
}

const UNWATCHED: MigrationWatcher = { onBegin: () => {}, onBlocked: () => {} };

/**
 * Updates the schema, one process at a time. Returns the numbers of the applied steps. All steps are one
 * transaction, so it can simply be tried again if the server restarts meanwhile.
 */
export function migratePostgres(
  target: DatabaseTarget,
  migrations: readonly Migration[],
  patience?: Patience,
  watcher: MigrationWatcher = UNWATCHED,
): Promise<number[]> {
  const hosts = createHosts(target);
  return patiently(patience, async () => {
    const open = () => tryHosts(hosts, (host) => connect(target, host));
    const client = await open();
    try {
      if (await isUpToDate(client, migrations)) return [];
      watcher.onBegin();
      return await migrate(
        client,
        migrations,
        (isOver) => holdersOf(client, open, isOver),
        watcher.onBlocked,
      );
    } catch (error) {
      throw explainMigration(error);
    } finally {
      await client.end().catch(() => {});
    }
  });
}

async function migrate(
  client: pg.Client,
  migrations: readonly Migration[],
  askHolders: (isOver: () => boolean) => Promise<string>,
  onBlocked: (holder: string) => void,
): Promise<number[]> {
  const since = performance.now();
  await client.query(LEDGER).catch((error: unknown) => {
    if (!CREATED_MEANWHILE.includes(codeOf(error))) throw error;
  });
  for (;;) {
    let isOver = false;
    const holders = askHolders(() => isOver);
    try {
      await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
      await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await client.query(LOCK);
      const taken = await migrateLocked(client, migrations);
      await client.query('COMMIT');
      isOver = true;
      return taken;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      if (codeOf(error) !== LOCK_NOT_AVAILABLE || performance.now() - since > GIVE_UP_AFTER_MS) throw error;
    }
    onBlocked(await holders);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

const codeOf = (error: unknown): string => (error instanceof pg.DatabaseError && error.code) || '';

/** Who keeps the client waiting, asked on another connection while it waits. */
async function holdersOf(
  client: pg.Client,
  open: () => Promise<pg.Client>,
  isOver: () => boolean,
): Promise<string> {
  try {
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    await new Promise((resolve) => setTimeout(resolve, BLOCKERS_ASKED_AFTER_MS).unref());
    if (isOver()) return '';
    const other = await open();
    const found = await other.query<{ holder: string }>(
      `SELECT 'pid ' || pid || ' (' || concat_ws(', ', nullif(application_name, ''), usename,
         'for ' || extract(epoch FROM clock_timestamp() - xact_start)::BIGINT || ' s') || ')' AS holder
       FROM pg_stat_activity WHERE pid = ANY(pg_blocking_pids($1)) ORDER BY pid`,
      [rows[0]?.pid],
    );
    await other.end();
    if (found.rows.length > 0) return found.rows.map(({ holder }) => holder).join(', ');
  } catch {
    // The migration itself goes on without knowing.
  }
  return 'another session';
}

async function connect(target: DatabaseTarget, { host, port }: DatabaseHost): Promise<pg.Client> {
  const client = new pg.Client({ ...target.settings, host, port, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  if (target.needsPrimary) await expectPrimary(client);
  return client;
}

/** Except for a missing permission, a faulty statement is a fault of this program and keeps its stack. */
function explainMigration(error: unknown): unknown {
  if (error instanceof SchemaMismatch) return error;
  return explainStatement(error);
}

/** If there is nothing to do, as at most starts, neither the lock nor the right to create tables is needed. */
async function isUpToDate(client: pg.Client, migrations: readonly Migration[]): Promise<boolean> {
  const ledger = await client.query("SELECT to_regclass('schema_migration') IS NOT NULL AS there");
  return (
    ledger.rows[0]?.there === true && pendingMigrations(migrations, await appliedTo(client)).length === 0
  );
}

async function appliedTo(client: pg.Client): Promise<AppliedMigration[]> {
  const applied = await client.query<AppliedMigration>(
    `SELECT number::INT AS number, checksum, compatible_from::INT AS "compatibleFrom"
     FROM schema_migration WHERE number > 0 ORDER BY number`,
  );
  return applied.rows;
}

async function migrateLocked(client: pg.Client, migrations: readonly Migration[]): Promise<number[]> {
  const pending = pendingMigrations(migrations, await appliedTo(client));
  for (const migration of pending) {
    await client.query(migration.sql);
    await client.query(
      'INSERT INTO schema_migration (number, name, checksum, compatible_from) VALUES ($1, $2, $3, $4)',
      [migration.number, migration.name, checksum(migration), migration.compatibleFrom ?? null],
    );
  }
  return pending.map((migration) => migration.number);
}
