import { type Database, hasChanged, integer, integerOrNull, statement, text } from '../database.ts';
import { type RowOf, tableOf } from '../table-of.ts';

export const INCIDENT = tableOf('incident', {
  projectId: text,
  /** Begins with the time of its first surge. */
  id: text,
  firstAt: integer,
  /** When its last surge was found. */
  lastAt: integer,
  acknowledgedAt: integerOrNull,
  closedAt: integerOrNull,
});

export type Incident = RowOf<typeof INCIDENT>;

export type IncidentStore = ReturnType<typeof incidentStore>;

export function incidentStore(database: Database) {
  const newest = (projectId: string) =>
    statement(
      `SELECT ${INCIDENT.list} FROM incident WHERE project_id = ? AND closed_at IS NULL
       ORDER BY last_at DESC LIMIT 1`,
      projectId,
    );
  return {
    /**
     * The incident that a surge belongs to: the open one that had a surge since `since`, or else a new one. Processes
     * that look in the same minute find the same one.
     */
    async join(projectId: string, at: number, since: number): Promise<Incident> {
      const id = Math.floor(at / MINUTE_MS).toString(36);
      const [, , rows] = await database.write([
        statement(
          `UPDATE incident SET last_at = ? WHERE project_id = ? AND closed_at IS NULL AND last_at >= ? AND last_at < ?`,
          ...[at, projectId, since, at],
        ),
        INCIDENT.insert(
          {
            projectId,
            id,
            firstAt: at,
            lastAt: at,
            acknowledgedAt: null,
            closedAt: null,
          },
          {
            when: {
              sql: `NOT EXISTS (SELECT 1 FROM incident WHERE project_id = ? AND closed_at IS NULL AND last_at >= ?)`,
              values: [projectId, since],
            },
            // One that was closed in this very minute goes on.
            suffix: 'ON CONFLICT (project_id, id) DO UPDATE SET closed_at = NULL, last_at = excluded.last_at',
          },
        ),
        newest(projectId),
      ]);
      const [row] = rows ?? [];
      if (row === undefined) throw new Error('The incident was deleted while it was written');
      return INCIDENT.fromRow(row);
    },
    /** Newest first, with a last surge before `before`. */
    async page(projectId: string, limit: number, before: number | null): Promise<Incident[]> {
      const rows = await database.browse(
        statement(
          `SELECT ${INCIDENT.list} FROM incident WHERE project_id = ? AND last_at < ?
           ORDER BY last_at DESC, id DESC LIMIT ?`,
          ...[projectId, before ?? Number.MAX_SAFE_INTEGER, limit],
        ),
      );
      return rows.map(INCIDENT.fromRow);
    },
    async find(projectId: string, id: string): Promise<Incident | undefined> {
      const [row] = await database.browse(
        statement(`SELECT ${INCIDENT.list} FROM incident WHERE project_id = ? AND id = ?`, projectId, id),
      );
      return row && INCIDENT.fromRow(row);
    },
    async change({ projectId, id, acknowledgedAt, closedAt }: Incident): Promise<boolean> {
      return hasChanged(
        database,
        statement(
          `UPDATE incident SET acknowledged_at = ?, closed_at = ?
           WHERE project_id = ? AND id = ? RETURNING id`,
          ...[acknowledgedAt, closedAt, projectId, id],
        ),
      );
    },
  };
}

const MINUTE_MS = 60_000;
