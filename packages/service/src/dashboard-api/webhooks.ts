import { namesOfEvents, WEBHOOK_EVENT_NAMES, type WebhookEvent } from '@postern/contract';
import type {
  DeliveryDetail,
  DeliveryView,
  NewWebhookView,
  WebhookTarget,
  WebhookView,
} from '@postern/contract/dashboard';
import { InvalidInput } from '../administration/administration.ts';
import { findProject } from '../administration/projects.ts';
import {
  changeWebhook,
  createWebhook,
  type DeliveryPlace,
  deleteWebhook,
  deliveryBody,
  enableWebhook,
  listDeliveries,
  listWebhooks,
  pingWebhook,
  resendDelivery,
  rotateWebhook,
} from '../administration/webhooks.ts';
import { pageOf } from '../model/page.ts';
import { type Delivery, PAUSED } from '../store/tables/delivery-table.ts';
import type { Webhook } from '../store/tables/webhook-table.ts';
import type { MemberRateLimit } from './member-rate-limit.ts';
import {
  created,
  type DashboardCall,
  type DashboardHandlers,
  memberOf,
  NO_CONTENT,
  ok,
  queryId,
  queryNumber,
  queryText,
  type RouteCall,
} from './route.ts';

const ROWS = 50;
const MAX_ROWS = 200;

export interface WebhookRouteParts {
  /** Whether webhooks are kept from every address of the URL’s host. */
  readonly isRefusedTarget: (url: string) => Promise<boolean>;
  readonly limitMember: MemberRateLimit;
}

export function webhookRoutes({ isRefusedTarget, limitMember }: WebhookRouteParts) {
  return {
    ...ROUTES,
    'POST /projects/:id/webhook-target': async (call) => {
      limitMember(memberOf(call).id);
      await findProject(call.admin, call.params.id);
      const { url } = call.fields();
      // What is not a URL is refused when it is saved, with the reason.
      const isUrl = typeof url === 'string' && URL.canParse(url);
      return ok({ refused: isUrl && (await isRefusedTarget(url)) } satisfies WebhookTarget);
    },
  } satisfies Partial<DashboardHandlers>;
}

const ROUTES = {
  'GET /projects/:id/webhooks': async (call) =>
    ok((await listWebhooks(call.admin, call.params.id)).map(webhookView)),
  'POST /projects/:id/webhooks': async (call) => {
    const { url, ...rest } = call.fields();
    const webhook = await createWebhook(call.admin, { projectId: call.params.id, url, ...rest });
    return created(issuedView(webhook));
  },
  'PATCH /webhooks/:webhookId': async (call) =>
    ok(webhookView(await changeWebhook(call.admin, call.params.webhookId, call.fields()))),
  'DELETE /webhooks/:webhookId': async (call) => {
    await deleteWebhook(call.admin, call.params.webhookId);
    return NO_CONTENT;
  },
  'POST /webhooks/:webhookId/rotate': async (call) =>
    ok(issuedView(await rotateWebhook(call.admin, call.params.webhookId))),
  'POST /webhooks/:webhookId/enable': async (call) =>
    ok(webhookView(await enableWebhook(call.admin, call.params.webhookId))),
  'POST /webhooks/:webhookId/ping': async (call) =>
    ok({ eventId: await pingWebhook(call.admin, call.params.webhookId) }),
  'GET /webhooks/:webhookId/deliveries': async (call) => {
    const limit = queryNumber(call, 'limit', 1, MAX_ROWS) ?? ROWS;
    const before = queryText(call, 'before') ?? null;
    const found = await listDeliveries(call.admin, call.params.webhookId, limit + 1, before);
    const { rows, next } = pageOf(found, limit, ({ id }) => id);
    return ok({ rows: rows.map(deliveryView), next });
  },
  'GET /projects/:id/webhooks/:webhookId/deliveries/:deliveryId': async (call) => {
    const { delivery, body } = await deliveryBody(call.admin, placeOf(call));
    return ok({ ...deliveryView(delivery), body } satisfies DeliveryDetail);
  },
  'POST /projects/:id/webhooks/:webhookId/deliveries/:deliveryId/resend': async (call) =>
    ok(deliveryView(await resendDelivery(call.admin, placeOf(call)))),
  'GET /projects/:id/events': async (call) => {
    const project = await findProject(call.admin, call.params.id);
    const limit = queryNumber(call, 'limit', 1, MAX_ROWS) ?? ROWS;
    const found = await call.admin.store.events.page(
      project.id,
      limit + 1,
      queryId(call, 'before'),
      typesOf(call),
    );
    const { rows, next } = pageOf(found, limit, ({ sortId }) => sortId);
    return ok({ rows: rows.map(({ id, type, at, data }) => ({ id, type, at, data })), next });
  },
} satisfies Partial<DashboardHandlers>;

function typesOf(call: RouteCall<'GET /projects/:id/events'>): WebhookEvent[] {
  return (queryText(call, 'type') ?? '')
    .split(',')
    .filter((name) => name !== '')
    .map((name) => {
      const found = WEBHOOK_EVENT_NAMES.find((one) => one === name);
      if (found === undefined)
        throw new InvalidInput('type', `type must be names of events: ${WEBHOOK_EVENT_NAMES.join(', ')}.`);
      return found;
    });
}

function placeOf({ params }: DashboardCall<'id' | 'webhookId' | 'deliveryId'>): DeliveryPlace {
  return { projectId: params.id, webhookId: params.webhookId, id: params.deliveryId };
}

function webhookView(webhook: Webhook): WebhookView {
  const { secret: _secret, previousSecret: _previous, previousUntil, ...fields } = webhook;
  return {
    ...fields,
    events: namesOfEvents(webhook.events),
    paused: webhook.disabledAt !== null && webhook.failingSince === null,
    previousSecretUntil: previousUntil,
  };
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
