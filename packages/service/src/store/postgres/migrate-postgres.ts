import pg from 'pg';
import {
  type AppliedMigration,
  checksum,
  type MigrationLine,
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
  line TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  PRIMARY KEY (line, number)
)`;
/** Ledgers of earlier versions do not have it. */
const COMPATIBILITY = 'ALTER TABLE schema_migration ADD COLUMN IF NOT EXISTS compatible_from BIGINT';

/** How long to wait for another process’s migration. A step that reads the whole log can take minutes. */
const LOCK_TIMEOUT = '15min';

/**
 * Updates the schema, one process at a time. Returns the numbers of the applied steps. All steps of a line are one
 * transaction, so it can simply be tried again if the server restarts meanwhile.
 */
export function migratePostgres(
  target: DatabaseTarget,
  line: MigrationLine,
  patience?: Patience,
): Promise<number[]> {
  const hosts = createHosts(target);
  return patiently(patience, async () => {
    const client = await tryHosts(hosts, (host) => connect(target, host));
    try {
      return await migrate(client, line);
    } catch (error) {
      throw explainMigration(error);
    } finally {
      await client.end().catch(() => {});
    }
  });
}

async function migrate(client: pg.Client, line: MigrationLine): Promise<number[]> {
  if (await isUpToDate(client, line)) return [];
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  const taken = await migrateLocked(client, line);
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
async function isUpToDate(client: pg.Client, line: MigrationLine): Promise<boolean> {
  const ledger = await client.query("SELECT to_regclass('schema_migration') IS NOT NULL AS there");
  return (
    ledger.rows[0]?.there === true && pendingMigrations(line, await appliedTo(client, line)).length === 0
  );
}

async function appliedTo(client: pg.Client, line: MigrationLine): Promise<AppliedMigration[]> {
  const applied = await client.query<AppliedMigration>(
    // Through JSON, because the column may be missing.
    `SELECT number::INT AS number, checksum, (to_jsonb(m) ->> 'compatible_from')::INT AS "compatibleFrom"
     FROM schema_migration m WHERE line = $1 ORDER BY number`,
    [line.name],
  );
  return applied.rows;
}

async function migrateLocked(client: pg.Client, line: MigrationLine): Promise<number[]> {
  await client.query(LEDGER);
  await client.query(COMPATIBILITY);
  const pending = pendingMigrations(line, await appliedTo(client, line));
  for (const migration of pending) {
    await client.query(migration.sql);
    await client.query(
      'INSERT INTO schema_migration (line, number, name, checksum, compatible_from) VALUES ($1, $2, $3, $4, $5)',
      [line.name, migration.number, migration.name, checksum(migration), migration.compatibleFrom ?? null],
    );
  }
  return pending.map((migration) => migration.number);
}
