import type { WebhookEvent } from '@postern/contract';
import { integer, integerOrNull, text, textOrNull } from '../columns.ts';
import { type Database, hasRows, type Statement, statement } from '../database.ts';
import { type RowOf, rowOf, tableOf } from '../table-of.ts';
import { timeOfId, timePrefix } from '../timed-id.ts';

/** The next attempt of a delivery whose webhook is switched off. */
export const PAUSED = Number.MAX_SAFE_INTEGER;

export type DeliveryState = 'pending' | 'delivered' | 'failed';

export const DELIVERY = tableOf('delivery', {
  projectId: text,
  id: text,
  webhookId: text,
  eventId: text,
  type: text<WebhookEvent>,
  /** The validation that it is about. */
  logId: textOrNull,
  state: text<DeliveryState>,
  attempts: integer,
  nextAt: integer,
  lease: textOrNull,
  leaseUntil: integerOrNull,
  /** The receiver’s last answer. */
  status: integerOrNull,
  error: textOrNull,
  durationMs: integerOrNull,
  doneAt: integerOrNull,
});

export interface Delivery extends Omit<RowOf<typeof DELIVERY>, 'lease' | 'leaseUntil'> {
  /** When the event happened. */
  readonly at: number;
}

export interface DeliveryClaim {
  readonly lease: string;
  readonly now: number;
  readonly leaseUntil: number;
  readonly limit: number;
  /**
   * How many deliveries a webhook can have in flight, and how many each has, so that a slow one does not block others.
   */
  readonly perWebhook: number;
  readonly underWay: ReadonlyMap<string, number>;
}

export interface AttemptResult {
  readonly state: DeliveryState;
  readonly now: number;
  readonly nextAt: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** The receiver was not asked, because there was nothing left to send. */
  readonly notSent?: boolean;
}

const COUNTED = rowOf({ state: text<DeliveryState>, times: integer });
const BACKLOG = rowOf({ pending: integer, oldest: textOrNull });
const DUE_DELIVERY = rowOf({ projectId: text, id: text, webhookId: text });
const MAX_DUE = 500;
const DUE = "state = 'pending' AND next_at <= ? AND (lease_until IS NULL OR lease_until < ?)";

/** The outbox: one row for each event and webhook. */
export function deliveryStore(database: Database) {
  return {
    /**
     * Leases deliveries that are due and that no other process has leased. After the lease expires, the delivery is due
     * again: it is delivered at least once, and never under two leases at the same time.
     */
    async claim(claim: DeliveryClaim): Promise<Delivery[]> {
      const { lease, now, leaseUntil } = claim;
      // Nearly all queries find nothing, and those take no lock.
      const due = await dueDeliveries(database, claim);
      if (due.length === 0) return [];
      // Another process may have leased some of them since, so the condition is checked again under the lock.
      const claimed = await database.write(
        due.map(({ projectId, id }) =>
          DELIVERY.update(
            { projectId, id },
            { lease, leaseUntil, also: 'attempts = attempts + 1' },
            `AND ${DUE} RETURNING ${DELIVERY.list}`,
            ...[now, now],
          ),
        ),
      );
      return claimed.flat().map((row) => toDelivery(DELIVERY.fromRow(row)));
    },
    /** Records the result of an attempt. `false` if the lease was lost in the meantime; then nothing is changed. */
    async finish(
      { projectId, id, webhookId }: Delivery,
      lease: string,
      attempt: AttemptResult,
    ): Promise<boolean> {
      const { state, now, nextAt, status, error, durationMs, notSent = false } = attempt;
      const doneAt = state === 'pending' ? null : now;
      const noted =
        state === 'delivered'
          ? statement(
              'UPDATE webhook SET failing_since = NULL WHERE project_id = ? AND id = ?',
              projectId,
              webhookId,
            )
          : statement(
              'UPDATE webhook SET failing_since = coalesce(failing_since, ?) WHERE project_id = ? AND id = ?',
              ...[now, projectId, webhookId],
            );
      const [finished] = await database.write([
        DELIVERY.update(
          { projectId, id, lease },
          { state, nextAt, status, error, durationMs, doneAt, lease: null, leaseUntil: null },
          'RETURNING id',
        ),
        ...(notSent ? [] : [noted]),
      ]);
      return hasRows(finished);
    },
    /** Takes it out of the outbox without a trace. */
    async drop({ projectId, id }: Delivery, lease: string): Promise<void> {
      await database.write([DELIVERY.remove({ projectId, id, lease })]);
    },
    /** Newest first, before the delivery with the ID `before`. */
    async page(
      projectId: string,
      webhookId: string,
      limit: number,
      before: string | null,
    ): Promise<Delivery[]> {
      const rows = await DELIVERY.findAll(
        database.browse,
        { projectId },
        // SQLite uses the index of webhooks only for the IDs, which are all in it.
        `AND id IN (SELECT id FROM delivery WHERE project_id = ? AND webhook_id = ? AND id < ?
           ORDER BY id DESC LIMIT ?) ORDER BY id DESC`,
        ...[projectId, webhookId, before ?? '~', limit],
      );
      return rows.map(toDelivery);
    },
    /** How the newest of a webhook since that time ended. The index has all of it. */
    async countStates(projectId: string, webhookId: string, since: number, limit: number) {
      const rows = await COUNTED.findAll(
        database.browse,
        `SELECT state, count(*) AS times FROM (SELECT state FROM delivery
             WHERE project_id = ? AND webhook_id = ? AND id >= ? ORDER BY id DESC LIMIT ?) AS newest GROUP BY state`,
        ...[projectId, webhookId, timePrefix(since), limit],
      );
      const counts: Record<DeliveryState, number> = { pending: 0, delivered: 0, failed: 0 };
      for (const { state, times } of rows) counts[state] = times;
      return counts;
    },
    async find(projectId: string, id: string): Promise<Delivery | undefined> {
      const found = await DELIVERY.find(database.browse, { projectId, id });
      return found && toDelivery(found);
    },
    /** Makes it due immediately, whatever its state. Its attempts go on counting. */
    resend: (projectId: string, id: string): Statement[] => [
      DELIVERY.update(
        { projectId, id },
        { state: 'pending', nextAt: 0, lease: null, leaseUntil: null, doneAt: null },
      ),
    ],
    /** How many wait, and since when the oldest does, for the metrics. */
    async backlog(): Promise<{ readonly pending: number; readonly oldestAt: number | null }> {
      const { pending = 0, oldest = null } =
        (await BACKLOG.find(
          database.browse,
          "SELECT count(*) AS pending, min(id) AS oldest FROM delivery WHERE state = 'pending' AND next_at < ?",
          PAUSED,
        )) ?? {};
      return { pending, oldestAt: oldest === null ? null : timeOfId(oldest) };
    },
  };
}

async function dueDeliveries(
  database: Database,
  { now, limit, perWebhook, underWay }: DeliveryClaim,
): Promise<RowOf<typeof DUE_DELIVERY>[]> {
  const full = [...underWay].filter(([, count]) => count >= perWebhook).map(([webhook]) => webhook);
  const notFull = full.length === 0 ? '' : `AND webhook_id NOT IN (${full.map(() => '?').join(', ')})`;
  const rows = await DUE_DELIVERY.findAll(
    database.browse,
    `SELECT project_id, id, webhook_id FROM delivery WHERE ${DUE} ${notFull} ORDER BY next_at LIMIT ?`,
    ...[now, now, ...full, MAX_DUE],
  );
  const counts = new Map(underWay);
  return rows
    .filter(({ webhookId }) => {
      const count = counts.get(webhookId) ?? 0;
      counts.set(webhookId, count + 1);
      return count < perWebhook;
    })
    .slice(0, limit);
}

function toDelivery({ lease, leaseUntil, ...delivery }: RowOf<typeof DELIVERY>): Delivery {
  return { ...delivery, at: timeOfId(delivery.id) };
}
