import pg from 'pg';
import { type AppliedMigration, checksum, type MigrationLine, pendingMigrations } from '../migration.ts';
import { StoreUnavailable } from '../store.ts';

/** The advisory lock of migrating processes. Any number works as long as it never changes. */
const MIGRATION_LOCK = 7_078_711;

const LEDGER = `CREATE TABLE IF NOT EXISTS schema_migration (
  line TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  PRIMARY KEY (line, number)
)`;

/** How long to wait for another process’s migration. The longest step takes seconds. */
const LOCK_TIMEOUT = '60s';

/** Updates the schema, one process at a time. Returns the numbers of the applied steps. */
export async function migratePostgres(url: string, line: MigrationLine): Promise<number[]> {
  const client = clientFor(url);
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreUnavailable(`The database cannot be reached: ${reason}`, { cause: error });
  }
  try {
    if (await isUpToDate(client, line)) return [];
    await client.query('BEGIN');
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const taken = await migrateLocked(client, line);
    await client.query('COMMIT');
    return taken;
  } catch (error) {
    throw explain(error);
  } finally {
    await client.end();
  }
}

/** The error for an unreadable URL contains the URL and with it the password, so it is not passed on. */
function clientFor(url: string): pg.Client {
  try {
    return new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      application_name: 'postern',
    });
  } catch {
    throw new StoreUnavailable(
      'POSTERN_DATABASE_URL cannot be read; write postgres://user:password@host:port/database, ' +
        'and in user and password %2F for /, %23 for #, %3F for ?, %40 for @, %25 for %',
    );
  }
}

function explain(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  // https://www.postgresql.org/docs/current/errcodes-appendix.html
  const advice: Readonly<Record<string, string>> = {
    '42501': '; run `postern migrate` as a user who may make tables there, or give this user the right to',
    '25006': '; this is a replica or set to read-only, name the primary',
    '55P03': '; another process has been migrating for long, look for it in pg_stat_activity',
  };
  return new StoreUnavailable(`The database refuses: ${error.message}${advice[error.code ?? ''] ?? ''}`, {
    cause: error,
  });
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
    'SELECT number::INT AS number, checksum FROM schema_migration WHERE line = $1 ORDER BY number',
    [line.name],
  );
  return applied.rows;
}

async function migrateLocked(client: pg.Client, line: MigrationLine): Promise<number[]> {
  await client.query(LEDGER);
  const pending = pendingMigrations(line, await appliedTo(client, line));
  for (const migration of pending) {
    await client.query(migration.sql);
    await client.query(
      'INSERT INTO schema_migration (line, number, name, checksum) VALUES ($1, $2, $3, $4)',
      [line.name, migration.number, migration.name, checksum(migration)],
    );
  }
  return pending.map((migration) => migration.number);
}
