import { createHash } from 'node:crypto';

/** One step of a schema. It never changes after it lands: its checksum is recorded where it was applied. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** A line of steps with its own numbering, so that a part of the service can keep tables of its own. */
export interface MigrationLine {
  readonly name: string;
  readonly migrations: readonly Migration[];
}

export interface AppliedMigration {
  readonly number: number;
  readonly checksum: string;
}

/** The database does not match this program. The message says what to do. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
}

export function checksum(migration: Migration): string {
  return createHash('sha256').update(migration.sql).digest('hex');
}

/** The steps that are not applied yet. Throws if the applied steps differ from those of this program. */
export function pendingMigrations(line: MigrationLine, applied: readonly AppliedMigration[]): Migration[] {
  const known = new Map(line.migrations.map((migration) => [migration.number, migration]));
  for (const step of applied) {
    const migration = known.get(step.number);
    if (!migration) {
      throw new SchemaMismatch(
        `The database was made by a newer version of Postern (${line.name} schema ${step.number}). Update this program, or restore a backup that fits it.`,
      );
    }
    if (checksum(migration) !== step.checksum) {
      throw new SchemaMismatch(
        `Migration ${line.name} ${step.number} (${migration.name}) is not the one that the database was made with. Use the release that made it.`,
      );
    }
  }
  const done = new Set(applied.map((step) => step.number));
  return line.migrations.filter((migration) => !done.has(migration.number));
}
