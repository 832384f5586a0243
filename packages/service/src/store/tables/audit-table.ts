import {
  type Database,
  integer,
  json,
  type Row,
  type SqlValue,
  statement,
  text,
  textOrNull,
} from '../database.ts';
import type { AuditRow, AuditStore } from '../store.ts';
import type { TimedId } from '../timed-id.ts';

export function auditTable(database: Database, timedId: TimedId): AuditStore {
  return {
    async append(row) {
      await database.write([
        statement(
          'INSERT INTO audit (id, at, actor, action, project_id, detail) VALUES (?, ?, ?, ?, ?, ?)',
          timedId(row.at),
          row.at,
          row.actor,
          row.action,
          row.projectId,
          JSON.stringify(row.detail),
        ),
      ]);
    },
    async page(projectId, limit, before) {
      const conditions: string[] = [];
      const values: SqlValue[] = [];
      if (projectId !== null) {
        conditions.push('project_id = ?');
        values.push(projectId);
      }
      if (before !== null) {
        conditions.push('at < ?');
        values.push(before);
      }
      const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
      const rows = await database.browse(
        statement(
          `SELECT at, actor, action, project_id, detail FROM audit ${where} ORDER BY at DESC, id DESC LIMIT ?`,
          ...values,
          limit,
        ),
      );
      return rows.map(toAuditRow);
    },
  };
}

function toAuditRow(row: Row): AuditRow {
  return {
    at: integer(row, 'at'),
    actor: text(row, 'actor'),
    action: text(row, 'action'),
    projectId: textOrNull(row, 'project_id'),
    detail: json<Record<string, unknown>>(row, 'detail'),
  };
}
