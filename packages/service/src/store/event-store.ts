import type { WebhookEvent, WebhookFormat } from '@postern/contract';

/** Webhooks, the events that they are sent, and the outbox in which deliveries wait. */
export interface EventStore {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  /** Writes an event and its deliveries in one transaction. The same event is written once; `false`: it was there. */
  add(event: NewEvent): Promise<boolean>;
  /** Newest first. */
  page(projectId: string, limit: number, before: number | null): Promise<EventRow[]>;
  find(projectId: string, id: string): Promise<EventRow | undefined>;
  /** Drops events and finished deliveries from before that time, and looks at the review queue that are over. */
  tidy(before: number, now: number): Promise<void>;
}

export interface NewEvent {
  readonly projectId: string;
  /** Says what happened, so that it is told once, for example `quota.reached-2026-11-80`. */
  readonly id: string;
  readonly type: WebhookEvent;
  readonly at: number;
  readonly logId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  /** Only this webhook is told, whatever it is subscribed to. */
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
  /** Signs beside `secret` until `previousUntil`, while receivers change over. */
  readonly previousSecret: string | null;
  readonly previousUntil: number | null;
  readonly createdAt: number;
  /** When the first of an unbroken row of failures happened. */
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
  /** Clears the failures; deliveries that wait go out again. */
  enable(projectId: string, id: string): Promise<void>;
  /** The first of many that find it failing for too long answers `true`. */
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
   * Takes deliveries that are due under a lease that no other process holds. A lease that runs out is due again:
   * at least once, and never by two leases at once.
   */
  claim(claim: DeliveryClaim): Promise<Delivery[]>;
  /** Writes down how an attempt ended; `false` when the lease was lost meanwhile, and nothing was changed. */
  finish(delivery: Delivery, lease: string, attempt: AttemptResult): Promise<boolean>;
  /** Newest first, before the delivery with the ID `before`. */
  page(projectId: string, webhookId: string, limit: number, before: string | null): Promise<Delivery[]>;
  find(id: string): Promise<Delivery | undefined>;
  /** Makes it due at once, whatever became of it. */
  resend(projectId: string, id: string): Promise<boolean>;
  /** How many wait, and since when the oldest does, for the metrics. */
  backlog(): Promise<{ readonly pending: number; readonly oldestAt: number | null }>;
}

export interface DeliveryClaim {
  readonly lease: string;
  readonly now: number;
  readonly leaseUntil: number;
  readonly limit: number;
  /** How many a webhook may have under way at once, and how many each has: a slow one holds up no other. */
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
}
