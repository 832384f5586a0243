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
    addCompatibility(connection);
    const pending = pendingMigrations(line, appliedTo(connection, line));
    const record = connection.prepare(
      'INSERT INTO schema_migration (line, number, name, checksum, compatible_from) VALUES (?, ?, ?, ?, ?)',
    );
    for (const migration of pending) {
      connection.exec(migration.sql);
      const { number, name, compatibleFrom = null } = migration;
      record.run(line.name, number, name, checksum(migration), compatibleFrom);
    }
    return pending.map((migration) => migration.number);
  });
}

/** The usual case at a start needs no write lock, so a busy database opens without waiting. */
function isUpToDate(connection: Connection, line: MigrationLine): boolean {
  const ledger = connection.prepare("SELECT 1 FROM sqlite_master WHERE name = 'schema_migration'").all();
  return ledger.length > 0 && pendingMigrations(line, appliedTo(connection, line)).length === 0;
}

/** Ledgers of earlier versions do not have the column. */
function addCompatibility(connection: Connection): void {
  const columns = connection.prepare("SELECT 1 FROM pragma_table_info('schema_migration') WHERE name = ?");
  if (columns.all('compatible_from').length === 0)
    connection.exec('ALTER TABLE schema_migration ADD COLUMN compatible_from INTEGER');
}

interface LedgerRow {
  readonly number: number;
  readonly checksum: string;
  readonly compatible_from?: number | null;
}

function appliedTo(connection: Connection, line: MigrationLine): AppliedMigration[] {
  const rows = connection
    .prepare('SELECT * FROM schema_migration WHERE line = ? ORDER BY number')
    .all(line.name) as LedgerRow[];
  return rows.map(({ number, checksum: sum, compatible_from: compatibleFrom = null }) => ({
    number,
    checksum: sum,
    compatibleFrom,
  }));
}
