import { type AppliedMigration, checksum, type MigrationLine, pendingMigrations } from '../migration.ts';
import { type Connection, inTransaction } from './connection.ts';

const LEDGER = `CREATE TABLE IF NOT EXISTS schema_migration (
  line TEXT NOT NULL,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  PRIMARY KEY (line, number)
) WITHOUT ROWID`;

/** Updates the schema, one process at a time. Returns the numbers of the applied steps. */
export function migrateSqlite(connection: Connection, line: MigrationLine): number[] {
  if (isUpToDate(connection, line)) return [];
  return inTransaction(connection, () => {
    connection.exec(LEDGER);
    const pending = pendingMigrations(line, appliedTo(connection, line));
    const record = connection.prepare('INSERT INTO schema_migration VALUES (?, ?, ?, ?)');
    for (const migration of pending) {
      connection.exec(migration.sql);
      record.run(line.name, migration.number, migration.name, checksum(migration));
    }
    return pending.map((migration) => migration.number);
  });
}

/** The usual case at a start needs no write lock, so a busy database opens without waiting. */
function isUpToDate(connection: Connection, line: MigrationLine): boolean {
  const ledger = connection.prepare("SELECT 1 FROM sqlite_master WHERE name = 'schema_migration'").all();
  return ledger.length > 0 && pendingMigrations(line, appliedTo(connection, line)).length === 0;
}

function appliedTo(connection: Connection, line: MigrationLine): AppliedMigration[] {
  return connection
    .prepare('SELECT number, checksum FROM schema_migration WHERE line = ? ORDER BY number')
    .all(line.name) as AppliedMigration[];
}
