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
  return DELIVERY.update(
    { projectId, state: 'pending' },
    { nextAt: until },
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
    /** Whose project is known, it is found by the key. */
    find: (id: string, projectId?: string): Promise<Webhook | undefined> =>
      WEBHOOK.find(database.read, { ...ofProject(projectId), id }),
    /** With its deliveries. */
    remove: ({ projectId, id }: WebhookPlace): Statement[] => [
      DELIVERY.remove({ projectId, webhookId: id }),
      WEBHOOK.remove({ projectId, id }),
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
    update: ({ projectId, id, name, url, events, format, filter }: Webhook): Statement[] => [
      WEBHOOK.update({ projectId, id }, { name, url, events, format, filter }),
    ],
    /** A member switches it off: it is no failure, so nothing is said about the receiver. */
    pause: ({ projectId, id }: WebhookPlace, now: number): Statement[] => [
      WEBHOOK.update({ projectId, id }, { disabledAt: now, failingSince: null }),
      postponePending(projectId, id, PAUSED),
    ],
    /** Clears the failures. Deliveries that waited are sent now. */
    enable: ({ projectId, id }: WebhookPlace): Statement[] => [
      WEBHOOK.update({ projectId, id }, { disabledAt: null, failingSince: null }),
      postponePending(projectId, id, 0),
    ],
    /** Deliveries wait until it is enabled. Only the first caller that finds it failing for too long can do it. */
    disabling: ({ projectId, id }: WebhookPlace, now: number): Statement[] => [
      WEBHOOK.update({ projectId, id }, { also: 'disabled_at = disabled_at' }),
      WEBHOOK.mustHave({ projectId, id, disabledAt: null }),
      WEBHOOK.update({ projectId, id }, { disabledAt: now }),
      postponePending(projectId, id, PAUSED),
    ],
  };
}
