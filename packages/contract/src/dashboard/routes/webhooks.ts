import * as z from 'zod';
import {
  WEBHOOK_EVENT_NAMES,
  WEBHOOK_FORMATS,
  WEBHOOK_NAME_LENGTH,
  type WebhookEvent,
  type WebhookFilter,
  type WebhookFormat,
} from '../../webhooks.ts';
import { line } from '../fields.ts';
import { json, NOTHING, routes } from '../route.ts';

const url = z.string().trim().min(1).max(2_000);
export const NewWebhook = z.strictObject({
  name: line(WEBHOOK_NAME_LENGTH).nullish(),
  /** http, https, or `mailto:` and one address. */
  url: url.meta({ form: 'webhookUrl' }),
  /** `*`: all, those too that a later version adds. By default all, and by mail all that are not about one validation. */
  events: z
    .literal('*')
    .or(z.array(z.enum(WEBHOOK_EVENT_NAMES)))
    .nullish(),
  format: z.enum([...WEBHOOK_FORMATS, 'email']).nullish(),
  filter: z
    .strictObject({
      signals: z.array(z.string().max(100)).max(50).readonly().optional(),
    })
    .nullish(),
});
const WebhookChange = NewWebhook.partial().extend({ paused: z.boolean().optional() });

export interface WebhookView {
  id: string;
  projectId: string;
  name: string | null;
  url: string;
  events: WebhookEvent[];
  format: WebhookFormat;
  filter: WebhookFilter;
  /** A member paused it. */
  paused: boolean;
  createdAt: number;
  failingSince: number | null;
  disabledAt: number | null;
  previousSecretUntil: number | null;
}
/** With how its deliveries went. */
export interface ListedWebhook extends WebhookView {
  /** Those of the last 24 hours by their state; of more than MOST_COUNTED_DELIVERIES the newest. */
  lastDay: Record<DeliveryView['state'], number>;
  lastDelivery: DeliveryView | null;
}
/** Whether events can be delivered to a URL. */
export interface WebhookTarget {
  /** Every address of its host is private or reserved, and the operator does not allow it. */
  refused: boolean;
}
export interface NewWebhookView extends WebhookView {
  /** Only this answer contains it. */
  secret: string;
}
export interface DeliveriesView {
  rows: DeliveryView[];
  next: string | null;
}
export interface DeliveryView {
  id: string;
  type: WebhookEvent;
  state: 'pending' | 'delivered' | 'failed';
  attempts: number;
  at: number;
  nextAttemptAt: number | null;
  doneAt: number | null;
  status: number | null;
  error: string | null;
  durationMs: number | null;
}
export interface DeliveryDetail extends DeliveryView {
  /** The body as it is sent; `null` if the data it reported was deleted. */
  body: string | null;
}

export interface EventsView {
  rows: { id: string; type: WebhookEvent; at: number; data: Record<string, unknown> }[];
  next: string | null;
}

/** Where a project’s events are sent. */
export const WEBHOOK_ROUTES = routes({
  'GET /projects/:id/webhooks': {
    role: 'viewer',
    answer: json<ListedWebhook[]>(),
    what: 'webhooks, never their secrets, each with its last delivery and how many of the last 24 hours were delivered, failed or are pending',
  },
  'POST /projects/:id/webhooks': {
    role: 'admin',
    body: NewWebhook,
    answer: json<NewWebhookView>(),
    what: 'the secret is shown once',
  },
  'POST /projects/:id/webhook-target': {
    role: 'admin',
    body: z.strictObject({ url }),
    answer: json<WebhookTarget>(),
    what: 'whether deliveries to this `url` would be `refused`: every address of its host is private or reserved, and `POSTERN_WEBHOOK_ALLOW` does not contain it. Looks the host up and keeps nothing. At most 300 an hour for a member, together with the playground',
  },
  'DELETE /webhooks/:webhookId': {
    role: 'admin',
    of: 'webhook',
    answer: NOTHING,
    what: 'deletes a webhook and its deliveries',
  },
  'POST /webhooks/:webhookId/rotate': {
    role: 'admin',
    of: 'webhook',
    answer: json<NewWebhookView>(),
    what: 'a new secret, shown once; deliveries are signed with both for 24 hours',
  },
  'POST /webhooks/:webhookId/ping': {
    role: 'admin',
    of: 'webhook',
    answer: json<{ eventId: string }>(),
    what: 'sends `test.ping`',
  },
  'GET /webhooks/:webhookId/deliveries': {
    role: 'viewer',
    of: 'webhook',
    query: ['before', 'limit'],
    answer: json<DeliveriesView>(),
    what: 'its deliveries, newest first',
  },
  'GET /projects/:id/webhooks/:webhookId/deliveries/:deliveryId': {
    role: 'viewer',
    answer: json<DeliveryDetail>(),
    what: 'one delivery with the body that is sent',
  },
  'POST /projects/:id/webhooks/:webhookId/deliveries/:deliveryId/resend': {
    role: 'admin',
    answer: json<DeliveryView>(),
    what: 'sends it again at once',
  },
  'PATCH /webhooks/:webhookId': {
    role: 'admin',
    of: 'webhook',
    body: WebhookChange,
    answer: json<WebhookView>(),
    what: 'changes the fields that you send; a `name` of `null` removes it. `filter`: `signals` (only validations with one of them). While it is `paused` nothing is sent, and what happens is not kept for it. `paused: false` also switches it on again after its receiver failed',
  },
  'GET /projects/:id/events': {
    role: 'viewer',
    query: ['type', 'before', 'limit'],
    answer: json<EventsView>(),
    what: 'alerts and decisions, newest first; `type`: names of events with commas',
  },
});
