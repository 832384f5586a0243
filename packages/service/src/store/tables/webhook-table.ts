import {
  DAY_MS,
  type WebhookEvent,
  type WebhookEvents,
  type WebhookFilter,
  type WebhookFormat,
} from '@postern/contract';
import { integer, integerOrNull, json, text, textOrNull } from '../columns.ts';
import { type Database, type Row, type Statement, statement } from '../database.ts';
import { type RowOf, tableOf } from '../table-of.ts';
import { DELIVERY, PAUSED } from './delivery-table.ts';

/** All events, including those that later versions add. */
export const ALL_EVENTS = ' * ';

/** Each name has a space before and after it, so that SQL can search for one. */
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
  /** Signs too until `previousUntil`, so that receivers can switch. After several rotations, several secrets with spaces. */
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

/** BETWEEN makes SQLite use the index of webhooks. With `=` it would read all deliveries of the project. */
function sendPendingAt(projectId: string, id: string, nextAt: number): Statement {
  return DELIVERY.update(
    { projectId, state: 'pending' },
    { nextAt },
    'AND webhook_id BETWEEN ? AND ?',
    ...[id, id],
  );
}

const ofProject = (projectId: string | undefined) => (projectId === undefined ? {} : { projectId });

export function webhookStore(database: Database) {
  return {
    create: (webhook: Webhook): Statement[] => [WEBHOOK.insert(webhook)],
    list: (projectId?: string): Promise<Webhook[]> =>
      WEBHOOK.findAll(database.read, ofProject(projectId), 'ORDER BY created_at, id'),
    /** With the project’s ID, the primary key finds it. */
    find: (id: string, projectId?: string): Promise<Webhook | undefined> =>
      WEBHOOK.find(database.read, { ...ofProject(projectId), id }),
    /** With its deliveries. */
    remove: ({ projectId, id }: WebhookPlace): Statement[] => [
      DELIVERY.remove({ projectId, webhookId: id }),
      WEBHOOK.remove({ projectId, id }),
    ],
    rotate: ({ projectId, id }: WebhookPlace, secret: string, previousUntil: number): Statement[] => [
      statement(
        // The receiver may still have an earlier secret, so one that still signs goes on signing.
        `UPDATE webhook SET previous_secret = CASE WHEN previous_until > ? THEN secret || ' ' || previous_secret ELSE secret END,
           previous_until = ?, secret = ? WHERE project_id = ? AND id = ?`,
        ...[previousUntil - DAY_MS, previousUntil, secret, projectId, id],
      ),
    ],
    /** Changes its name, and what it sends where. */
    update: ({ projectId, id, name, url, events, format, filter }: Webhook): Statement[] => [
      WEBHOOK.update({ projectId, id }, { name, url, events, format, filter }),
    ],
    /** For a member who switches it off. The receiver did not fail, so its failures are cleared. */
    pause: ({ projectId, id }: WebhookPlace, now: number): Statement[] => [
      WEBHOOK.update({ projectId, id }, { disabledAt: now, failingSince: null }),
      sendPendingAt(projectId, id, PAUSED),
    ],
    /** Clears the failures. Deliveries that waited are sent now. */
    enable: ({ projectId, id }: WebhookPlace): Statement[] => [
      WEBHOOK.update({ projectId, id }, { disabledAt: null, failingSince: null }),
      sendPendingAt(projectId, id, 0),
    ],
    /** For a receiver that failed for too long. Deliveries wait until it is enabled. Only the first caller succeeds. */
    disable: ({ projectId, id }: WebhookPlace, now: number): Statement[] => [
      WEBHOOK.update({ projectId, id }, { also: 'disabled_at = disabled_at' }), // Locks the row.
      WEBHOOK.mustHave({ projectId, id, disabledAt: null }),
      WEBHOOK.update({ projectId, id }, { disabledAt: now }),
      sendPendingAt(projectId, id, PAUSED),
    ],
  };
}
