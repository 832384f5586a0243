import type {
  DeliveryDetail,
  DeliveryView,
  EventsView,
  NewWebhookRequest,
  NewWebhookView,
  WebhookView,
} from '@postern/contract/dashboard';
import { findProject } from '../administration/projects.ts';
import {
  createWebhook,
  deleteWebhook,
  deliveryBody,
  enableWebhook,
  listDeliveries,
  listWebhooks,
  pingWebhook,
  resendDelivery,
  rotateWebhook,
} from '../administration/webhooks.ts';
import { type Delivery, PAUSED, type Webhook } from '../store/event-store.ts';
import {
  created,
  type DashboardRoute,
  fieldsOf,
  NO_CONTENT,
  ok,
  param,
  queryNumber,
  queryText,
  refuseOtherFields,
} from './route.ts';

const ROWS = 50;
const MAX_ROWS = 200;

export const webhookRoutes: DashboardRoute[] = [
  {
    method: 'GET',
    path: '/projects/:id/webhooks',
    access: 'viewer',
    run: async (call) => ok((await listWebhooks(call.admin, param(call, 'id'))).map(webhookView)),
  },
  {
    method: 'POST',
    path: '/projects/:id/webhooks',
    access: 'admin',
    run: async (call) => {
      refuseOtherFields(call, ['url', 'events', 'format']);
      const { url, events, format } = fieldsOf<NewWebhookRequest>(call);
      const webhook = await createWebhook(call.admin, { projectId: param(call, 'id'), url, events, format });
      return created(issuedView(webhook));
    },
  },
  {
    method: 'DELETE',
    path: '/webhooks/:webhookId',
    access: 'admin',
    run: async (call) => {
      await deleteWebhook(call.admin, param(call, 'webhookId'));
      return NO_CONTENT;
    },
  },
  {
    method: 'POST',
    path: '/webhooks/:webhookId/rotate',
    access: 'admin',
    run: async (call) => ok(issuedView(await rotateWebhook(call.admin, param(call, 'webhookId')))),
  },
  {
    method: 'POST',
    path: '/webhooks/:webhookId/enable',
    access: 'admin',
    run: async (call) => ok(webhookView(await enableWebhook(call.admin, param(call, 'webhookId')))),
  },
  {
    method: 'POST',
    path: '/webhooks/:webhookId/ping',
    access: 'admin',
    run: async (call) => ok({ eventId: await pingWebhook(call.admin, param(call, 'webhookId')) }),
  },
  {
    method: 'GET',
    path: '/webhooks/:webhookId/deliveries',
    access: 'viewer',
    run: async (call) => {
      const limit = queryNumber(call, 'limit', 1, MAX_ROWS) ?? ROWS;
      const before = queryText(call, 'before') ?? null;
      const found = await listDeliveries(call.admin, param(call, 'webhookId'), limit + 1, before);
      const rows = found.slice(0, limit).map(deliveryView);
      return ok({ rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : null });
    },
  },
  {
    method: 'GET',
    path: '/deliveries/:deliveryId',
    access: 'viewer',
    run: async (call) => {
      const { delivery, body } = await deliveryBody(call.admin, param(call, 'deliveryId'));
      return ok({ ...deliveryView(delivery), body } satisfies DeliveryDetail);
    },
  },
  {
    method: 'POST',
    path: '/deliveries/:deliveryId/resend',
    access: 'admin',
    run: async (call) => ok(deliveryView(await resendDelivery(call.admin, param(call, 'deliveryId')))),
  },
  {
    method: 'GET',
    path: '/projects/:id/events',
    access: 'viewer',
    run: async (call) => {
      const project = await findProject(call.admin, param(call, 'id'));
      const limit = queryNumber(call, 'limit', 1, MAX_ROWS) ?? ROWS;
      const before = queryNumber(call, 'before', 0, Number.MAX_SAFE_INTEGER) ?? null;
      const found = await call.admin.store.events.page(project.id, limit + 1, before);
      const rows = found.slice(0, limit).map(({ id, type, at, data }) => ({ id, type, at, data }));
      const next = found.length > limit ? (rows.at(-1)?.at ?? null) : null;
      return ok({ rows, next } satisfies EventsView);
    },
  },
];

function webhookView(webhook: Webhook): WebhookView {
  const { secret: _secret, previousSecret: _previous, previousUntil, events, ...fields } = webhook;
  return { ...fields, events: [...events], previousSecretUntil: previousUntil };
}

function issuedView(webhook: Webhook): NewWebhookView {
  return { ...webhookView(webhook), secret: webhook.secret };
}

function deliveryView(delivery: Delivery): DeliveryView {
  const { id, type, state, attempts, at, doneAt, status, error, durationMs } = delivery;
  const waits = state === 'pending' && delivery.nextAt < PAUSED;
  const nextAttemptAt = waits ? Math.max(delivery.nextAt, at) : null;
  return { id, type, state, attempts, at, nextAttemptAt, doneAt, status, error, durationMs };
}
