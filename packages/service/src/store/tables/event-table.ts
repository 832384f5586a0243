import type { WebhookEvent } from '@postern/contract';
import {
  type Database,
  integer,
  json,
  type Row,
  type Statement,
  statement,
  text,
  textOrNull,
} from '../database.ts';
import { type EventRow, type EventStore, type NewEvent, PAUSED } from '../event-store.ts';
import type { TimedId } from '../timed-id.ts';
import { timePrefix } from '../timed-id.ts';
import { ALWAYS, type Condition } from './condition.ts';
import { deliveryTable } from './delivery-table.ts';
import { webhookTable } from './webhook-table.ts';

export function eventTable(database: Database, timedId: TimedId): EventStore {
  return {
    webhooks: webhookTable(database),
    deliveries: deliveryTable(database),
    async add(event) {
      const [added] = await database.write(addEvent(timedId, event));
      return (added?.length ?? 0) > 0;
    },
    async page(projectId, limit, before) {
      const rows = await database.browse(
        statement(
          'SELECT * FROM event WHERE project_id = ? AND at < ? ORDER BY at DESC, sort_id DESC LIMIT ?',
          projectId,
          before ?? Number.MAX_SAFE_INTEGER,
          limit,
        ),
      );
      return rows.map(toEventRow);
    },
    async find(projectId, id) {
      const [row] = await database.browse(
        statement('SELECT * FROM event WHERE project_id = ? AND id = ?', projectId, id),
      );
      return row && toEventRow(row);
    },
    async tidy(before, now) {
      await database.write([
        statement('DELETE FROM event WHERE at < ?', before),
        statement(
          "DELETE FROM delivery WHERE (state <> 'pending' OR next_at = ?) AND id < ?",
          PAUSED,
          timePrefix(before),
        ),
        statement('DELETE FROM review_look WHERE until < ?', now),
      ]);
    },
  };
}

/** The event, unless it already exists, and a delivery to every subscribed webhook. */
export function addEvent(timedId: TimedId, event: NewEvent, condition: Condition = ALWAYS): Statement[] {
  const { projectId, id, type, at, logId, data, onlyWebhook } = event;
  const sortId = timedId(at);
  const wanted: Condition =
    onlyWebhook === undefined
      ? { sql: 'w.disabled_at IS NULL AND w.events LIKE ?', values: [`% ${type} %`] }
      : { sql: 'w.id = ?', values: [onlyWebhook] };
  return [
    statement(
      `INSERT INTO event (project_id, id, sort_id, type, at, log_id, data)
       SELECT project_id, id, sort_id, type, at, log_id, data FROM (${valuesRow()}) AS new WHERE ${condition.sql}
       ON CONFLICT (project_id, id) DO NOTHING RETURNING id`,
      ...[projectId, id, sortId, type, at, logId, JSON.stringify(data)],
      ...condition.values,
    ),
    // The event has this sort ID only if this transaction wrote it.
    statement(
      `INSERT INTO delivery (project_id, id, webhook_id, event_id, type, log_id, state, attempts, next_at)
       SELECT e.project_id, e.sort_id || '-' || w.id, w.id, e.id, e.type, e.log_id, 'pending', 0, 0
       FROM event e JOIN webhook w ON w.project_id = e.project_id
       WHERE e.project_id = ? AND e.id = ? AND e.sort_id = ? AND ${wanted.sql}`,
      projectId,
      id,
      sortId,
      ...wanted.values,
    ),
  ];
}

/** PostgreSQL needs explicit types for values that are not in a column yet. */
function valuesRow(): string {
  const text = 'CAST(? AS TEXT)';
  return `SELECT ${text} AS project_id, ${text} AS id, ${text} AS sort_id, ${text} AS type,
    CAST(? AS BIGINT) AS at, ${text} AS log_id, ${text} AS data`;
}

function toEventRow(row: Row): EventRow {
  return {
    projectId: text(row, 'project_id'),
    id: text(row, 'id'),
    sortId: text(row, 'sort_id'),
    type: text(row, 'type') as WebhookEvent,
    at: integer(row, 'at'),
    logId: textOrNull(row, 'log_id'),
    data: json<Record<string, unknown>>(row, 'data'),
  };
}
