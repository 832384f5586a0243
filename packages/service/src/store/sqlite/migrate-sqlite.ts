import { type AppliedMigration, checksum, type Migration, pendingMigrations } from '../migration.ts';
import { type Connection, inTransaction } from './connection.ts';

const LEDGER = `CREATE TABLE IF NOT EXISTS schema_migration (
  number INTEGER NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  compatible_from INTEGER
)`;

/** Updates the schema, one process at a time. Returns the numbers of the applied steps. */
export function migrateSqlite(connection: Connection, migrations: readonly Migration[]): number[] {
  if (isUpToDate(connection, migrations)) return [];
  return inTransaction(connection, () => {
    connection.exec(LEDGER);
    const pending = pendingMigrations(migrations, appliedTo(connection));
    const record = connection.prepare(
      'INSERT INTO schema_migration (number, name, checksum, compatible_from) VALUES (?, ?, ?, ?)',
    );
    for (const migration of pending) {
      connection.exec(migration.sql);
      const { number, name, compatibleFrom = null } = migration;
      record.run(number, name, checksum(migration), compatibleFrom);
    }
    return pending.map((migration) => migration.number);
  });
}

/** The usual case at a start needs no write lock, so a busy database opens without waiting. */
function isUpToDate(connection: Connection, migrations: readonly Migration[]): boolean {
  const ledger = connection.prepare("SELECT 1 FROM sqlite_master WHERE name = 'schema_migration'").all();
  return ledger.length > 0 && pendingMigrations(migrations, appliedTo(connection)).length === 0;
}

function appliedTo(connection: Connection): AppliedMigration[] {
  const applied = `SELECT number, checksum, compatible_from AS "compatibleFrom" FROM schema_migration ORDER BY number`;
  return connection.prepare(applied).all() as AppliedMigration[];
}
