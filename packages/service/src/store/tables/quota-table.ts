import { type Database, statement } from '../database.ts';

/** Refunds one validation. The count never goes below zero. */
export async function refund(database: Database, projectId: string, month: string): Promise<void> {
  await database.write([
    statement(
      'UPDATE quota SET used = used - 1 WHERE project_id = ? AND month = ? AND used > 0',
      projectId,
      month,
    ),
  ]);
}
