import type { WebhookEvent, WebhookFormat } from '@postern/contract';
import { type Database, integer, integerOrNull, type Row, statement, text, textOrNull } from '../database.ts';
import { PAUSED, type Webhook, type WebhookStore } from '../event-store.ts';

export function webhookTable(database: Database): WebhookStore {
  return {
    async create(webhook) {
      await database.write([
        statement(
          `INSERT INTO webhook (project_id, id, url, events, format, secret, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
          webhook.projectId,
          webhook.id,
          webhook.url,
          ` ${webhook.events.join(' ')} `,
          webhook.format,
          webhook.secret,
          webhook.createdAt,
        ),
      ]);
    },
    async list(projectId) {
      const all = 'SELECT * FROM webhook';
      const rows = await database.read(
        projectId === undefined
          ? statement(`${all} ORDER BY created_at, id`)
          : statement(`${all} WHERE project_id = ? ORDER BY created_at, id`, projectId),
      );
      return rows.map(toWebhook);
    },
    async find(id) {
      const [row] = await database.read(statement('SELECT * FROM webhook WHERE id = ?', id));
      return row && toWebhook(row);
    },
    async remove(projectId, id) {
      const [, removed] = await database.write([
        statement('DELETE FROM delivery WHERE project_id = ? AND webhook_id = ?', projectId, id),
        statement('DELETE FROM webhook WHERE project_id = ? AND id = ? RETURNING id', projectId, id),
      ]);
      return (removed?.length ?? 0) > 0;
    },
    async rotate(projectId, id, secret, previousUntil) {
      await database.write([
        statement(
          `UPDATE webhook SET previous_secret = secret, previous_until = ?, secret = ?
           WHERE project_id = ? AND id = ?`,
          previousUntil,
          secret,
          projectId,
          id,
        ),
      ]);
    },
    async enable(projectId, id) {
      await database.write([
        statement(
          'UPDATE webhook SET disabled_at = NULL, failing_since = NULL WHERE project_id = ? AND id = ?',
          projectId,
          id,
        ),
        statement(
          "UPDATE delivery SET next_at = 0 WHERE project_id = ? AND webhook_id = ? AND state = 'pending'",
          projectId,
          id,
        ),
      ]);
    },
    async disable(projectId, id, now) {
      const [changed] = await database.write([
        statement(
          'UPDATE webhook SET disabled_at = ? WHERE project_id = ? AND id = ? AND disabled_at IS NULL RETURNING id',
          now,
          projectId,
          id,
        ),
        statement(
          "UPDATE delivery SET next_at = ? WHERE project_id = ? AND webhook_id = ? AND state = 'pending'",
          PAUSED,
          projectId,
          id,
        ),
      ]);
      return (changed?.length ?? 0) > 0;
    },
  };
}

function toWebhook(row: Row): Webhook {
  return {
    projectId: text(row, 'project_id'),
    id: text(row, 'id'),
    url: text(row, 'url'),
    events: text(row, 'events').trim().split(' ') as WebhookEvent[],
    format: text(row, 'format') as WebhookFormat,
    secret: text(row, 'secret'),
    previousSecret: textOrNull(row, 'previous_secret'),
    previousUntil: integerOrNull(row, 'previous_until'),
    createdAt: integer(row, 'created_at'),
    failingSince: integerOrNull(row, 'failing_since'),
    disabledAt: integerOrNull(row, 'disabled_at'),
  };
}
