import type { WebhookEvent, WebhookFormat } from '@postern/contract';

/** The next attempt of a delivery whose webhook is switched off. */
export const PAUSED = Number.MAX_SAFE_INTEGER;

/** Webhooks, their events, and the outbox of pending deliveries. */
export interface EventStore {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  /**
   * Writes an event and its deliveries in one transaction. The same event is written only once. `false` if it already
   * existed.
   */
  add(event: NewEvent): Promise<boolean>;
  /** Newest first. */
  page(projectId: string, limit: number, before: number | null): Promise<EventRow[]>;
  find(projectId: string, id: string): Promise<EventRow | undefined>;
  /** Drops events and finished deliveries from before that time, and expired entries of who views the review queue. */
  tidy(before: number, now: number): Promise<void>;
}

export interface NewEvent {
  readonly projectId: string;
  /** Identifies what happened, so that it is sent only once, for example `quota.reached-2026-11-80`. */
  readonly id: string;
  readonly type: WebhookEvent;
  readonly at: number;
  readonly logId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  /** Only this webhook gets the event, whatever it is subscribed to. */
  readonly onlyWebhook?: string;
}

export interface EventRow extends Omit<NewEvent, 'onlyWebhook'> {
  /** Begins with the time. */
  readonly sortId: string;
}

export interface Webhook {
  readonly projectId: string;
  readonly id: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly format: WebhookFormat;
  readonly secret: string;
  /** Also signs until `previousUntil`, so that receivers can switch. */
  readonly previousSecret: string | null;
  readonly previousUntil: number | null;
  readonly createdAt: number;
  /** When the current series of failures began. */
  readonly failingSince: number | null;
  readonly disabledAt: number | null;
}

export interface WebhookStore {
  create(webhook: Webhook): Promise<void>;
  list(projectId?: string): Promise<Webhook[]>;
  find(id: string): Promise<Webhook | undefined>;
  /** With its deliveries. */
  remove(projectId: string, id: string): Promise<boolean>;
  rotate(projectId: string, id: string, secret: string, previousUntil: number): Promise<void>;
  /** Clears the failures. Deliveries that waited are sent now. */
  enable(projectId: string, id: string): Promise<void>;
  /** Deliveries wait until it is enabled. Returns `true` only to the first caller that finds it failing for too long. */
  disable(projectId: string, id: string, now: number): Promise<boolean>;
}

export type DeliveryState = 'pending' | 'delivered' | 'failed';

export interface Delivery {
  readonly projectId: string;
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: WebhookEvent;
  /** The validation that it is about. */
  readonly logId: string | null;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAt: number;
  /** When the event happened. */
  readonly at: number;
  /** The receiver’s last answer. */
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number | null;
  readonly doneAt: number | null;
}

export interface DeliveryStore {
  /**
   * Leases deliveries that are due and that no other process has leased. After the lease expires, the delivery is due
   * again: it is delivered at least once, and never under two leases at the same time.
   */
  claim(claim: DeliveryClaim): Promise<Delivery[]>;
  /** Records the result of an attempt. `false` if the lease was lost in the meantime; then nothing is changed. */
  finish(delivery: Delivery, lease: string, attempt: AttemptResult): Promise<boolean>;
  /** Newest first, before the delivery with the ID `before`. */
  page(projectId: string, webhookId: string, limit: number, before: string | null): Promise<Delivery[]>;
  find(projectId: string, id: string): Promise<Delivery | undefined>;
  /** Makes it due immediately, whatever its state. */
  resend(projectId: string, id: string): Promise<boolean>;
  /** How many wait, and since when the oldest does, for the metrics. */
  backlog(): Promise<{ readonly pending: number; readonly oldestAt: number | null }>;
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
