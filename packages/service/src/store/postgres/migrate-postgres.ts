import pg from 'pg';
import { type AppliedMigration, checksum, type MigrationLine, pendingMigrations } from '../migration.ts';
import { StoreUnavailable } from '../store.ts';

/** Any number will do as long as it is always the same: it names the lock that those who migrate take turns on. */
const MIGRATION_LOCK = 7_078_711;

const LEDGER = `CREATE TABLE IF NOT EXISTS schema_migration (
  line TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  PRIMARY KEY (line, number)
)`;

/** Brings the schema up to date, one process at a time; answers the numbers of the steps taken. */
export async function migratePostgres(url: string, line: MigrationLine): Promise<number[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    application_name: 'postern',
  });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreUnavailable(`The database cannot be reached: ${reason}`, { cause: error });
  }
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const taken = await migrateLocked(client, line);
    await client.query('COMMIT');
    return taken;
  } finally {
    await client.end();
  }
}

async function migrateLocked(client: pg.Client, line: MigrationLine): Promise<number[]> {
  await client.query(LEDGER);
  const applied = await client.query<AppliedMigration>(
    'SELECT number::INT AS number, checksum FROM schema_migration WHERE line = $1 ORDER BY number',
    [line.name],
  );
  const pending = pendingMigrations(line, applied.rows);
  for (const migration of pending) {
    await client.query(migration.sql);
    await client.query(
      'INSERT INTO schema_migration (line, number, name, checksum) VALUES ($1, $2, $3, $4)',
      [line.name, migration.number, migration.name, checksum(migration)],
    );
  }
  return pending.map((migration) => migration.number);
}
