import {
  DAY_MS,
  type WebhookEvent,
  type WebhookEvents,
  type WebhookFilter,
  type WebhookFormat,
} from '@postern/contract';
import {
  type Database,
  integer,
  integerOrNull,
  json,
  mustHold,
  type Row,
  type Statement,
  statement,
  text,
  textOrNull,
} from '../database.ts';
import { type RowOf, tableOf } from '../table-of.ts';
import { PAUSED } from './delivery-table.ts';

/** All events, also those of later versions. */
export const ALL_EVENTS = ' * ';

/** The names have spaces around them, so that SQL finds one of them. */
const eventNames = Object.assign(
  (row: Row, column: string): WebhookEvents => {
    const names = text(row, column);
    return names === ALL_EVENTS ? '*' : (names.trim().split(' ') as WebhookEvent[]);
  },
  { write: (names: WebhookEvents) => (names === '*' ? ALL_EVENTS : ` ${names.join(' ')} `) },
);

export const WEBHOOK = tableOf('webhook', {
  projectId: text,
  id: text,
  name: textOrNull,
  url: text,
  events: eventNames,
  format: text<WebhookFormat>,
  filter: json<WebhookFilter>,
  secret: text,
  /** Also sign until `previousUntil`, so that receivers can switch. After several rotations there are several. */
  previousSecret: textOrNull,
  previousUntil: integerOrNull,
  createdAt: integer,
  /** When the current series of failures began. */
  failingSince: integerOrNull,
  disabledAt: integerOrNull,
});

export type Webhook = RowOf<typeof WEBHOOK>;

/** Enough of a webhook to find it by its key. */
type WebhookPlace = Pick<Webhook, 'projectId' | 'id'>;

/** For a range of webhooks, SQLite uses their index. For one it would read all deliveries of the project. */
function postponePending(projectId: string, id: string, until: number): Statement {
  return statement(
    "UPDATE delivery SET next_at = ? WHERE project_id = ? AND webhook_id BETWEEN ? AND ? AND state = 'pending'",
    ...[until, projectId, id, id],
  );
}

export function webhookStore(database: Database) {
  return {
    create: (webhook: Webhook): Statement[] => [WEBHOOK.insert(webhook)],
    async list(projectId?: string): Promise<Webhook[]> {
      const all = `SELECT ${WEBHOOK.list} FROM webhook`;
      const rows = await database.read(
        projectId === undefined
          ? statement(`${all} ORDER BY created_at, id`)
          : statement(`${all} WHERE project_id = ? ORDER BY created_at, id`, projectId),
      );
      return rows.map(WEBHOOK.fromRow);
    },
    /** Whose project is known, it is found by the key. */
    async find(id: string, projectId?: string): Promise<Webhook | undefined> {
      const [row] = await database.read(
        projectId === undefined
          ? statement(`SELECT ${WEBHOOK.list} FROM webhook WHERE id = ?`, id)
          : statement(`SELECT ${WEBHOOK.list} FROM webhook WHERE project_id = ? AND id = ?`, projectId, id),
      );
      return row && WEBHOOK.fromRow(row);
    },
    /** With its deliveries. */
    remove: ({ projectId, id }: WebhookPlace): Statement[] => [
      statement('DELETE FROM delivery WHERE project_id = ? AND webhook_id = ?', projectId, id),
      statement('DELETE FROM webhook WHERE project_id = ? AND id = ?', projectId, id),
    ],
    rotate: ({ projectId, id }: WebhookPlace, secret: string, previousUntil: number): Statement[] => [
      statement(
        // A secret that still signs may be the one that the receiver has: it goes on signing.
        `UPDATE webhook SET previous_secret = CASE WHEN previous_until > ? THEN secret || ' ' || previous_secret ELSE secret END,
           previous_until = ?, secret = ? WHERE project_id = ? AND id = ?`,
        ...[previousUntil - DAY_MS, previousUntil, secret, projectId, id],
      ),
    ],
    /** Its name, and where it sends what. */
    update({ projectId, id, name, url, events, format, filter }: Webhook): Statement[] {
      const set = WEBHOOK.assignments({ name, url, events, format, filter });
      const sql = `UPDATE webhook SET ${set.columns.join(', ')} WHERE project_id = ? AND id = ?`;
      return [statement(sql, ...set.values, projectId, id)];
    },
    /** A member switches it off: it is no failure, so nothing is said about the receiver. */
    pause: ({ projectId, id }: WebhookPlace, now: number): Statement[] => [
      statement(
        'UPDATE webhook SET disabled_at = ?, failing_since = NULL WHERE project_id = ? AND id = ?',
        ...[now, projectId, id],
      ),
      postponePending(projectId, id, PAUSED),
    ],
    /** Clears the failures. Deliveries that waited are sent now. */
    enable: ({ projectId, id }: WebhookPlace): Statement[] => [
      statement(
        'UPDATE webhook SET disabled_at = NULL, failing_since = NULL WHERE project_id = ? AND id = ?',
        ...[projectId, id],
      ),
      postponePending(projectId, id, 0),
    ],
    /** Deliveries wait until it is enabled. Only the first caller that finds it failing for too long can do it. */
    disabling: ({ projectId, id }: WebhookPlace, now: number): Statement[] => [
      statement(
        'UPDATE webhook SET disabled_at = disabled_at WHERE project_id = ? AND id = ?',
        projectId,
        id,
      ),
      mustHold(
        'EXISTS (SELECT 1 FROM webhook WHERE project_id = ? AND id = ? AND disabled_at IS NULL)',
        ...[projectId, id],
      ),
      statement('UPDATE webhook SET disabled_at = ? WHERE project_id = ? AND id = ?', now, projectId, id),
      postponePending(projectId, id, PAUSED),
    ],
  };
}
