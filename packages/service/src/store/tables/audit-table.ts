import { type Database, integer, json, type SqlValue, statement, text, textOrNull } from '../database.ts';
import { type RowOf, tableOf } from '../table-of.ts';
import { type TimedId, timeOfId } from '../timed-id.ts';

export const AUDIT = tableOf('audit', {
  id: text,
  at: integer,
  /** Who: `cli`, or a member’s ID. */
  actor: text,
  /** What: `key.create`, `project.update` … */
  action: text,
  projectId: textOrNull,
  detail: json<Readonly<Record<string, unknown>>>,
});

export type AuditRow = Omit<RowOf<typeof AUDIT>, 'id'>;

export type AuditStore = ReturnType<typeof auditStore>;

export function auditStore(database: Database, timedId: TimedId) {
  return {
    async append(row: AuditRow): Promise<void> {
      await database.write([AUDIT.insert({ ...row, id: timedId(row.at) })]);
    },
    /** Newest first, before the row with the ID `before`. */
    async page(
      projectId: string | null,
      limit: number,
      before: string | null,
    ): Promise<RowOf<typeof AUDIT>[]> {
      const conditions: string[] = [];
      const values: SqlValue[] = [];
      if (projectId !== null) {
        conditions.push('project_id = ?');
        values.push(projectId);
      }
      if (before !== null) {
        // An ID begins with the time, which the index has.
        conditions.push('at <= ? AND id < ?');
        values.push(timeOfId(before), before);
      }
      const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
      const rows = await database.browse(
        statement(
          `SELECT ${AUDIT.list} FROM audit ${where} ORDER BY at DESC, id DESC LIMIT ?`,
          ...values,
          limit,
        ),
      );
      return rows.map(AUDIT.fromRow);
    },
  };
}
