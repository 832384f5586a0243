import { createHash } from 'node:crypto';

/** One step of a schema. It never changes after it lands: its checksum is recorded where it was applied. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  /**
   * The last step that a program must know to work on after this one. A step that only adds what older programs do not
   * notice names the last step of the release before, so that both versions run side by side and back. By default it
   * is this step itself: older programs refuse the database.
   */
  readonly compatibleFrom?: number;
}

export interface AppliedMigration {
  readonly number: number;
  readonly checksum: string;
  /** As the program that applied it declared it. `null` if it declared nothing. */
  readonly compatibleFrom: number | null;
}

/** The database does not match this program. The message says what to do. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
}

export function checksum(migration: Migration): string {
  return createHash('sha256').update(migration.sql).digest('hex');
}

/**
 * The steps that are not applied yet. Steps of a newer program are fine if they are compatible with this one. Throws if
 * they are not, or if an applied step differs from that of this program.
 */
export function pendingMigrations(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  const byNumber = new Map(migrations.map((migration) => [migration.number, migration]));
  const newest = Math.max(0, ...byNumber.keys());
  for (const step of applied) {
    const migration = byNumber.get(step.number);
    if (!migration) {
      if ((step.compatibleFrom ?? step.number) <= newest) continue;
      throw new SchemaMismatch(
        `The database was changed by a newer version of Postern (schema ${step.number}) that this version cannot run beside. Update this program, or restore a backup that fits it.`,
      );
    }
    if (checksum(migration) !== step.checksum) {
      throw new SchemaMismatch(
        `Migration ${step.number} (${migration.name}) is not the one that the database was made with. Use the release that made it.`,
      );
    }
  }
  const done = new Set(applied.map((step) => step.number));
  return migrations.filter((migration) => !done.has(migration.number));
}
