import pg from 'pg';
import {
  type AppliedMigration,
  checksum,
  type Migration,
  pendingMigrations,
  SchemaMismatch,
} from '../migration.ts';
import { type Patience, patiently } from '../patience.ts';
import type { DatabaseHost, DatabaseTarget } from './database-target.ts';
import { explainStatement } from './explain-failure.ts';
import { createHosts, expectPrimary, tryHosts } from './hosts.ts';

/** The advisory lock of migrating processes. Any number works as long as it never changes. */
const MIGRATION_LOCK = 7_078_711;

const LEDGER = `CREATE TABLE IF NOT EXISTS schema_migration (
  number BIGINT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  compatible_from BIGINT
)`;

/** How long to wait for another process’s migration. A step that reads the whole log can take minutes. */
const LOCK_TIMEOUT = '15min';

/**
 * Updates the schema, one process at a time. Returns the numbers of the applied steps. All steps are one
 * transaction, so it can simply be tried again if the server restarts meanwhile.
 */
export function migratePostgres(
  target: DatabaseTarget,
  migrations: readonly Migration[],
  patience?: Patience,
): Promise<number[]> {
  const hosts = createHosts(target);
  return patiently(patience, async () => {
    const client = await tryHosts(hosts, (host) => connect(target, host));
    try {
      return await migrate(client, migrations);
    } catch (error) {
      throw explainMigration(error);
    } finally {
      await client.end().catch(() => {});
    }
  });
}

async function migrate(client: pg.Client, migrations: readonly Migration[]): Promise<number[]> {
  if (await isUpToDate(client, migrations)) return [];
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  const taken = await migrateLocked(client, migrations);
  await client.query('COMMIT');
  return taken;
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
     FROM schema_migration ORDER BY number`,
  );
  return applied.rows;
}

async function migrateLocked(client: pg.Client, migrations: readonly Migration[]): Promise<number[]> {
  await client.query(LEDGER);
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
