import type { WebhookEvent } from '@postern/contract';
import { integer, json, text, textOrNull } from '../columns.ts';
import { ALWAYS, type Condition, type Database, hasRows, type Statement, statement } from '../database.ts';
import { type RowOf, tableOf } from '../table-of.ts';
import { type TimedId, timeOfId } from '../timed-id.ts';
import { deliveryStore } from './delivery-table.ts';
import { ALL_EVENTS, webhookStore } from './webhook-table.ts';

export const EVENT = tableOf('event', {
  projectId: text,
  /** Identifies what happened, so that it is sent only once, for example `quota.reached-2026-11-80`. */
  id: text,
  /** Begins with the time. */
  sortId: text,
  type: text<WebhookEvent>,
  at: integer,
  logId: textOrNull,
  data: json<Readonly<Record<string, unknown>>>,
});

export type EventRow = RowOf<typeof EVENT>;

export interface NewEvent extends Omit<EventRow, 'sortId'> {
  /** Only this webhook gets the event, whatever it is subscribed to. */
  readonly onlyWebhook?: string;
}

export type EventStore = ReturnType<typeof eventStore>;

/** Webhooks, their events, and the outbox of pending deliveries. */
export function eventStore(database: Database, timedId: TimedId) {
  return {
    webhooks: webhookStore(database),
    deliveries: deliveryStore(database),
    addition: (event: NewEvent): Statement[] => addEvent(timedId, event),
    /**
     * Writes an event and its deliveries in one transaction. The same event is written only once. `false` if it already
     * existed.
     */
    async add(event: NewEvent): Promise<boolean> {
      const [added] = await database.write(addEvent(timedId, event));
      return hasRows(added);
    },
    /** Newest first, before the event with the sort ID `before`; with `types` only those. */
    page(
      projectId: string,
      limit: number,
      before: string | null,
      types: readonly WebhookEvent[] = [],
    ): Promise<EventRow[]> {
      return EVENT.findAll(
        database.browse,
        { projectId, ...(types.length > 0 && { type: types }) },
        'AND at <= ? AND sort_id < ? ORDER BY at DESC, sort_id DESC LIMIT ?',
        ...[before === null ? Number.MAX_SAFE_INTEGER : timeOfId(before), before ?? '~', limit],
      );
    },
    find: (projectId: string, id: string): Promise<EventRow | undefined> =>
      EVENT.find(database.browse, { projectId, id }),
  };
}

/** The event, unless it already exists, and a delivery to every subscribed webhook. */
export function addEvent(timedId: TimedId, event: NewEvent, condition: Condition = ALWAYS): Statement[] {
  const { projectId, id, type, onlyWebhook } = event;
  const sortId = timedId(event.at);
  const wanted: Condition =
    onlyWebhook === undefined
      ? {
          sql: `w.disabled_at IS NULL AND (w.events LIKE ? OR w.events = '${ALL_EVENTS}')`,
          values: [`% ${type} %`],
        }
      : { sql: 'w.id = ?', values: [onlyWebhook] };
  return [
    EVENT.insert(
      { ...event, sortId },
      { when: condition, suffix: 'ON CONFLICT (project_id, id) DO NOTHING RETURNING id' },
    ),
    // The event has this sort ID only if this transaction wrote it.
    statement(
      `INSERT INTO delivery (project_id, id, webhook_id, event_id, type, log_id, state, attempts, next_at)
       SELECT e.project_id, e.sort_id || '-' || w.id, w.id, e.id, e.type, e.log_id, 'pending', 0, 0
       FROM event e JOIN webhook w ON w.project_id = e.project_id
       WHERE e.project_id = ? AND e.id = ? AND e.sort_id = ? AND ${wanted.sql}`,
      ...[projectId, id, sortId, ...wanted.values],
    ),
  ];
}
