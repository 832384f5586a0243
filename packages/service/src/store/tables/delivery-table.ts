import type { WebhookEvent } from '@postern/contract';
import { type Database, integer, integerOrNull, type Row, statement, text, textOrNull } from '../database.ts';
import {
  type Delivery,
  type DeliveryClaim,
  type DeliveryState,
  type DeliveryStore,
  PAUSED,
} from '../event-store.ts';
import { timeOfId } from '../timed-id.ts';

const ROWS_LOOKED_AT = 500;
const FREE = "state = 'pending' AND next_at <= ? AND (lease_until IS NULL OR lease_until < ?)";

export function deliveryTable(database: Database): DeliveryStore {
  return {
    async claim(claim) {
      const { lease, now, leaseUntil } = claim;
      // Nearly all queries find nothing, and those take no lock.
      const chosen = await dueDeliveries(database, claim);
      if (chosen.length === 0) return [];
      // Another process may have leased some of them since, so the condition is checked again under the lock.
      const claimed = await database.write(
        chosen.map((row) =>
          statement(
            `UPDATE delivery SET lease = ?, lease_until = ?, attempts = attempts + 1
             WHERE project_id = ? AND id = ? AND ${FREE} RETURNING *`,
            lease,
            leaseUntil,
            text(row, 'project_id'),
            text(row, 'id'),
            now,
            now,
          ),
        ),
      );
      return claimed.flat().map(toDelivery);
    },
    async finish({ projectId, id, webhookId }, lease, attempt) {
      const { state, now, nextAt, status, error, durationMs, notSent = false } = attempt;
      const failing = statement(
        'UPDATE webhook SET failing_since = coalesce(failing_since, ?) WHERE project_id = ? AND id = ?',
        now,
        projectId,
        webhookId,
      );
      const working = statement(
        'UPDATE webhook SET failing_since = NULL WHERE project_id = ? AND id = ?',
        projectId,
        webhookId,
      );
      const [finished] = await database.write([
        statement(
          `UPDATE delivery SET state = ?, next_at = ?, status = ?, error = ?, duration_ms = ?, done_at = ?,
             lease = NULL, lease_until = NULL
           WHERE project_id = ? AND id = ? AND lease = ? RETURNING id`,
          state,
          nextAt,
          status,
          error,
          durationMs,
          state === 'pending' ? null : now,
          projectId,
          id,
          lease,
        ),
        ...(notSent ? [] : [state === 'delivered' ? working : failing]),
      ]);
      return (finished?.length ?? 0) > 0;
    },
    async page(projectId, webhookId, limit, before) {
      const rows = await database.browse(
        statement(
          'SELECT * FROM delivery WHERE project_id = ? AND webhook_id = ? AND id < ? ORDER BY id DESC LIMIT ?',
          projectId,
          webhookId,
          before ?? '~',
          limit,
        ),
      );
      return rows.map(toDelivery);
    },
    async find(projectId, id) {
      const [row] = await database.browse(
        statement('SELECT * FROM delivery WHERE project_id = ? AND id = ?', projectId, id),
      );
      return row && toDelivery(row);
    },
    async resend(projectId, id) {
      const [changed] = await database.write([
        statement(
          `UPDATE delivery SET state = 'pending', next_at = 0, attempts = 0, lease = NULL, lease_until = NULL,
             done_at = NULL WHERE project_id = ? AND id = ? RETURNING id`,
          projectId,
          id,
        ),
      ]);
      return (changed?.length ?? 0) > 0;
    },
    async backlog() {
      const [row] = await database.browse(
        statement(
          "SELECT count(*) AS pending, min(id) AS oldest FROM delivery WHERE state = 'pending' AND next_at < ?",
          PAUSED,
        ),
      );
      const oldest = row === undefined ? null : textOrNull(row, 'oldest');
      return {
        pending: row === undefined ? 0 : integer(row, 'pending'),
        oldestAt: oldest === null ? null : timeOfId(oldest),
      };
    },
  };
}

async function dueDeliveries(
  database: Database,
  { now, limit, perWebhook, underWay }: DeliveryClaim,
): Promise<Row[]> {
  const busy = [...underWay].filter(([, count]) => count >= perWebhook).map(([webhook]) => webhook);
  const others = busy.length === 0 ? '' : `AND webhook_id NOT IN (${busy.map(() => '?').join(', ')})`;
  const rows = await database.browse(
    statement(
      `SELECT project_id, id, webhook_id FROM delivery WHERE ${FREE} ${others} ORDER BY next_at LIMIT ?`,
      now,
      now,
      ...busy,
      ROWS_LOOKED_AT,
    ),
  );
  const counts = new Map(underWay);
  return rows
    .filter((row) => {
      const webhook = text(row, 'webhook_id');
      const count = counts.get(webhook) ?? 0;
      counts.set(webhook, count + 1);
      return count < perWebhook;
    })
    .slice(0, limit);
}

function toDelivery(row: Row): Delivery {
  const id = text(row, 'id');
  return {
    projectId: text(row, 'project_id'),
    id,
    webhookId: text(row, 'webhook_id'),
    eventId: text(row, 'event_id'),
    type: text(row, 'type') as WebhookEvent,
    logId: textOrNull(row, 'log_id'),
    state: text(row, 'state') as DeliveryState,
    attempts: integer(row, 'attempts'),
    nextAt: integer(row, 'next_at'),
    at: timeOfId(id),
    status: integerOrNull(row, 'status'),
    error: textOrNull(row, 'error'),
    durationMs: integerOrNull(row, 'duration_ms'),
    doneAt: integerOrNull(row, 'done_at'),
  };
}
