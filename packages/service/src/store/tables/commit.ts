import type { Database, Row, Statement } from '../database.ts';
import { StoreConflict } from '../store-errors.ts';
import type { TimedId } from '../timed-id.ts';
import { type AuditRow, type AuditStore, auditInsertion } from './audit-table.ts';

/**
 * Writes changes and what the audit log says of them in one transaction: both are stored, or neither is. Throws
 * StoreConflict if one of the changes does not hold any more, see `mustHold`, or if a new row has a key that is taken.
 */
export function committing(database: Database, timedId: TimedId, audit: Pick<AuditStore, 'chain'>) {
  return async (changes: readonly Statement[], notes: readonly AuditRow[]): Promise<Row[][]> => {
    const noted = notes.map((row) => auditInsertion(row, timedId));
    const rows = await database.write([...changes, ...noted]).catch((error: unknown) => {
      throw isUnmet(error)
        ? new StoreConflict('This was changed by somebody else at the same time. Try again.', {
            cause: error,
          })
        : error;
    });
    if (notes.length > 0) await audit.chain();
    return rows.slice(0, changes.length);
  };
}

/** What the back ends say of `mustHold` and of a key that is taken. */
function isUnmet(error: unknown): boolean {
  const { message = '', code, table } = error as { message?: string; code?: string; table?: string };
  return (
    /NOT NULL constraint failed: secret\.value|UNIQUE constraint failed/.test(message) ||
    (code === '23502' && table === 'secret') ||
    code === '23505'
  );
}
